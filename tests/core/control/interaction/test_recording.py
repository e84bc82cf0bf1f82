"""Recordings: events, intervals of tasks, contacts of feet, and joints in the world."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.tests.core.control.interaction.test_sequencer import BOX, STOOL, Model
from footfall.tests.support.task_runs import frame_of, record, task_run

CARRY = InteractionTask("carry", 1, position=np.zeros(3))


def recorded(frames: int) -> TaskRun:
    run = task_run(
        InteractionTask("walk", position=np.array([1.0, 0.0, 0.0])), STOOL, BOX, at=(2.0, 1.0), yaw=np.pi / 2
    )
    record(run, frame_of(run), frames)
    return run


def test_each_task_has_its_object() -> None:
    recording = recorded(1).recording
    recording.tasks = (CARRY, InteractionTask("sit", 0))
    assert recording.task_object(0) is BOX and recording.task_object(1) is STOOL


@pytest.mark.parametrize(
    ("touching", "stands"),
    [
        (("foot.L", "foot.R"), True),
        (("foot.L", "toe.R"), True),
        (("foot.L", "toe.L"), False),
        (("toe.R", "foot.R"), False),
        (("hips", "hand.L", "hand.R"), False),
    ],
)
def test_it_stands_where_heel_or_ball_of_both_feet_are_down(touching: tuple[str, ...], stands: bool) -> None:
    run = recorded(0)
    record(run, frame_of(run, touching=touching))
    record(run, frame_of(run))
    assert run.recording.stands.tolist() == [stands, False]
    assert run.recording.contacts.shape == (2, 7) and run.recording.phase.shape == (2,)
    assert run.recording.actions.shape == (2, len(Model.actions))
