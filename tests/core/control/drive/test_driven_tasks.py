"""Drives with tasks, as lists of tasks."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.drive.driven_tasks import STOPPING_M, TURN_S, DoneTask, tasks_of
from footfall.core.control.drive.driver import DriveMoment
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.path.velocity_profile import RUN_FROUDE_NUMBER
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "locomotion_small.safetensors"
SIT, OPEN = InteractionTask("sit", 0, duration=2.0), InteractionTask("open", 0)
LIE = InteractionTask("lie", position=np.array([0.0, 3.5, 0.0]), direction=np.array([0.0, 1.0]), duration=2.0)


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
    assert turn.duration == TURN_S and turn.direction is end.direction
    np.testing.assert_allclose(end.position, [3.9, 3.9, 0.0], atol=0.1)
    np.testing.assert_allclose(run.position, [3.9, 12.9, 0.0], atol=0.1)
    assert stand.duration == pytest.approx(2.0, abs=0.1)
    np.testing.assert_allclose(run.direction, [0.0, 1.0], atol=0.02)


def test_a_way_out_and_back_has_its_far_end_and_a_turn_there(model: ControllerModel) -> None:
    out, turn, back = tasks_of(going((0.0, 1.3, 1.3, 3.0), (0.0, -1.3, 1.3, 2.9)), [], model)
    assert out.position is not None and turn.position is not None and back.position is not None
    assert out.position[1] == pytest.approx(3.9, abs=0.3) and back.position[1] == pytest.approx(0.13, abs=0.1)
    assert turn.position[1] == pytest.approx(out.position[1] + STOPPING_M) and turn.duration == TURN_S


def test_a_slight_corner_is_walked_around_without_a_turn(model: ControllerModel) -> None:
    tasks = tasks_of(going((0.0, 1.3, 1.3, 3.0), (0.8, 1.0, 1.3, 3.0)), [], model)
    assert [task.duration for task in tasks] == [0.0, 0.0]


def test_a_task_stands_between_the_walks_to_it_and_from_it(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 1.3, 2.0), (0.0, 0.5, 0.5, 6.0), (0.3, 1.3, 1.3, 2.0))
    tasks = tasks_of(moments, [DoneTask(120, 480, SIT)], model)
    assert [task.action for task in tasks] == ["walk", "sit", "walk"] and tasks[1] is SIT
    assert tasks_of(moments[120:480], [DoneTask(0, 360, SIT)], model) == [SIT]


def test_a_character_that_walks_on_elsewhere_than_it_faces_turns_after_its_task(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 1.3, 2.0), (0.0, 0.5, 0.5, 6.0), (-1.3, 0.0, 1.3, 2.0))
    _, door, turn, on = tasks_of(moments, [DoneTask(120, 480, OPEN)], model)
    assert door is OPEN and turn.duration == TURN_S and turn.position is not None
    np.testing.assert_allclose(turn.position, moments[480].root + np.array([0.0, STOPPING_M, 0.0]))
    np.testing.assert_allclose(turn.direction, [-1.0, 0.0], atol=0.02)
    np.testing.assert_allclose(on.direction, [-1.0, 0.0], atol=0.02)


def test_after_lying_the_character_goes_to_where_it_had_got_up(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 1.3, 2.0), (0.0, 0.1, 0.1, 6.0), (0.3, 1.3, 1.3, 2.0))
    _, rest, up, on = tasks_of(moments, [DoneTask(120, 480, LIE)], model)
    assert rest is LIE and up.action == on.action == "walk"
    np.testing.assert_allclose(up.position, moments[480].root)
    assert tasks_of(moments[:480], [DoneTask(120, 480, LIE)], model)[1:] == [LIE], "it lies when the drive ends"


def test_short_steps_and_short_stands_are_left_out(model: ControllerModel) -> None:
    with pytest.raises(FootfallError, match="The character did nothing"):
        tasks_of(going((0.0, 0.5, 0.5, 1.0), (0.0, 0.0, 0.0, 0.5)), [], model)
    with pytest.raises(FootfallError, match="The character did nothing"):
        tasks_of([], [], model)


@pytest.mark.parametrize(("speed", "action"), [(0.9, "walk"), (1.1, "run")])
def test_it_runs_from_the_speed_at_which_people_run(model: ControllerModel, speed: float, action: str) -> None:
    """A Froude number of a half or so: the speed at which a walk becomes a run."""
    limit = float(np.sqrt(RUN_FROUDE_NUMBER * 9.81 * model.skeleton.leg_length))
    (found,) = tasks_of(going((0.0, 2.0, speed * limit, 3.0)), [], model)
    assert found.action == action


def test_after_a_stand_no_turn_is_needed(model: ControllerModel) -> None:
    found = tasks_of(going((0.0, 1.3, 1.3, 3.0), (0.0, 0.0, 0.0, 2.0), (1.3, 0.0, 1.3, 3.0)), [], model)
    assert [task.action for task in found] == ["walk", "idle", "walk"]
    assert found[2].duration == 0.0
