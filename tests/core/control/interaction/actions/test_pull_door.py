"""Pulling doors: where a character stops, pulls and waits, and how a hand is withdrawn."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.pull_door import pulled_angle
from footfall.core.control.interaction.door_pull import DoorPull
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.motion.root_frame import yaw_of
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import put, stand_still, task_run

HANDLE = Handle(np.array([0.4, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]), np.array([0.0, -1.0]))
DOOR = block("door", "door", (0.8, 0.04, 2.0), (0.0, 3.0, 0.0), handle=HANDLE)
OPEN = InteractionTask("open", 0)
SPEC = ACTION_SPECS["open"]


def pulling() -> tuple[TaskRun, DoorPull]:
    """A character on the side to which the leaf opens."""
    run = task_run(OPEN, DOOR)
    seen = DOOR.facing_side(run.approach_side)
    assert seen.handle is not None and seen.handle.is_pulled
    return run, DoorPull.of(seen)


@pytest.mark.parametrize(
    ("away", "turn", "still", "pulls"),
    [
        (0.14, 0.0, True, True),
        (0.16, 0.0, True, False),
        (0.14, 0.39, True, True),
        (0.14, -0.41, True, False),
        (0.14, 0.41, True, False),
        (0.14, 0.0, False, False),
    ],
)
def test_it_pulls_where_it_stands_at_the_handle_and_faces_the_leaf(
    away: float, turn: float, still: bool, pulls: bool
) -> None:
    run, pull = pulling()
    put(run, pull.grasp - [away, 0.0], float(yaw_of(pull.facing)) + turn)
    if still:
        stand_still(run)
    command = SPEC.goal_command(run)
    assert run.is_aligned == pulls
    np.testing.assert_allclose(command.position[:2], pull.release if pulls else pull.grasp)
    put(run, pull.grasp - [1.0, 0.0])
    np.testing.assert_allclose(SPEC.goal_command(run).position[:2], pull.release if pulls else pull.grasp)


def test_the_leaf_follows_the_character_back_and_never_falls_shut() -> None:
    run, pull = pulling()
    door = DOOR.facing_side(run.approach_side)
    put(run, (pull.grasp + pull.release) / 2)
    assert pulled_angle(run, door, 0.3) == 0.3, "it does not pull yet"
    run.is_aligned = True
    angle = pulled_angle(run, door, 0.0)
    assert abs(angle) == pytest.approx(pull.opening_angle(run.position)) and abs(angle) > 0.2
    assert pulled_angle(run, door, 1.2 * np.sign(angle)) == pytest.approx(1.2 * np.sign(angle))
    put(run, pull.release)
    assert abs(pulled_angle(run, door, 0.0)) == pytest.approx(np.radians(78.0))
    run.record("opened")
    assert pulled_angle(run, door, 0.1) == 0.1
