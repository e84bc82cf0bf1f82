"""Walks of fighters: Bezier curves that leave as far as a guard's facing lets them, and end facing the target."""

import numpy as np
import pytest
from scipy.interpolate import BPoly

from footfall.core.control.combat import approach
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array

ORIGIN = np.zeros(2)
NORTH, WEST = np.array([0.0, 1.0]), np.array([-1.0, 0.0])
"""Directions of the yaws 0 and a quarter turn."""


@pytest.fixture(autouse=True)
def _points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are the points that they are made of."""
    monkeypatch.setattr(approach, "Path", lambda points: points)


def curve(yaw: float | None, end: Array, target: Array | None) -> Array:
    points = approach.curved_path(ORIGIN, yaw, end, target)
    assert isinstance(points, np.ndarray)
    return points


def bezier(*points: Array) -> Array:
    """Points of a cubic curve at 24 even shares."""
    return BPoly(np.stack(points)[:, None], [0.0, 1.0])(np.linspace(0.0, 1.0, 24))


def along(degrees: float) -> Array:
    return facing_direction(np.radians(degrees))


def test_without_facings_it_is_the_straight_way() -> None:
    np.testing.assert_allclose(curve(None, 3 * NORTH, None), np.linspace(ORIGIN, 3 * NORTH, 24), atol=1e-12)


def test_it_ends_facing_the_target() -> None:
    end = 6 * NORTH
    expected = bezier(ORIGIN, 2 * NORTH, end - 2 * WEST, end)
    np.testing.assert_allclose(curve(0.0, end, end + 0.5 * WEST), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("turn", "length"), [(0.5, 0.3), (-0.9, 0.54), (1.4, 0.6), (0.1, 0.1)], ids=["half", "other", "most", "third"]
)
def test_tangents_of_a_short_way_grow_with_the_turn(turn: float, length: float) -> None:
    end, last = 0.3 * NORTH, facing_direction(np.array(turn))
    expected = bezier(ORIGIN, length * NORTH, end - length * last, end)
    np.testing.assert_allclose(curve(None, end, end + 2 * last), expected, atol=1e-12)


def test_the_larger_turn_of_both_ends_counts() -> None:
    end, first = 0.3 * NORTH, np.radians(90.0 - 75.0)
    expected = bezier(ORIGIN, 0.6 * facing_direction(np.array(first)), end - 0.6 * WEST, end)
    np.testing.assert_allclose(curve(np.pi / 2, end, end + WEST), expected, atol=1e-12)


@pytest.mark.parametrize(("yaw", "facing"), [(None, 0.0), (np.pi / 2, 90.0)])
def test_such_a_way_without_a_target_goes_ahead(yaw: float | None, facing: float) -> None:
    end = 0.09 * along(facing)
    expected = bezier(ORIGIN, 1.09 / 3 * along(facing), end - 1.09 / 3 * along(facing), end)
    np.testing.assert_allclose(curve(yaw, end, None), expected, atol=1e-12)
