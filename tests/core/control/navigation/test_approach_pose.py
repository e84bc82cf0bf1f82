"""Sitting down begins at a free place: before the seat, or beside it where a desk blocks that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.core.control.navigation.approach_pose import (
    SIDE_APPROACH_M,
    approach_position,
    blocking_penalty,
)
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.body_size import STAND_CLEARANCE_M
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider

SEAT, AHEAD = np.array([1.0, 2.0]), np.array([0.0, 1.0])


def block(x: float, y: float, size: float = 0.4, turn: float = 0.0) -> PosedCollider:
    half = size / 2
    collider = Collider(np.array([[-half, -half, 0.0]]), np.array([[half, half, 0.8]]))
    return PosedCollider(collider, np.array([x, y, 0.0]), rotation_about_up(np.array(turn)))


def test_before_a_free_seat_one_stands_in_front_of_it() -> None:
    for others in ([], [block(3.0, 2.0)], [block(1.0, 1.5)]):
        assert_allclose(approach_position(SEAT, AHEAD, 0.6, 0.36, np.zeros(2), others), [1.0, 2.6])


@pytest.mark.parametrize(("position", "side"), [((3.0, 2.0), 1.0), ((-1.0, 2.0), -1.0)])
def test_at_a_desk_one_comes_to_the_nearer_side(position: tuple[float, float], side: float) -> None:
    place = approach_position(SEAT, AHEAD, 0.6, 0.36, np.array(position), [block(1.0, 2.85)])
    assert_allclose(place, [1.0 + side * SIDE_APPROACH_M, 2.36])


def test_a_side_that_is_taken_is_not_come_to() -> None:
    others = [block(1.0, 2.85), block(1.9, 2.4)]
    assert_allclose(
        approach_position(SEAT, AHEAD, 0.6, 0.36, np.array([3.0, 2.0]), others), [1.0 - SIDE_APPROACH_M, 2.36]
    )


def test_where_there_is_no_room_at_all_one_comes_from_the_front() -> None:
    others = [block(1.0, 2.85), block(1.7, 2.4), block(0.3, 2.4)]
    assert_allclose(approach_position(SEAT, AHEAD, 0.6, 0.36, np.array([1.0, 5.0]), others), [1.0, 2.6])


@pytest.mark.parametrize("turn", [0.0, 0.7, -2.0])
def test_it_costs_much_to_stand_within_a_hands_breadth_of_a_thing(turn: float) -> None:
    one = block(0.0, 0.0, turn=turn)
    way = np.array([np.cos(turn), np.sin(turn)])
    assert blocking_penalty((0.2 + STAND_CLEARANCE_M - 0.02) * way, [one]) > 5.0
    assert blocking_penalty((0.2 + STAND_CLEARANCE_M + 0.02) * way, [one]) == 0.0
    assert blocking_penalty(np.zeros(2), []) == 0.0


def test_of_places_that_are_all_blocked_the_least_blocked_is_come_to() -> None:
    """A large desk is pushed up to the chair: the place in front is in it, and those beside are near its edge."""
    place = approach_position(SEAT, AHEAD, 0.6, 0.36, np.array([1.1, 5.0]), [block(1.0, 3.15, size=1.4)])
    assert_allclose(place, [1.0 + SIDE_APPROACH_M, 2.36])


def test_only_what_is_as_high_as_a_body_is_in_the_way() -> None:
    for low, high, blocks in ((0.0, 0.19, False), (0.0, 0.21, True), (1.69, 2.0, True), (1.71, 2.0, False)):
        collider = Collider(np.array([[-0.2, -0.2, low]]), np.array([[0.2, 0.2, high]]))
        one = PosedCollider(collider, np.zeros(3), rotation_about_up(np.array(0.0)))
        assert bool(blocking_penalty(np.array([0.25, 0.0]), [one])) == blocks


def test_a_seat_that_is_turned_is_approached_from_where_it_faces() -> None:
    for angle in (0.0, 1.0, -2.5):
        facing = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([facing[1], -facing[0]])
        assert_allclose(approach_position(SEAT, facing, 0.6, 0.36, np.zeros(2), []), SEAT + 0.6 * facing)
        desk = PosedCollider(block(0, 0).collider, np.append(SEAT + 0.85 * facing, 0.0), rotation_about_up(angle))
        for side in (1.0, -1.0):
            place = approach_position(SEAT, facing, 0.6, 0.36, SEAT + side * 3.0 * across, [desk])
            assert_allclose(place, SEAT + 0.36 * facing + side * 0.55 * across, atol=1e-12)
