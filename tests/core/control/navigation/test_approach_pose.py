"""Sitting down begins at a free place: before the seat, or beside it where a desk blocks that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.core.control.navigation.approach_pose import TUNING as APPROACH_POSE_TUNING
from footfall.core.control.navigation.approach_pose import approach_position
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
    assert_allclose(place, [1.0 + side * APPROACH_POSE_TUNING.side_approach, 2.36])


def test_where_there_is_no_room_at_all_one_comes_from_the_front() -> None:
    others = [block(1.0, 2.85), block(1.7, 2.4), block(0.3, 2.4)]
    assert_allclose(approach_position(SEAT, AHEAD, 0.6, 0.36, np.array([1.0, 5.0]), others), [1.0, 2.6])


@given(st.integers(0, 1000))
def test_where_both_sides_are_as_near_a_hair_does_not_choose_among_them(seed: int) -> None:
    hair = np.random.default_rng(seed).uniform(-1e-6, 1e-6, 4)
    position = np.array([1.0, 5.0])
    expected = approach_position(SEAT, AHEAD, 0.6, 0.36, position, [block(1.0, 2.85)])
    moved = approach_position(
        SEAT + hair[:2], AHEAD, 0.6, 0.36, position + hair[2:], [block(1.0 + hair[3], 2.85 - hair[0])]
    )
    assert_allclose(moved, expected, atol=1e-5)


@given(st.floats(-1e-6, 1e-6))
def test_a_place_with_just_the_room_to_stand_is_free(hair: float) -> None:
    desk = block(1.0, 2.6 + STAND_CLEARANCE_M + 0.2 + hair)
    assert_allclose(approach_position(SEAT, AHEAD, 0.6, 0.36, np.array([1.0, 5.0]), [desk]), [1.0, 2.6])
