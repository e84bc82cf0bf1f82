"""Wished velocities along walls and ledges."""

import numpy as np
import pytest

from footfall.core.control.navigation.clearance import clear_velocity, level_at, levels_along, reached_level
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


def test_what_is_walked_on_has_walls_too() -> None:
    floor = ((-9.0, -9.0, -1.0), (9.0, 9.0, 0.0))
    for block, goes in (
        (((-1.0, 1.0, 0.0), (1.0, 3.0, 1.2)), False),
        (((-1.0, 1.0, 1.3), (1.0, 3.0, 1.4)), True),
        (((-1.0, 1.0, 0.7), (1.0, 3.0, 0.8)), False),
        (((-1.0, 1.0, -1.0), (1.0, 3.0, 0.2)), True),
    ):
        found = clear_velocity(WalkScene(Boxes([floor, block])), np.array([0.0, 0.8, 0.0]), AHEAD, 0.0)
        assert (found[1] > 1.0) == goes, block


def test_stairs_are_run_up() -> None:
    steps = [((-3.0, 0.3 * number, -1.0), (3.0, 9.0, 0.17 * number)) for number in range(12)]
    fast = np.array([0.0, 4.0])
    np.testing.assert_array_equal(clear_velocity(WalkScene(Boxes(steps)), np.array([0.0, 0.1, 0.0]), fast, 0.0), fast)
    assert reached_level(WalkScene(Boxes(steps)), np.array([0.0, 0.1, 0.0]), np.array([0.0, 2.9]), 0.0) == 9 * 0.17


class Wedge(EmptyScene):
    """Only ways in one direction, degrees to the left of +Y, are free."""

    def __init__(self, degrees: float) -> None:
        self.way = np.array([-np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> Array:
        way = (np.asarray(ends) - np.asarray(starts))[..., :2]
        return way @ self.way < np.cos(np.radians(1.0)) * np.linalg.norm(way, axis=-1)


@pytest.mark.parametrize("degrees", [10, 100, 180])
def test_where_no_way_is_free_there_is_none(degrees: int) -> None:
    assert not clear_velocity(WalkScene(obstacles=Wedge(degrees)), np.zeros(3), AHEAD, 0.0).any()


class Both(EmptyScene):
    """Ways 20 degrees to either side are free."""

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> Array:
        return Wedge(20).blocked(starts, ends) & Wedge(-20).blocked(starts, ends)


def test_of_two_ways_the_left_one_is_taken() -> None:
    assert clear_velocity(WalkScene(obstacles=Both()), np.zeros(3), AHEAD, 0.0)[0] < 0


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("rise, goes", [(0.59, True), (0.61, False), (-0.89, True), (-0.91, False)])
def test_a_step_is_as_high_as_an_adults(rise: float, goes: bool, size: float) -> None:
    start, there = np.array([0.0, 0.9, 0.0]), np.array([0.0, 1.1])
    found = reached_level(WalkScene(Ledge(rise * size)), start, there, 0.0, size)
    assert found == (rise * size if goes else None)
    level = level_at(WalkScene(Ledge(rise * size)), there, 0.0, 0.0, size)
    assert level == (rise * size if rise > -0.9 else 0.0)


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("height, goes", [(0.79, False), (0.81, True)])
def test_a_ceiling_is_as_low_as_a_crouch(height: float, goes: bool, size: float) -> None:
    """It is thin, and between the heights at which walls are looked for."""
    floor, roof = ((-9.0, -9.0, -1.0), (9.0, 9.0, 0.0)), ((-1.0, 1.0, height * size), (1.0, 3.0, height * size + 0.01))
    found = reached_level(WalkScene(Boxes([floor, roof])), np.array([0.0, 0.8, 0.0]), np.array([0.0, 1.4]), 0.0, size)
    assert (found is not None) == goes


@pytest.mark.parametrize(
    "low, high, goes", [(-1, 0.29, True), (-1, 0.31, False), (0.31, 0.99, True), (0.9, 1.1, False)]
)
def test_walls_are_looked_for_at_knee_and_chest(low: float, high: float, goes: bool) -> None:
    fence = ((-1.0, 1.0, low), (1.0, 1.2, high))
    found = reached_level(WalkScene(obstacles=Boxes([fence])), np.array([0.0, 0.8, 0.0]), np.array([0.0, 1.4]), 0.0)
    assert (found is not None) == goes


def test_over_no_ground_the_level_stays() -> None:
    nowhere = WalkScene(Ledge(float("nan")))
    assert level_at(nowhere, np.array([0.0, 2.0]), 0.4, 0.0) == 0.4
    places = np.stack([np.zeros(5), np.linspace(0.0, 2.0, 5)], axis=1)
    assert levels_along(nowhere, places, 0.7).tolist() == [0.0] * 5
    np.testing.assert_array_equal(levels_along(WalkScene(Ledge(0.3)), places, 0.0), [0.0, 0.0, 0.0, 0.3, 0.3])
