"""Sitting: from where a seat is entered, when a body sits, and where it is moved to."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.scene.affordances import Seat
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


@pytest.mark.parametrize(("height", "refused"), [(0.05, False), (0.07, True)])
def test_a_seat_on_what_is_raised_is_refused(height: float, refused: bool) -> None:
    dais = block("dais", "obstacle", (2.0, 2.0, height + 0.001), (0.0, 3.0, 0.0))
    raised = replace(STOOL, position=np.array([0.0, 3.0, height]))
    if not refused:
        SPEC.validate(SIT, [raised, dais])
        return
    with pytest.raises(FootfallError, match="'stool' stands on 'dais': move it down to the floor"):
        SPEC.validate(SIT, [raised, dais])
