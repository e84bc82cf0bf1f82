"""Walking through doors: in line first, through, onward, and a hand on the handle while the leaf opens."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import BOX, block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

HANDLE = Handle(np.array([0.4, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
DOOR = block("door", "door", (0.8, 0.04, 2.0), (0.0, 3.0, 0.0), handle=HANDLE)
"""A door that opens both ways, come to along +Y; its handle is at +X."""
OPEN = InteractionTask("open", 0)
SPEC = ACTION_SPECS["open"]


@pytest.mark.parametrize(("beyond", "passed"), [(1.14, False), (1.16, True)])
def test_a_door_is_passed_beyond_its_leaf_opened_at_a_right_angle(beyond: float, passed: bool) -> None:
    run = task_run(OPEN, DOOR)
    frame = frame_of(run, at=(0.0, 3.0 + beyond))
    assert SPEC.update(run, frame) == passed
    assert SPEC.push_object(run, frame) != passed
    other = task_run(OPEN, DOOR, at=(0.0, 6.0))
    assert SPEC.update(other, frame_of(other, at=(0.0, 3.0 - beyond))) == passed


@pytest.mark.parametrize(
    ("beyond", "opened", "passed"), [(0.34, True, False), (0.36, True, True), (0.36, False, False)]
)
def test_a_pulled_door_is_passed_a_step_beyond_it(beyond: float, opened: bool, passed: bool) -> None:
    pulled = replace(DOOR, handle=replace(HANDLE, opens_toward=np.array([0.0, -1.0])))
    run = task_run(OPEN, pulled)
    if opened:
        run.record("opened")
    assert SPEC.update(run, frame_of(run, at=(0.0, 3.0 + beyond))) == passed


def test_a_door_needs_a_handle() -> None:
    with pytest.raises(FootfallError, match="'box' has no handle: set its handle and its hinge"):
        SPEC.validate(OPEN, [BOX])


@pytest.mark.parametrize(
    ("along", "beside", "weight"),
    [
        (0.0, 0.0, 1.0),
        (0.7, 0.2, 1.0),
        (-0.7, -0.2, 1.0),
        (1.1, 0.0, 0.5),
        (-1.5, 0.0, 0.0),
        (0.0, 0.45, 1.0),
        (0.0, -0.675, 0.5),
        (0.0, 0.9, 0.0),
        (1.1, 0.675, 0.25),
    ],
)
def test_a_body_goes_through_ten_centimeters_to_the_side_of_the_handle(
    along: float, beside: float, weight: float
) -> None:
    run = task_run(OPEN, DOOR)
    record(run, frame_of(run))
    track = np.array([[0.1 + beside, 3.0 + along]])
    assert SPEC.misplacement(run.recording, (0, 1, 0), track) is None, "it was not opened"
    run.record("opened")
    found = SPEC.misplacement(run.recording, (0, 1, 0), track)
    assert found is not None
    np.testing.assert_allclose(found[0], [[beside, 0.0]], atol=1e-9)
    np.testing.assert_allclose(found[1], [weight], atol=1e-9)


def opened(degrees: list[float]) -> TaskRun:
    """A character that stands before a leaf that opens by some angles."""
    run = task_run(OPEN, DOOR)
    put(run, (0.2, 2.6))
    for angle in degrees:
        run.scene.replace_object(0, DOOR.swing_open(np.radians(angle)))
        record(run, frame_of(run))
    return run


def test_no_hand_is_on_a_door_that_stays_shut() -> None:
    assert list(SPEC.hand_holds(opened([0.0, 0.3, 0.2]).recording, (0, 3, 0))) == []
