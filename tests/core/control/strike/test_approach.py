"""Walks of fighters: Bezier curves that leave as far as a guard's facing lets them, and end facing the target."""

import numpy as np
from scipy.interpolate import BPoly

from footfall.core.control.path.path import Path
from footfall.core.control.strike.approach import curved_path
from footfall.core.motion.rotations import Array

ORIGIN = np.zeros(2)
NORTH, WEST = np.array([0.0, 1.0]), np.array([-1.0, 0.0])
"""Directions of the yaws 0 and a quarter turn."""


def curve(yaw: float | None, end: Array, target: Array | None) -> Array:
    return curved_path(ORIGIN, yaw, end, target).points


def bezier(*points: Array) -> Array:
    """Points of a path through those of a cubic curve at 24 even shares."""
    return Path(BPoly(np.stack(points)[:, None], [0.0, 1.0])(np.linspace(0.0, 1.0, 24))).points


def test_without_facings_it_is_the_straight_way() -> None:
    expected = Path(np.linspace(ORIGIN, 3 * NORTH, 24)).points
    np.testing.assert_allclose(curve(None, 3 * NORTH, None), expected, atol=1e-12)


def test_it_ends_facing_the_target() -> None:
    end = 6 * NORTH
    expected = bezier(ORIGIN, 2 * NORTH, end - 2 * WEST, end)
    np.testing.assert_allclose(curve(0.0, end, end + 0.5 * WEST), expected, atol=1e-12)
