"""Wished velocities along walls and ledges."""

import numpy as np
import pytest

from footfall.core.control.navigation.clearance import clear_velocity, reached_level
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import EmptyScene, Plane
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import Boxes

AHEAD = np.array([0.0, 1.2])


class Wall(EmptyScene):
    """Everything with y over 1 is solid."""

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> Array:
        return (np.asarray(starts)[..., 1] < 1.0) != (np.asarray(ends)[..., 1] < 1.0)


class Ledge(Plane):
    """The ground falls by some meters, or rises, where y is over 1."""

    def __init__(self, rise: float) -> None:
        super().__init__(0.0)
        object.__setattr__(self, "rise", rise)

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.where(np.asarray(points)[..., 1] > 1.0, getattr(self, "rise"), 0.0)  # noqa: B009


def test_where_nothing_is_in_the_way_the_wish_is_granted() -> None:
    np.testing.assert_array_equal(clear_velocity(WalkScene(), np.zeros(3), AHEAD, 0.0), AHEAD)
    np.testing.assert_array_equal(clear_velocity(WalkScene(), np.zeros(3), np.zeros(2), 0.0), 0.0)


def test_a_wall_straight_ahead_stops_or_is_gone_along() -> None:
    scene = WalkScene(obstacles=Wall())
    near = clear_velocity(scene, np.array([0.0, 0.9, 0.0]), AHEAD, 0.0)
    assert near[1] < 0.3 * AHEAD[1]
    aslant = clear_velocity(scene, np.array([0.0, 0.7, 0.0]), np.array([1.0, 0.6]), 0.0)
    assert aslant[0] > 0.5 and aslant[1] < 0.3, "it slides along"
    np.testing.assert_array_equal(clear_velocity(scene, np.array([0.0, -3.0, 0.0]), AHEAD, 0.0), AHEAD)


@pytest.mark.parametrize(("rise", "goes"), [(0.2, True), (-0.3, True), (1.2, False), (-2.0, False), (np.nan, False)])
def test_steps_are_taken_and_cliffs_are_not(rise: float, goes: bool) -> None:
    found = clear_velocity(WalkScene(Ledge(rise)), np.array([0.0, 0.8, 0.0]), AHEAD, 0.0)
    assert (found[1] > 1.0) == goes


def test_stairs_are_run_up() -> None:
    steps = [((-3.0, 0.3 * number, -1.0), (3.0, 9.0, 0.17 * number)) for number in range(12)]
    fast = np.array([0.0, 4.0])
    np.testing.assert_array_equal(clear_velocity(WalkScene(Boxes(steps)), np.array([0.0, 0.1, 0.0]), fast, 0.0), fast)
    assert reached_level(WalkScene(Boxes(steps)), np.array([0.0, 0.1, 0.0]), np.array([0.0, 2.9]), 0.0) == 9 * 0.17
