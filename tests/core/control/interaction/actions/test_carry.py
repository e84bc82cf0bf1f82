"""Carrying: how near hands take a box, where it is put down, and what is let go of."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.carry import placed_object
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.motion.rotations import Array
from footfall.core.scene.affordances import Grips
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

GRIPS = Grips(np.array([[0.25, 0.0, 0.15], [-0.25, 0.0, 0.15]]), np.array([0.0, -1.0]))
BOX = block("box", "box", (0.5, 0.3, 0.3), (0.0, 2.0, 0.8), grips_override=GRIPS)
PLACE = np.array([4.0, 0.0, 0.5])
CARRY = InteractionTask("carry", 0, position=PLACE)
SPEC = ACTION_SPECS["carry"]
BOTH = ("hand.L", "hand.R")


def hands(distance: float) -> Array:
    """Wrists so far before the middle of the box's grips, of a character at (0, 1.5)."""
    return np.array([[side * 0.25, 0.5 - distance, 0.95] for side in (-1, 1)])


def reaching(distance: float, touching: tuple[str, ...] = BOTH, weight: float = 0.0, waited: float = 2.0) -> TaskRun:
    """A character whose hands have been at a distance from the grips for some seconds."""
    run = task_run(CARRY, BOX)
    put(run, (0.0, 1.5))
    frame = frame_of(run, {"carry": weight}, touching, wrists=hands(distance))
    record(run, frame)
    SPEC.update(run, frame)
    if run.scene.attachment is None:
        record(run, frame, round(60 * waited))
        SPEC.update(run, frame)
    return run


@pytest.mark.parametrize(
    ("distance", "touching", "weight", "waited", "taken"),
    [
        (0.02, (), 0.0, 0.0, True),
        (0.25, BOTH, 0.0, 0.0, False),
        (0.25, BOTH, 0.0, 0.5, True),
        (0.7, BOTH, 0.0, 2.0, False),
        (0.1, (), 0.0, 0.3, False),
        (0.1, (), 0.0, 1.5, True),
        (0.4, (), 0.0, 2.0, False),
        (0.4, (), 0.9, 0.5, True),
        (0.9, (), 0.9, 2.0, False),
    ],
)
def test_hands_take_a_box_that_they_reach_touch_or_bend_to(
    distance: float, touching: tuple[str, ...], weight: float, waited: float, taken: bool
) -> None:
    run = reaching(distance, touching, weight, waited)
    assert (run.scene.attachment is not None) == taken == (run.recording.event_frame("took", 0) is not None)
    if taken:
        assert run.start_frame == len(run.recording) and run.closest_approach[0] == np.inf


def test_a_bent_body_takes_what_it_comes_no_nearer_to() -> None:
    """On the floor a network may bend half way and stay there, without a word of carrying."""
    run = task_run(CARRY, BOX)
    put(run, (0.0, 1.5))
    bent = frame_of(run, wrists=hands(0.5), lifted=-0.3)
    record(run, bent)
    SPEC.update(run, bent)
    record(run, bent, 30)
    SPEC.update(run, bent)
    assert run.scene.attachment is not None


@pytest.mark.parametrize(("away", "barred"), [(2.0, True), (0.2, False)])
def test_empty_hands_carry_nothing_to_a_box_that_is_far(away: float, barred: bool) -> None:
    run = task_run(CARRY, BOX)
    put(run, (0.0, 1.58 - away))
    assert (SPEC.goal_command(run).barred == "carry") == barred


def test_a_destination_behind_the_feet_is_walked_away_from_first() -> None:
    run = holding(BOX.position, root=(0.0, 1.58), task=replace(CARRY, position=BOX.position - [0.0, 0.65, 0.3]))
    assert run.task.position is not None
    there = float(run.task.position[1])
    assert abs(float(SPEC.goal_command(run).position[1]) - there) < 0.01
    run.start_frame = len(run.recording)  # the box has just been taken
    assert float(SPEC.goal_command(run).position[1]) < there - 0.5
    record(run, frame_of(run), 240)
    assert abs(float(SPEC.goal_command(run).position[1]) - there) < 0.01, "then it is carried there"


