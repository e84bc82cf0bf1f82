"""Carrying: how near hands take a box, where it is put down, and what is let go of."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.carry import dropped_object, placed_object
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.motion.rotations import Array
from footfall.core.scene.affordances import Grips
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, put, record, stand_still, task_run

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
        (0.03, (), 0.0, 0.0, True),
        (0.05, BOTH, 0.0, 0.0, False),
        (0.34, BOTH, 0.0, 0.25, True),
        (0.34, BOTH, 0.0, 0.15, False),
        (0.36, BOTH, 0.0, 2.0, False),
        (0.19, (), 0.0, 1.1, True),
        (0.19, (), 0.0, 0.9, False),
        (0.21, (), 0.0, 2.0, False),
        (0.49, (), 0.51, 1.1, True),
        (0.51, (), 0.51, 2.0, False),
        (0.49, (), 0.49, 2.0, False),
    ],
)
def test_hands_take_a_box_that_they_reach_touch_or_bend_to(
    distance: float, touching: tuple[str, ...], weight: float, waited: float, taken: bool
) -> None:
    run = reaching(distance, touching, weight, waited)
    assert (run.scene.attachment is not None) == taken == (run.recording.event_frame("took", 0) is not None)
    if taken:
        assert run.start_frame == len(run.recording) and run.closest_approach[0] == np.inf


@pytest.mark.parametrize(("back", "taken"), [(0.03, True), (0.01, False)])
def test_a_bent_body_whose_hands_leave_again_takes_it_soon(back: float, taken: bool) -> None:
    run = reaching(0.4, (), 0.6, 0.0)
    record(run, frame_of(run, {"carry": 0.6}), 15)
    SPEC.update(run, frame_of(run, {"carry": 0.6}, wrists=hands(0.4 + back)))
    assert (run.scene.attachment is not None) == taken


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
        ((0.0, 0.03, 0.0), 0.0, True),
        ((0.0, 0.05, 0.0), 0.15, False),
        ((0.0, 0.05, 0.0), 0.25, True),
        ((0.0, 0.44, 0.09), 0.25, True),
        ((0.0, 0.46, 0.09), 0.25, False),
        ((0.0, 0.3, -0.09), 0.25, True),
        ((0.0, 0.3, 0.11), 2.9, False),
        ((0.0, 0.3, 0.11), 3.1, True),
        ((0.0, 0.3, -0.11), 1.5, False),
        ((0.0, 0.53, 0.11), 3.1, True),
        ((0.0, 0.55, 0.11), 3.5, False),
    ],
)
def test_it_is_put_down_at_its_place_low_beside_it_or_where_it_stalls(
    offset: tuple[float, float, float], waited: float, released: bool
) -> None:
    run = holding(PLACE + np.array(offset))
    assert lets_go(run, waited) == released == (run.recording.event_frame("put", 0) is not None)


@pytest.mark.parametrize(
    ("root", "turn", "waited", "released"),
    [
        ((4.44, -0.42), 0.0, 0.0, True),
        ((3.56, -0.42), 0.0, 0.0, True),
        ((4.46, -0.42), 0.0, 0.0, False),
        ((4.0, -0.42), 0.79, 0.0, True),
        ((4.0, -0.42), 0.81, 0.0, False),
        ((4.0, -0.42), -0.81, 3.9, False),
        ((4.0, -0.42), -0.81, 4.1, True),
    ],
)
def test_it_is_put_down_by_one_that_faces_the_place_or_after_long(
    root: tuple[float, float], turn: float, waited: float, released: bool
) -> None:
    run = holding(PLACE + np.array([0.0, 0.0, 0.01]), root)
    put(run, root, turn)
    assert lets_go(run, waited) == released


@pytest.mark.parametrize(
    ("aside", "stood", "action"),
    [(0.19, 0.3, "idle"), (0.21, 0.3, "carry"), (0.44, 2.1, "idle"), (0.46, 2.1, "carry"), (0.0, 0.0, "carry")],
)
def test_one_that_stands_before_the_place_is_told_to_put_it_down(aside: float, stood: float, action: str) -> None:
    run = holding(PLACE + np.array([0.0, 0.0, 0.5]), (4.0 + aside, -0.42))
    if stood:
        stand_still(run, stood)
    if stood < 2.0 and aside > 0.19:
        put(run, (4.0 + 0.19, -0.42))
        put(run, (4.0 + aside, -0.42))
    command = SPEC.goal_command(run)
    near = np.linalg.norm([aside, 0.0]) < (1.0 if stood > 2.0 else 0.2)
    assert command.action == action and (near or action == "carry")
    np.testing.assert_allclose(command.position, PLACE)


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


def test_a_given_direction_goes_before_and_none_keeps_its_own() -> None:
    task = replace(CARRY, direction=np.array([1.0, 0.0]), stand_direction=np.array([0.0, -1.0]))
    np.testing.assert_allclose(placed_object(task_run(task, BOX)).front_direction, [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(placed_object(task_run(CARRY, BOX)).front_direction, [0.0, 1.0], atol=1e-9)


def test_what_is_let_go_of_lies_ahead_or_beside_what_is_there() -> None:
    # Half of the diagonal of the box and the room of a body: more than 42 cm.
    away = np.hypot(0.5, 0.3) / 2 + 0.2
    run = task_run(CARRY, BOX, yaw=np.pi / 2)
    ahead = dropped_object(run)
    distance = float(np.linalg.norm(ahead.position))
    np.testing.assert_allclose(ahead.position / distance, [-1.0, 0.0, 0.0], atol=1e-9)
    assert 0.42 <= distance <= away + 0.2
    np.testing.assert_allclose(ahead.front_direction, BOX.front_direction, atol=1e-9)
    for degrees, gone in ((0.0, 45.0), (22.5, -45.0)):
        where = np.radians(90.0 + degrees)
        post = block("post", "obstacle", (0.02, 0.02, 1.0), (-distance * np.sin(where), distance * np.cos(where), 0.0))
        aside = dropped_object(task_run(CARRY, BOX, post, yaw=np.pi / 2)).position
        turn = np.radians(90.0 + gone)
        np.testing.assert_allclose(aside / distance, [-np.sin(turn), np.cos(turn), 0.0], atol=1e-9)


@pytest.mark.parametrize(("given_up", "stop"), [(None, 40), (30, 30), (10, 11)])
def test_both_hands_hold_it_from_the_grasp_to_the_end_or_where_it_is_given_up(given_up: int | None, stop: int) -> None:
    run = task_run(CARRY, BOX)
    assert list(SPEC.hand_holds(run.recording, (0, 40, 0))) == []
    record(run, frame_of(run), 10)
    run.record("took")
    if given_up is not None:
        record(run, frame_of(run), given_up - 10)
        run.record("gave up")
    left, right = SPEC.hand_holds(run.recording, (0, 40, 0))
    assert [(one.hand, one.start, one.stop) for one in (left, right)] == [("L", 10, stop), ("R", 10, stop)]
    assert left.pointing is None
    # Given grips stay where they are; wrists are somewhat outside.
    assert right.wrist[0] < -0.25 < 0.25 < left.wrist[0]


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
