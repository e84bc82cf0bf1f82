"""Objects where they are and where they go: into their space and out of it, frame by frame."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.rotations import exp, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider

BOX = Collider(np.array([[-0.2, -0.3, 0.0]]), np.array([[0.2, 0.3, 0.5]]))
SHAPES = [(3,), (7, 3), (4, 7, 3)]


def moving(seed: int, frames: int = 5) -> AnimatedCollider:
    """A box that is thrown about."""
    rng = np.random.default_rng(seed)
    return AnimatedCollider(BOX, rng.uniform(-3.0, 3.0, (frames, 3)), exp(rng.uniform(-2.0, 2.0, (frames, 3))))


@pytest.mark.parametrize("shape", SHAPES)
def test_points_of_any_shape_go_into_an_object_and_out_again(shape: tuple[int, ...]) -> None:
    points = np.random.default_rng(1).normal(size=shape)
    placed = moving(2).at_frame(3)
    inside = placed.to_local(points)
    assert inside.shape == shape
    np.testing.assert_allclose(placed.to_world(inside), points, atol=1e-12)
    one_by_one = [placed.to_local(point) for point in points.reshape(-1, 3)]
    np.testing.assert_allclose(inside.reshape(-1, 3), one_by_one, atol=1e-12)


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-np.pi, np.pi))
def test_who_is_moved_aside_has_room(x: float, y: float, yaw: float) -> None:
    turned = np.array([np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)])
    table = PosedCollider(
        Collider(np.array([[-0.5, -0.3, 0.0]]), np.array([[0.5, 0.3, 0.7]])), np.array([0.2, 0.1, 0.0]), turned
    )
    place = np.array([x, y])
    way = table.clearance_displacement(place, 0.2, 1.7, 0.17)
    assert table.horizontal_distances((place + way)[None], 0.2, 1.7)[0] >= 0.17 - 1e-6
    if table.horizontal_distances(place[None], 0.2, 1.7)[0] >= 0.17:
        np.testing.assert_array_equal(way, 0.0)
    np.testing.assert_array_equal(table.clearance_displacement(place, 0.8, 1.7, 0.17), 0.0)


@pytest.mark.parametrize(("low", "high", "counts"), [(0.9, 1.7, True), (1.01, 1.7, False), (0.0, 0.49, False)])
def test_only_the_part_between_two_heights_of_the_world_is_in_the_way(low: float, high: float, counts: bool) -> None:
    box = PosedCollider(BOX, np.array([0.0, 0.0, 0.5]), rotation_about_up(np.array(0.0)))
    away = box.horizontal_distances(np.array([[0.25, 0.0], [0.0, 0.0]]), low, high)
    np.testing.assert_allclose(away, [0.05, 0.0] if counts else [np.inf, np.inf], atol=1e-12)
    moved = box.clearance_displacement(np.array([0.25, 0.0]), low, high, 0.1)
    np.testing.assert_allclose(moved, [0.05, 0.0] if counts else [0.0, 0.0], atol=1e-9)


@pytest.mark.parametrize("inward", [-3e-7, 0.0, 3e-7, 9e-7, 3e-6])
def test_a_root_on_the_very_edge_of_an_outline_is_not_clear_of_it(inward: float) -> None:
    box = PosedCollider(BOX, np.zeros(3), rotation_about_up(np.array(0.0)))
    edge = np.array([BOX.upper[0, 0] - inward, 0.01])
    moved = box.clearance_displacement(edge, 0.2, 1.7, 0.1)
    np.testing.assert_allclose(moved, [0.1, 0.0], atol=1e-5)