def holding(at: Array, root: tuple[float, float] = (4.0, -0.42), task: InteractionTask = CARRY) -> TaskRun:
    """A character that holds the box at a place, before where it is put down from the side at -Y."""
    run = task_run(task, BOX)
    assert run.approach_side == 2
    put(run, root)
    run.scene.attach(0, hands(0.0))
    run.scene.replace_object(0, replace(BOX, position=at))
    record(run, frame_of(run))
    run.restart_approach()
    return run


def lets_go(run: TaskRun, waited: float) -> bool:
    frame = frame_of(run)
    SPEC.update(run, frame)
    if run.scene.release is None:
        record(run, frame, round(60 * waited))
        SPEC.update(run, frame)
    return run.scene.release is not None


@pytest.mark.parametrize(
    ("offset", "waited", "released"),
    [
        ((0.0, 0.02, 0.0), 0.0, True),
        ((0.0, 0.2, 0.0), 0.1, False),
        ((0.0, 0.2, 0.0), 0.5, True),
        ((0.0, 0.3, 0.3), 2.0, False),
        ((0.0, 0.3, 0.3), 4.0, True),
        ((0.0, 0.9, 0.3), 4.0, False),
    ],
)
def test_it_is_put_down_at_its_place_low_beside_it_or_where_it_stalls(
    offset: tuple[float, float, float], waited: float, released: bool
) -> None:
    run = holding(PLACE + np.array(offset))
    assert lets_go(run, waited) == released == (run.recording.event_frame("put", 0) is not None)


@pytest.mark.parametrize(
    ("side", "stand", "front"),
    [
        (0, (0.0, -1.0), (0.0, -1.0)),
        (1, (0.0, -1.0), (-1.0, 0.0)),
        (2, (0.0, -1.0), (0.0, 1.0)),
        (3, (0.0, -1.0), (1.0, 0.0)),
        (1, (1.0, 0.0), (0.0, -1.0)),
    ],
)
def test_the_front_of_what_is_put_down_is_a_side_that_leaves_its_bearer_where_it_stands(
    side: int, stand: tuple[float, float], front: tuple[float, float]
) -> None:
    run = task_run(replace(CARRY, stand_direction=np.array(stand)), BOX)
    run.approach_side = side
    placed = placed_object(run)
    np.testing.assert_allclose(placed.front_direction, front, atol=1e-9)
    np.testing.assert_allclose(placed.facing_side(side).front_direction, stand, atol=1e-9)
    np.testing.assert_array_equal(placed.position, PLACE)


def test_hands_are_moved_to_where_they_take_it_and_to_where_it_is_put_down() -> None:
    run = task_run(CARRY, BOX)
    put(run, (0.0, 1.5))
    walking = frame_of(run, wrists=hands(0.1))
    record(run, walking, 200)
    assert SPEC.misplacement(run.recording, (0, 1, 0), np.zeros((200, 2))) is None
    run.record("took")
    record(run, walking, 300)
    found = SPEC.misplacement(run.recording, (0, 500, 0), np.zeros((500, 2)))
    assert found is not None
    beside, weights = found
    # The hands are 10 cm before the grips, and feet are in the air: all there for 0.4 s, nothing after 1.6 s.
    np.testing.assert_allclose(beside[200], [0.0, -0.1], atol=1e-6)
    assert weights[200 - 23] == weights[200 + 23] == 1.0 and weights[200 + 97] == 0.0 < weights[200 + 90]
    run.scene.replace_object(0, replace(BOX, position=BOX.position + np.array([0.0, 0.2, 0.0])))
    run.record("put")
    record(run, walking, 60)
    found = SPEC.misplacement(run.recording, (0, 560, 0), np.zeros((560, 2)))
    assert found is not None
    np.testing.assert_allclose(found[0][500], [0.0, -0.3], atol=1e-6)
    np.testing.assert_allclose(found[0][200], [0.0, -0.1], atol=1e-6)
