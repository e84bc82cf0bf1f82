"""Resting on the ground: room for a body, where it goes down, and where it is moved to."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import RESTS_ON_HIPS, frame_of, record, stand_still, task_run

AHEAD = np.array([1.0, 0.0])
PLACE = np.array([4.0, 1.0, 0.7])
LYING = InteractionTask("lie", position=PLACE, direction=AHEAD)
SITTING = InteractionTask("sit_ground", position=PLACE, direction=AHEAD)


@pytest.mark.parametrize(
    ("task", "ahead", "aside", "height", "fits"),
    [
        (LYING, 0.8, 0.31, 1.0, True),
        (LYING, 0.8, 0.29, 1.0, False),
        (LYING, 0.8, -0.29, 1.0, False),
        (LYING, 1.11, 0.0, 1.0, True),
        (LYING, 1.09, 0.0, 1.0, False),
        (LYING, -1.31, 0.0, 1.0, True),
        (LYING, -1.29, 0.0, 1.0, False),
        (SITTING, 0.3, 0.36, 1.0, True),
        (SITTING, 0.3, 0.34, 1.0, False),
        (SITTING, 1.26, 0.0, 1.0, True),
        (SITTING, 1.24, 0.0, 1.0, False),
        (SITTING, -0.76, 0.0, 1.0, True),
        (SITTING, -0.74, 0.0, 1.0, False),
        (LYING, 0.0, 0.0, 0.029, True),
        (LYING, 0.0, 0.0, 0.031, False),
    ],
)
def test_it_needs_room_around_the_whole_body(
    task: InteractionTask, ahead: float, aside: float, height: float, fits: bool
) -> None:
    post = block("post", "obstacle", (1e-4, 1e-4, height), (4.0 + ahead, 1.0 + aside, 0.0))
    if fits:
        ACTION_SPECS[task.action].validate(task, [post])
        return
    with pytest.raises(FootfallError, match="'post' leaves no room"):
        ACTION_SPECS[task.action].validate(task, [post])


@RESTS_ON_HIPS
def test_it_rests_where_it_is_still_on_its_hips(
    weight: float, touching: tuple[str, ...], still: bool, seated: bool, done: bool
) -> None:
    run = task_run(LYING)
    frame = frame_of(run, {"lie": weight}, touching)
    record(run, frame)
    if still:
        stand_still(run)
    run.runtime.state.seated[:] = seated
    ACTION_SPECS["lie"].update(run, frame)
    assert (run.recording.event_frame("reached", 0) is not None) == done
