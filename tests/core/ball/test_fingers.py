"""Fingers on a ball: the ends of all bones are on it, and a ball out of reach closes them."""

import numpy as np
import pytest

from footfall.core.ball.fingers import BEND_RANGE_RAD, FINGER_RADIUS_M, finger_bends
from footfall.core.motion.rotations import from_axis_angle, rotate

FINGER = np.array([[0.0, 0.0, 0.0], [0.0, 0.045, 0.0], [0.0, 0.07, 0.0], [0.0, 0.09, 0.0]])
"""A straight finger ahead, palm down."""


def bent(points: np.ndarray, axis: np.ndarray, bends: np.ndarray) -> np.ndarray:
    """The finger's points after all bends."""
    placed, turn = [points[0]], 0.0
    for bone, bend in zip(np.diff(points, axis=0), bends, strict=True):
        turn += bend
        placed.append(placed[-1] + rotate(from_axis_angle(axis, turn), bone))
    return np.array(placed)


@pytest.mark.parametrize("radius", [0.06, 0.12])
@pytest.mark.parametrize("ahead", [-0.02, 0.0, 0.03])
def test_the_ends_of_all_bones_touch_the_ball(radius: float, ahead: float) -> None:
    center = np.array([0.0, ahead, -radius - FINGER_RADIUS_M])
    axis, bends = finger_bends(FINGER, center, radius)
    assert (bends > BEND_RANGE_RAD[0]).all() and (bends < BEND_RANGE_RAD[1]).all()
    ends = bent(FINGER, axis, bends)[1:]
    np.testing.assert_allclose(np.linalg.norm(ends - center, axis=1), radius + FINGER_RADIUS_M, atol=1e-9)
    assert (ends[:, 2] < 1e-9).all(), "they close toward the ball, not away from it"
