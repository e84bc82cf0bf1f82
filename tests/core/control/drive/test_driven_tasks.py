"""Drives with tasks, as lists of tasks."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.drive.driven_tasks import TUNING as DRIVEN_TASKS_TUNING
from footfall.core.control.drive.driven_tasks import DoneTask, tasks_of
from footfall.core.control.drive.driver import DriveMoment
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.models.model_file import ControllerModel, load_model

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "locomotion_small.safetensors"
SIT, OPEN = InteractionTask("sit", 0, duration=2.0), InteractionTask("open", 0)


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


def going(*legs: tuple[float, float, float, float]) -> list[DriveMoment]:
    """Moments of legs, each with a velocity (2), m/s, its commanded speed and its seconds."""
    place, moments = np.zeros(3), []
    for x, y, speed, seconds in legs:
        for _ in range(round(60 * seconds)):
            place = place + np.array([x, y, 0.0]) / 60
            moments.append(DriveMoment(place, 0.0, speed, ""))
    return moments


def test_a_walk_around_a_corner_a_stand_and_a_run_are_tasks(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 1.3, 3.0), (1.3, 0.0, 1.3, 3.0), (0.0, 0.0, 0.0, 2.0), (0.0, 3.0, 3.0, 3.0))
    tasks = tasks_of(moments, [], model)
    assert [task.action for task in tasks] == ["walk", "walk", "walk", "idle", "run"]
    corner, turn, end, stand, run = tasks
    assert corner.position is not None and end.position is not None and run.position is not None
    np.testing.assert_allclose(corner.position, [0.0, 3.9, 0.0], atol=0.25)
    assert turn.duration == DRIVEN_TASKS_TUNING.turn and turn.direction is end.direction
    np.testing.assert_allclose(end.position, [3.9, 3.9, 0.0], atol=0.1)
    np.testing.assert_allclose(run.position, [3.9, 12.9, 0.0], atol=0.1)
    assert stand.duration == pytest.approx(2.0, abs=0.1)
    np.testing.assert_allclose(run.direction, [0.0, 1.0], atol=0.02)


def test_a_task_stands_between_the_walks_to_it_and_from_it(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 1.3, 2.0), (0.0, 0.5, 0.5, 6.0), (0.3, 1.3, 1.3, 2.0))
    tasks = tasks_of(moments, [DoneTask(120, 480, SIT)], model)
    assert [task.action for task in tasks] == ["walk", "sit", "walk"] and tasks[1] is SIT
    assert tasks_of(moments[120:480], [DoneTask(0, 360, SIT)], model) == [SIT]
