"""Pushing: where a character stands, when it begins and lets go, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.pushing import Pushing
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

CRATE = block("crate", "box", (0.6, 0.6, 0.8), (0.0, 2.0, 0.0))
PUSH = InteractionTask("push", 0, position=np.array([0.0, 4.0, 0.0]))
SPEC = ACTION_SPECS["push"]
STAND = np.array([0.0, 2.0 - 0.3 - 0.54])
"""Root of a character whose hips are 54 cm before the face."""


@pytest.mark.parametrize(
    ("away", "degrees", "waited", "touching", "begins"),
    [
        (0.03, 0.0, 0.0, True, True),
        (0.05, 0.0, 0.0, True, False),
        (0.24, 0.0, 1.1, True, True),
        (0.24, 0.0, 0.9, True, False),
        (0.26, 0.0, 1.1, True, False),
        (0.24, 28.0, 1.1, True, True),
        (0.24, 29.0, 1.1, True, False),
        (0.24, -29.0, 1.1, True, False),
        (0.24, 0.0, 1.1, False, False),
        (0.24, 0.0, 2.9, False, False),
        (0.24, 0.0, 3.1, False, True),
    ],
)
def test_it_begins_where_it_comes_no_nearer_with_its_hands_there_or_after_long(
    away: float, degrees: float, waited: float, touching: bool, begins: bool
) -> None:
    run = task_run(PUSH, CRATE)
    put(run, STAND - [0.0, away], np.radians(degrees))
    frame = frame_of(run, touching=("hand.L", "hand.R") if touching else ("hand.L",))
    record(run, frame)
    SPEC.update(run, frame)
    if run.scene.pushing is None:
        record(run, frame, round(60 * waited))
        assert SPEC.update(run, frame) is False
    pushing = run.scene.pushing
    assert (pushing is not None) == begins and (run.recording.event_frame("took", 0) is not None) == begins
    if pushing is not None:
        np.testing.assert_allclose(pushing.root, run.position)
        assert pushing.start is CRATE and pushing.object_index == 0
        assert run.start_frame == len(run.recording)


def pushed(progress: float, **values: object) -> Pushing:
    assert PUSH.position is not None
    return replace(Pushing(0, CRATE, PUSH.position, STAND), progress=progress, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("progress", "waited", "stopped", "put_down"),
    [
        (1.97, 0.0, False, True),
        (1.95, 0.0, False, False),
        (1.71, 1.1, False, True),
        (1.71, 0.9, False, False),
        (1.69, 1.1, False, False),
        (0.5, 0.0, True, True),
    ],
)
def test_it_lets_go_at_its_place_near_it_after_a_stall_and_where_it_is_stopped(
    progress: float, waited: float, stopped: bool, put_down: bool
) -> None:
    run = task_run(PUSH, CRATE)
    frame = frame_of(run)
    record(run, frame)
    run.scene.push(pushed(progress, is_stopped=stopped))
    done = SPEC.update(run, frame)
    if not done:
        record(run, frame, round(60 * waited))
        done = SPEC.update(run, frame)
    assert done == put_down == (run.scene.pushing is None)
    assert (run.recording.event_frame("put", 0) is not None) == put_down


@pytest.mark.parametrize(
    ("place", "crate", "sentence"),
    [
        ((0.0, 2.11, 0.0), CRATE, None),
        ((0.0, 2.09, 0.0), CRATE, "'crate' is already at its target: choose another target"),
        ((0.7, 4.0, 0.0), CRATE, None),
        (
            (0.75, 4.0, 0.0),
            CRATE,
            "'crate' can only be pushed straight ahead: move the target",
        ),
        ((-0.75, 4.0, 0.0), CRATE, "'crate' can only be pushed straight ahead"),
        ((0.0, 4.0, 0.0), replace(CRATE, position=np.array([0.0, 2.0, 0.09])), None),
        ((0.0, 4.0, 0.0), replace(CRATE, position=np.array([0.0, 2.0, 0.11])), "does not stand on the floor"),
        ((0.0, 4.0, 0.0), block("low", "box", (0.6, 0.6, 0.44), (0, 2, 0)), "has no face that two palms could push"),
    ],
)
def test_it_needs_a_face_on_the_floor_and_a_place_straight_ahead(
    place: tuple[float, float, float], crate: object, sentence: str | None
) -> None:
    task = replace(PUSH, position=np.array(place))
    if sentence is None:
        SPEC.validate(task, [crate])  # type: ignore[list-item]
        return
    with pytest.raises(FootfallError, match=sentence):
        SPEC.validate(task, [crate])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("kind", "y", "clear"), [("obstacle", 3.0, False), ("box", 3.0, True), ("obstacle", 4.5, True), ("seat", 1.5, True)]
)
def test_nothing_that_stays_may_be_on_its_way(kind: str, y: float, clear: bool) -> None:
    post = block("post", kind, (0.05, 0.05, 1.0), (0.1, y, 0.0))
    if clear:
        SPEC.validate(PUSH, [CRATE, post])
        return
    with pytest.raises(
        FootfallError, match="'post' is in the way of the pushed 'crate': move one of them, or choose another target"
    ):
        SPEC.validate(PUSH, [CRATE, post])
