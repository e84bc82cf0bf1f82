"""Resting on the ground: room for a body, where it goes down, and where it is moved to."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.runtime.assistance import Assistance
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS
from footfall.core.motion.root_frame import facing_direction
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import RESTS_ON_HIPS, frame_of, put, record, stand_still, task_run

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


@pytest.mark.parametrize(("task", "bottom"), [(LYING, 0.4), (SITTING, 0.8)])
def test_what_is_over_the_body_is_not_in_its_way(task: InteractionTask, bottom: float) -> None:
    ACTION_SPECS[task.action].validate(task, [block("lamp", "obstacle", (1, 1, 1), (4, 1, bottom + 0.01))])
    with pytest.raises(FootfallError, match="'lamp' leaves no room"):
        ACTION_SPECS[task.action].validate(task, [block("lamp", "obstacle", (1, 1, 1), (4, 1, bottom - 0.01))])


def test_without_a_direction_a_body_lies_along_y() -> None:
    task = InteractionTask("lie", position=PLACE)
    with pytest.raises(FootfallError):
        ACTION_SPECS["lie"].validate(task, [block("post", "obstacle", (1e-4, 1e-4, 1.0), (4.0, 0.05, 0.0))])
    ACTION_SPECS["lie"].validate(task, [block("post", "obstacle", (1e-4, 1e-4, 1.0), (3.05, 1.0, 0.0))])


@pytest.mark.parametrize(("task", "start", "offset"), [(LYING, 4.0 - 1.13, 1.13), (SITTING, 4.1, 0.1)])
def test_it_is_led_to_where_it_goes_down_and_then_told(task: InteractionTask, start: float, offset: float) -> None:
    run = task_run(task)
    spec = ACTION_SPECS[task.action]
    command = spec.goal_command(run)
    assert command.action == "walk"
    np.testing.assert_allclose(command.position, [start, 1.0, 0.0])
    np.testing.assert_array_equal(command.direction, AHEAD)
    stand_still(run)
    put(run, (start - 0.19, 1.0))
    command = spec.goal_command(run)
    assert command.action == task.action and command.path_end_offset == pytest.approx(offset)
    np.testing.assert_allclose(command.position, [4.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("away", "degrees", "told"),
    [(0.49, 0.0, True), (0.51, 0.0, False), (0.1, 59.0, True), (0.1, 61.0, False), (0.1, -61.0, False)],
)
def test_it_is_told_there_where_it_faces_its_place(away: float, degrees: float, told: bool) -> None:
    run = task_run(LYING)
    yaw = -np.pi / 2 + np.radians(degrees)
    assert facing_direction(np.array(-np.pi / 2)) == pytest.approx(AHEAD)
    put(run, (4.0 - 1.13 - away, 1.0), yaw)
    spec = ACTION_SPECS["lie"]
    assert (spec.goal_command(run).action == "lie") == told
    put(run, (0.0, 0.0), 0.0)
    assert (spec.goal_command(run).action == "lie") == told, "once and for all"


def test_one_that_has_begun_is_told_so_wherever_it_is() -> None:
    run = task_run(LYING)
    record(run, frame_of(run, {"lie": 0.4}))
    assert ACTION_SPECS["lie"].goal_command(run).action == "lie"


def test_a_network_alone_is_told_from_the_start() -> None:
    run = task_run(LYING)
    run.runtime.assistance = Assistance.none()
    assert ACTION_SPECS["lie"].goal_command(run).action == "lie"


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


def test_one_that_never_rests_is_not_moved() -> None:
    run = task_run(LYING)
    record(run, frame_of(run))
    assert ACTION_SPECS["lie"].misplacement(run.recording, (0, 1, 0), np.zeros((1, 2))) is None
    assert "lie" in ACTIONS
