"""Grounds and scenes: what is under, over and between points, at every size, still and moving."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.terrain.ground import Plane, ScaledScene, Scene, StaticScene, ground_heights_at
from footfall.core.terrain.heightfield import Heightfield
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import (
    FLOOR,
    Boxes,
    lift,
    roof,
    slope,
    stairs,
    train,
    turntable,
    wall,
)

# To a centimeter, and off every edge: on an edge rounding says what is over it.
clouds = arrays(int, (6, 3), elements=st.integers(-500, 500)).map(lambda points: points * 0.01 + 0.0037)
factors = st.floats(0.2, 5.0)

TABLE = Boxes([FLOOR, ((1.0, -1.0, 0.7), (2.0, 1.0, 0.75))])
"""A table top over the floor."""


@given(points=clouds, height=st.floats(-3, 3))
def test_a_plane_is_everywhere_and_carries_nobody(points: np.ndarray, height: float) -> None:
    plane = Plane(height)
    np.testing.assert_array_equal(plane.heights(points), np.full(6, height))
    np.testing.assert_array_equal(plane.normals(points), np.tile([0.0, 0.0, 1.0], (6, 1)))
    assert np.isposinf(plane.ceilings(points)).all()
    np.testing.assert_array_equal(plane.move_with_ground(points, 0, 100), points)
    assert plane.is_static


@given(starts=clouds, ends=clouds, height=st.floats(-3, 3))
def test_a_plane_is_between_what_is_over_and_what_is_under_it(
    starts: np.ndarray, ends: np.ndarray, height: float
) -> None:
    blocked = Plane(height).blocked(starts, ends)
    np.testing.assert_array_equal(blocked, (starts[:, 2] < height) != (ends[:, 2] < height))


def test_a_table_is_ground_on_it_and_a_ceiling_under_it() -> None:
    points = np.array([[1.5, 0.0, 2.0], [1.5, 0.0, 0.3], [3.0, 0.0, 2.0]])
    np.testing.assert_array_equal(TABLE.heights(points), [0.75, 0.0, 0.0])
    np.testing.assert_array_equal(TABLE.ceilings(points), [np.inf, 0.7, np.inf])


class TestStill:
    def test_a_hill_is_between_its_two_sides_and_not_over_it(self) -> None:
        flat = Heightfield.centred(np.zeros((41, 41)), 0.1)
        hill = StaticScene(
            Heightfield(np.exp(-4 * (flat.grid_points[..., 0] ** 2 + flat.grid_points[..., 1] ** 2)), 0.1, flat.origin)
        )
        heights = np.array([0.2, 0.9, 1.1])
        starts, ends = (np.stack([np.full(3, x), np.zeros(3), heights], axis=-1) for x in (-1.5, 1.5))
        np.testing.assert_array_equal(hill.blocked(starts, ends), [True, True, False])
        beside = np.array([0.0, 1.4, 0.0])
        assert not hill.blocked(starts + beside, ends + beside).any()

    @given(starts=clouds, ends=clouds)
    def test_nothing_is_in_the_way_over_the_ground(self, starts: np.ndarray, ends: np.ndarray) -> None:
        ground = stairs()
        above = np.array([0.0, 0.0, 5.0 + 8 * 0.17])
        assert not ground.blocked(starts + above, ends + above).any()
        assert ground.blocked(starts - above, ends - above).all()


SCENES = {"stairs": stairs(), "table": TABLE, "wall": wall(), "slope": slope(), "turntable": turntable()}


@given(points=clouds, others=clouds, factor=factors)
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_a_larger_scene_is_the_same_seen_by_somebody_larger(
    scene: Scene, points: np.ndarray, others: np.ndarray, factor: float
) -> None:
    larger = ScaledScene(scene, factor)
    # Where a point of the larger scene is in the scene itself, to the last digit.
    here, there = points * factor / factor, others * factor / factor
    np.testing.assert_array_equal(larger.heights(points * factor, 7), scene.heights(here, 7) * factor)
    np.testing.assert_array_equal(larger.ceilings(points * factor, 7), scene.ceilings(here, 7) * factor)
    np.testing.assert_array_equal(larger.normals(points * factor, 7), scene.normals(here, 7))
    np.testing.assert_array_equal(larger.blocked(points * factor, others * factor, 7), scene.blocked(here, there, 7))
    np.testing.assert_array_equal(
        larger.move_with_ground(points * factor, 3, 9), scene.move_with_ground(here, 3, 9) * factor
    )
    assert larger.is_static == scene.is_static


@given(points=clouds, factor=factors)
def test_surroundings_are_scaled_as_a_whole(points: np.ndarray, factor: float) -> None:
    surroundings = WalkScene(stairs(), obstacles=wall())
    scaled = surroundings.scaled(factor)
    assert scaled.jump_over is None
    assert scaled.obstacles is not None
    np.testing.assert_array_equal(scaled.ground.heights(points), ScaledScene(stairs(), factor).heights(points))
    np.testing.assert_array_equal(scaled.obstacles.heights(points), ScaledScene(wall(), factor).heights(points))
    assert surroundings.scaled(1.0) is surroundings


class TestMoving:
    @given(points=clouds, since=st.integers(0, 300), until=st.integers(0, 300))
    @pytest.mark.parametrize("scene", [turntable(), lift(), train()], ids=["turntable", "lift", "train"])
    def test_who_rides_comes_back_when_time_does(
        self, scene: Scene, points: np.ndarray, since: int, until: int
    ) -> None:
        above = 0.2 * np.abs(points) + scene.move_with_ground(np.array([[0.0, 0.0, 1.0]]), 0, since)
        there = scene.move_with_ground(above, since, until)
        np.testing.assert_allclose(scene.move_with_ground(there, until, since), above, atol=1e-9)

    def test_a_lift_lifts_by_its_speed_and_leaves_alone_who_is_beside_it(self) -> None:
        points = np.array([[0.0, 0.0, 0.5], [20.0, 0.0, 0.5]])
        moved = lift(0.3).move_with_ground(points, 0, 60) - points
        np.testing.assert_allclose(moved, [[0.0, 0.0, 0.3], [0.0, 0.0, 0.0]], atol=1e-12)

    def test_a_turntable_turns_to_the_left(self) -> None:
        moved = turntable(90.0, pivot=(3.0, 0.0)).move_with_ground(np.array([[4.0, 0.0, 0.5]]), 0, 60)
        np.testing.assert_allclose(moved, [[3.0, 1.0, 0.5]], atol=1e-12)

    def test_heights_over_it_are_those_of_their_frames(self) -> None:
        points = np.tile([0.0, 0.0, 5.0], (61, 1))
        np.testing.assert_allclose(ground_heights_at(lift(0.3), points), 0.01 + np.linspace(0.0, 0.3, 61))
        np.testing.assert_array_equal(ground_heights_at(roof(2.0), points), np.zeros(61))
