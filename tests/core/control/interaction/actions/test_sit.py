"""Sitting: from where a seat is entered, when a body sits, and where it is moved to."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.scene.affordances import Seat
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import RESTS_ON_HIPS, frame_of, put, record, stand_still, task_run

CENTER = np.array([0.0, 3.0])
STOOL = block(
    "stool",
    "seat",
    (0.4, 0.4, 0.45),
    (*CENTER, 0.0),
    seat_override=Seat(np.array([0.0, 0.0, 0.45]), np.array([0.0, 1.0]), 0.4, 0.4),
)
"""A seat whose front is +Y."""
SIT = InteractionTask("sit", 0)
SPEC = ACTION_SPECS["sit"]


def before(ahead: float, degrees: float = 0.0, seat: InteractionObject = STOOL, aside: float = 0.0) -> TaskRun:
    run = task_run(SIT, seat)
    put(run, CENTER + np.array([aside, ahead]), np.radians(degrees))
    return run


@pytest.mark.parametrize(("degrees", "enters"), [(0.0, True), (74.0, True), (-74.0, True), (76.0, False), (180, False)])
def test_it_is_entered_with_the_back_to_it(degrees: float, enters: bool) -> None:
    run = before(0.5, degrees)
    assert SPEC.enters_object(run) == enters == run.is_aligned


@pytest.mark.parametrize(("degrees", "stays"), [(119.0, True), (-119.0, True), (121.0, False)])
def test_one_that_has_turned_may_turn_back_farther(degrees: float, stays: bool) -> None:
    run = before(0.5, degrees)
    run.is_aligned = True
    assert SPEC.enters_object(run) == stays


@pytest.mark.parametrize(
    ("ahead", "aligned", "weight", "enters"),
    [
        (0.01, False, 0.0, True),
        (-0.01, False, 0.0, False),
        (-0.24, True, 0.0, True),
        (-0.26, True, 0.0, False),
        (-0.39, True, 0.5, True),
        (-0.41, True, 0.5, False),
    ],
)
def test_behind_its_middle_it_is_entered_by_one_that_has_come_over_it(
    ahead: float, aligned: bool, weight: float, enters: bool
) -> None:
    run = before(ahead)
    run.is_aligned = aligned
    record(run, frame_of(run, {"sit": weight}))
    assert SPEC.enters_object(run) == enters


def test_one_that_sits_is_in_it_whatever_else() -> None:
    run = before(-2.0, 180.0)
    run.runtime.state.seated[:] = True
    assert SPEC.enters_object(run)


def rail(low: float, high: float, gap: float = 0.0) -> InteractionObject:
    """The stool with a rail before it, 40 to 44 cm ahead of its middle, or aside of the way by a gap."""
    lower = np.array([[-0.2, -0.2, 0.0], [gap, 0.4, 0.45 + low]])
    upper = np.array([[0.2, 0.2, 0.45], [0.6 + gap, 0.44, 0.45 + high]])
    return replace(STOOL, collider=Collider(lower, upper))


@pytest.mark.parametrize(
    ("seat", "enters"),
    [
        (rail(0.1, 0.3), False),
        (rail(0.1, 0.3, 0.019), False),
        (rail(0.1, 0.3, 0.021), True),
        (rail(0.0, 0.07), True),
        (rail(0.0, 0.09), False),
        (rail(0.41, 0.6), True),
        (rail(0.39, 0.6), False),
    ],
)
def test_armrests_at_the_height_of_hips_are_not_gone_through(seat: InteractionObject, enters: bool) -> None:
    assert SPEC.enters_object(before(0.42, seat=seat)) == enters
    assert SPEC.enters_object(before(0.7, seat=seat)) == enters


def test_the_way_is_looked_at_from_its_middle_on() -> None:
    """Of six points on the way from 60 cm ahead, the first is at 30 cm, the last at its end."""
    for ahead, enters in ((0.30, False), (0.33, True), (0.36, False), (0.60, False), (0.25, True), (0.65, True)):
        lower = np.array([[-0.2, -0.2, 0.0], [-0.1, ahead - 1e-3, 0.6]])
        upper = np.array([[0.2, 0.2, 0.45], [0.1, ahead + 1e-3, 0.7]])
        post = replace(STOOL, collider=Collider(lower, upper))
        run = before(0.6, seat=replace(post, name="post"))
        assert SPEC.enters_object(run) == enters


@RESTS_ON_HIPS
def test_it_sits_where_it_is_still_on_its_hips(
    weight: float, touching: tuple[str, ...], still: bool, seated: bool, done: bool
) -> None:
    run = task_run(SIT, STOOL)
    frame = frame_of(run, {"sit": weight}, touching)
    if still:
        stand_still(run)
    run.runtime.state.seated[:] = seated
    record(run, frame)
    SPEC.update(run, frame)
    assert (run.recording.event_frame("reached", 0) is not None) == done


def seated(away: float, weights: tuple[float, ...], reached: int) -> TaskRun:
    """A recording of a character that came to sit beside its seat."""
    run = before(away)
    for frame, weight in enumerate(weights):
        if frame == reached:
            run.record("reached")
        record(run, frame_of(run, {"sit": weight}))
    return run


def test_one_that_never_sat_is_not_moved_and_rests_nowhere() -> None:
    run = task_run(SIT, STOOL)
    record(run, frame_of(run), 3)
    assert SPEC.misplacement(run.recording, (0, 3, 0), np.zeros((3, 2))) is None
    assert SPEC.seat_contact(run.recording, (0, 3, 0)) is None
    run.record("reached")
    contact = SPEC.seat_contact(run.recording, (0, 9, 0))
    assert contact is not None and contact.start == 3
    np.testing.assert_allclose(contact.position, [0.0, 3.0, 0.45])
    np.testing.assert_allclose(contact.direction, [0.0, 1.0])
    late = SPEC.seat_contact(run.recording, (0, 3, 0))
    assert late is not None and late.start == 2, "within the task"


@pytest.mark.parametrize(("height", "refused"), [(0.05, False), (0.07, True)])
def test_a_seat_on_what_is_raised_is_refused(height: float, refused: bool) -> None:
    dais = block("dais", "obstacle", (2.0, 2.0, height + 0.001), (0.0, 3.0, 0.0))
    raised = replace(STOOL, position=np.array([0.0, 3.0, height]))
    if not refused:
        SPEC.validate(SIT, [raised, dais])
        return
    with pytest.raises(FootfallError, match="Move 'stool' down to the floor, off 'dais'"):
        SPEC.validate(SIT, [raised, dais])


@pytest.mark.parametrize(("reach", "refused"), [(0.37, True), (0.35, False)])
def test_a_platform_counts_where_feet_are_on_it_as_well(reach: float, refused: bool) -> None:
    dais = block("dais", "obstacle", (1.0, 1.0, 0.2), (0.0, 3.0 + reach - 0.5, 0.0))
    raised = replace(STOOL, position=np.array([0.0, 3.0, 0.2]))
    if not refused:
        SPEC.validate(SIT, [dais, raised][::-1])
        return
    with pytest.raises(FootfallError, match="off 'dais'"):
        SPEC.validate(SIT, [raised, dais])
