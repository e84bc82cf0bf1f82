"""Wrists of hands on handles: the palm stays on the handle, however far a leaf is open."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.interaction.wrist_targets import (
    FLESH_RATIO,
    PULLING_DIRECTION_RAD,
    palm_offset,
    wrist_on_handle,
    wrist_on_object,
    wrist_over_handle,
    wrists_on_lean_place,
    wrists_on_pulled_handle,
)
from footfall.core.scene.affordances import Grips, Handle
from footfall.core.scene.lean_place import LeanPlace
from footfall.core.scene.object_fitting import PALM_OFFSET_M
from footfall.tests.core.control.interaction.test_sequencer import block

PALM = 0.08
HANDLE = Handle(np.array([0.4, 0.07, 1.0]), np.array([0.0, -1.0]), np.array([-0.45, 0.0, 0.0]), np.array([0.0, 1.0]))


@given(st.floats(0.0, np.pi / 2))
def test_a_palm_that_pulls_is_on_the_handle(angle: float) -> None:
    wrists, pointing = wrists_on_pulled_handle(HANDLE, PALM, np.array([angle]), np.zeros(1))
    assert np.linalg.norm(pointing[0]) == pytest.approx(1.0)
    palm = HANDLE.position + np.array([0.0, FLESH_RATIO * PALM, 0.0])
    np.testing.assert_allclose(wrists[0] + PALM * pointing[0], palm)


def test_a_hand_keeps_its_direction_until_it_lies_along_the_leaf() -> None:
    angles = np.array([0.0, np.pi / 8, np.pi / 4, np.pi / 2])
    _, pointing = wrists_on_pulled_handle(HANDLE, PALM, angles, np.zeros(4))
    np.testing.assert_allclose(pointing[-1], [-1.0, 0.0, 0.0], atol=1e-12)
    # Hinged at -X and opening toward +Y, the leaf turns counterclockwise; so does its space.
    yaws = np.arctan2(pointing[:, 1], pointing[:, 0]) % (2 * np.pi) + angles
    np.testing.assert_allclose(yaws[:3], 1.5 * np.pi - PULLING_DIRECTION_RAD)


def test_a_hand_is_withdrawn_along_the_leaf_beyond_its_edge() -> None:
    angles, withdrawal = np.full(2, np.pi / 2), np.array([0.0, 0.2])
    wrists, pointing = wrists_on_pulled_handle(HANDLE, PALM, angles, withdrawal)
    np.testing.assert_allclose(wrists[1] - wrists[0], [0.2, 0.0, 0.0])
    np.testing.assert_allclose(pointing[1], pointing[0])


def test_palms_are_as_far_from_wrists_as_legs_are_long() -> None:
    assert palm_offset(0.84) == pytest.approx(PALM_OFFSET_M)
    assert palm_offset(0.42) == pytest.approx(PALM_OFFSET_M / 2)


def test_palms_lean_on_a_top() -> None:
    fingers = np.array([[0.1, -0.9, 0.0], [-0.1, -0.9, 0.0]])
    place = LeanPlace(np.array([[0.2, 0.3, 0.9], [-0.2, 0.3, 0.9]]), fingers, np.array([0.0, 0.0, -1.0]))
    expected = place.palms + np.array([0.0, 0.0, 0.2 * PALM]) - PALM * fingers
    np.testing.assert_allclose(wrists_on_lean_place(place, PALM), expected)


def test_a_hand_holds_a_bar_from_above() -> None:
    grips = Grips(np.array([[0.1, 0.0, 0.5], [-0.1, 0.2, 0.5]]), np.array([1.0, 0.0]), is_handle=True)
    np.testing.assert_allclose(wrist_over_handle(grips, PALM), [0.0, 0.1, 0.58])


def test_found_grips_are_at_the_left_and_right_of_the_side_that_is_held() -> None:
    crate = block("crate", "box", (0.5, 0.3, 0.3), (3.0, 2.0, 0.7))
    for side, sign in ((0, 1.0), (2, -1.0)):  # facing the front, +Y, the left hand is at +X
        left, right = (wrist_on_object(crate, side, hand, 0.09) for hand in "LR")
        np.testing.assert_allclose(left[0], sign * 0.28, atol=0.02)
        np.testing.assert_allclose(right, left * [-1.0, -1.0, 1.0], atol=1e-9)


@pytest.mark.parametrize("side", [0, 2])
def test_the_hand_on_the_handle_of_a_door_is_on_the_side_of_the_approach(side: int) -> None:
    door = block("door", "door", (0.9, 0.04, 2.0), (0.0, 0.0, 0.0), handle=HANDLE)
    seen = door.facing_side(side).handle
    assert seen is not None
    turn = 1.0 if side == 0 else -1.0
    expected = wrist_on_handle(seen, PALM) * [turn, turn, 1.0]
    np.testing.assert_allclose(wrist_on_object(door, side, "R", PALM), expected, atol=1e-12)
