"""Walking to a place and idling there."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.motion.root_frame import facing_direction
from footfall.tests.support.task_runs import frame_of, put, stand_still, task_run

PLACE = np.array([3.0, 4.0, 0.0])


@pytest.mark.parametrize("name", ["walk", "run"])
@pytest.mark.parametrize(("distance", "goes"), [(5.0, True), (0.26, True), (0.24, False)])
def test_it_goes_to_its_place_and_idles_within_25_centimeters(name: str, distance: float, goes: bool) -> None:
    run = task_run(InteractionTask(name, position=PLACE), yaw=1.0)
    put(run, PLACE[:2] - distance * np.array([0.6, 0.8]))
    command = ACTION_SPECS[name].goal_command(run)
    assert command.action == (name if goes else "idle")
    np.testing.assert_array_equal(command.position, PLACE)
    np.testing.assert_allclose(command.direction, [0.6, 0.8] if goes else facing_direction(np.array(1.0)), atol=1e-9)
    assert command.flow_field is not None and command.path_end_offset == 0.0


def test_a_given_direction_is_faced() -> None:
    run = task_run(InteractionTask("walk", position=PLACE, direction=np.array([0.0, -1.0])))
    np.testing.assert_array_equal(ACTION_SPECS["walk"].goal_command(run).direction, [0.0, -1.0])


def test_without_a_place_it_idles_where_it_began() -> None:
    run = task_run(InteractionTask("idle"), at=(1.0, 2.0))
    put(run, (1.1, 2.0))
    command = ACTION_SPECS["idle"].goal_command(run)
    assert command.action == "idle"
    np.testing.assert_allclose(command.position, [1.0, 2.0, 0.0])


@pytest.mark.parametrize(
    ("distance", "still", "last", "done"),
    [
        (0.24, True, True, True),
        (0.49, True, True, True),
        (0.51, True, True, False),
        (0.24, False, True, False),
        (0.24, False, False, True),
        (0.26, False, False, False),
        (0.49, True, False, True),
    ],
)
def test_it_has_arrived_within_its_radius_and_before_another_task_it_need_not_stand(
    distance: float, still: bool, last: bool, done: bool
) -> None:
    run = task_run(InteractionTask("walk", position=PLACE))
    if not last:
        run.recording.tasks = (*run.recording.tasks, InteractionTask("idle"))
    if still:
        stand_still(run)
    at = PLACE[:2] - distance * np.array([0.6, 0.8])
    assert ACTION_SPECS["walk"].update(run, frame_of(run, at=at)) is False
    run.recording.frames.append(frame_of(run, at=at))
    assert bool(ACTION_SPECS["walk"].update(run, frame_of(run, at=at))) == done
