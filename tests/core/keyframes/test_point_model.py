"""Bones that carry one another, by numbers worked out by hand."""

import numpy as np

from footfall.core.keyframes.point_model import KeyedBone, PointModel
from footfall.core.motion import rotations as rot

UP = np.array([0.0, 1.0, 0.0])
QUARTER = rot.from_axis_angle([0.0, 0.0, 1.0], np.pi / 2)


def bone(parent: int, turner: int, axes: rot.Array = rot.IDENTITY, unit: float = 1.0) -> KeyedBone:
    return KeyedBone(parent, turner, UP if parent >= 0 else np.zeros(3), rot.IDENTITY, axes, unit, 1.0)


def test_a_turned_parent_carries_its_child_round() -> None:
    arm = PointModel((bone(-1, -1), bone(0, 0)))
    points = arm.positions(np.zeros((1, 2, 3)), np.array([[QUARTER, rot.IDENTITY]]))[0]
    expected = [[0, 0, 0], [-1, 0, 0], [-2, 0, 0], [-2, 0.5, 0]]
    np.testing.assert_allclose(points, expected, atol=1e-12)


def test_a_location_is_along_its_axes_and_in_its_unit() -> None:
    arm = PointModel((bone(-1, -1, QUARTER, 0.01),))
    points = arm.positions(np.array([[[1.0, 0.0, 0.0]]]), rot.IDENTITY[None, None])[0]
    np.testing.assert_allclose(points[0], [0.0, 0.01, 0.0], atol=1e-12)


def test_further_points_are_carried_by_their_bones() -> None:
    arm = PointModel((bone(-1, -1), bone(0, 0)), ((1, np.array([0.0, 0.0, 2.0])), (0, np.array([3.0, 0.0, 0.0]))))
    points = arm.positions(np.zeros((1, 2, 3)), np.array([[QUARTER, rot.IDENTITY]]))[0]
    assert len(points) == len(arm) == 6
    np.testing.assert_allclose(points[4:], [[-1, 0, 2], [0, 3, 0]], atol=1e-12)
