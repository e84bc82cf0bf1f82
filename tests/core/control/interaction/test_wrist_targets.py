"""Wrists of hands on handles: the palm stays on the handle, however far a leaf is open."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.interaction.wrist_targets import TUNING as WRIST_TARGETS_TUNING
from footfall.core.control.interaction.wrist_targets import wrist_on_handle, wrist_on_object, wrists_on_pulled_handle
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import block

PALM = 0.08
HANDLE = Handle(np.array([0.4, 0.07, 1.0]), np.array([0.0, -1.0]), np.array([-0.45, 0.0, 0.0]), np.array([0.0, 1.0]))


@given(st.floats(0.0, np.pi / 2))
def test_a_palm_that_pulls_is_on_the_handle(angle: float) -> None:
    wrists, pointing = wrists_on_pulled_handle(HANDLE, PALM, np.array([angle]), np.zeros(1))
    assert np.linalg.norm(pointing[0]) == pytest.approx(1.0)
    palm = HANDLE.position + np.array([0.0, WRIST_TARGETS_TUNING.flesh_ratio * PALM, 0.0])
    np.testing.assert_allclose(wrists[0] + PALM * pointing[0], palm)


def test_a_hand_keeps_its_direction_until_it_lies_along_the_leaf() -> None:
    angles = np.array([0.0, np.pi / 8, np.pi / 4, np.pi / 2])
    _, pointing = wrists_on_pulled_handle(HANDLE, PALM, angles, np.zeros(4))
    np.testing.assert_allclose(pointing[-1], [-1.0, 0.0, 0.0], atol=1e-12)
    # Hinged at -X and opening toward +Y, the leaf turns counterclockwise; so does its space.
    yaws = np.arctan2(pointing[:, 1], pointing[:, 0]) % (2 * np.pi) + angles
    np.testing.assert_allclose(yaws[:3], 1.5 * np.pi - WRIST_TARGETS_TUNING.pulling_direction)


@pytest.mark.parametrize("side", [0, 2])
def test_the_hand_on_the_handle_of_a_door_is_on_the_side_of_the_approach(side: int) -> None:
    door = block("door", "door", (0.9, 0.04, 2.0), (0.0, 0.0, 0.0), handle=HANDLE)
    seen = door.facing_side(side).handle
    assert seen is not None
    turn = 1.0 if side == 0 else -1.0
    expected = wrist_on_handle(seen, PALM) * [turn, turn, 1.0]
    np.testing.assert_allclose(wrist_on_object(door, side, "R", PALM), expected, atol=1e-12)
