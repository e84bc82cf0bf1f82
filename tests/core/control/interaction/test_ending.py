"""Endings of recordings: a character turns away or comes to a stand, for a moment at least and not for long."""

import numpy as np

from footfall.core.control.interaction.ending import Ending
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.tests.support.task_runs import frame_of, record, task_run


def ended(frames: int = 20) -> TaskRun:
    run = task_run(InteractionTask("idle"), at=(1.0, 2.0), yaw=np.pi / 2)
    record(run, frame_of(run), frames)
    return run


def test_it_turns_away_from_what_it_has_put_down() -> None:
    command = Ending(ended(), True).goal_command()
    assert command.action == "walk"
    # It faces -X: 70 cm behind it is at +X.
    np.testing.assert_allclose(command.position, [1.7, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(command.direction, [1.0, 0.0], atol=1e-12)
