"""Where one sits, takes hold and puts things, on pieces whose measures are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.scene.affordances import (
    PlacementSurface,
    find_grips,
    find_placement_surfaces,
    placement_poses,
)
from footfall.core.scene.collider import Collider
from footfall.core.scene.seat_detection import find_seat, snap_seat_to_mesh
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.mesh_primitives import Mesh
from footfall.training.interactions.props.seats import Chair
from footfall.training.interactions.props.tables import Box, Table


def collider(mesh: Mesh, yaw: float = 0.0) -> Collider:
    cosine, sine = np.cos(yaw), np.sin(yaw)
    vertices, triangles = mesh
    return Collider.from_mesh(
        vertices @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]]), triangles
    )


@given(seat=st.floats(0.32, 0.7), back=st.floats(0.3, 0.6), arms=st.sampled_from([0.0, 0.22]))
def test_one_sits_on_the_seat_and_away_from_the_back(seat: float, back: float, arms: float) -> None:
    found = find_seat(collider(Chair(seat_height=seat, back_height=back, arm_height=arms).mesh()))
    assert found is not None
    assert -0.01 < found.position[2] - seat < 0.05, "a collider's voxels are over the mesh by one at most"
    vertices, triangles = Chair(seat_height=seat, back_height=back, arm_height=arms).mesh()
    assert snap_seat_to_mesh(found, vertices, triangles).position[2] == pytest.approx(seat, abs=1e-6)
    assert np.abs(found.position[:2]).max() < 0.12
    np.testing.assert_allclose(found.direction, [0.0, 1.0], atol=1e-6)


@pytest.mark.parametrize("depth", [0.2, 0.22, 0.26, 0.4])
def test_a_back_has_room_between_the_hips_and_the_rest_of_a_shallow_seat(depth: float) -> None:
    level, rest = [[-0.2, 0.0, 0.0], [0.2, depth, 0.45]], [[-0.2, -0.1, 0.0], [0.2, 0.0, 0.8]]
    found = find_seat(Collider(*np.array([level, rest]).transpose(1, 0, 2)))
    assert found is not None and found.direction[1] == 1.0
    assert 0.11 < found.position[1] < depth - 0.05, "a back is 11 cm behind the middle of the hips"


def test_nobody_sits_on_a_high_table_or_on_the_floor() -> None:
    assert find_seat(collider(Table(height=1.2).mesh())) is None
    assert find_seat(Collider(np.array([[-2.0, -2.0, -0.1]]), np.array([[2.0, 2.0, 0.05]]))) is None


def test_a_box_is_held_on_two_sides_opposite_to_each_other() -> None:
    box = Box(width=0.5, depth=0.3, height=0.2)
    found = find_grips(collider(box.mesh()))
    assert found is not None
    left, right = found.hands
    np.testing.assert_allclose(found.direction, [0.0, -1.0])
    assert abs(abs(left[0] - right[0]) - 0.5) < 0.05 and abs(left[1] - right[1]) < 0.02
    assert left[0] > right[0], "who faces -Y has +X on their left"


def test_what_is_too_wide_one_way_is_held_the_other_way_or_not_at_all() -> None:
    long = find_grips(Collider(np.array([[-0.6, -0.15, 0.0]]), np.array([[0.6, 0.15, 0.2]])))
    assert long is not None and abs(long.direction[0]) == 1.0
    assert find_grips(Collider(np.array([[-0.6, -0.6, 0.0]]), np.array([[0.6, 0.6, 0.2]]))) is None


def test_things_are_put_on_the_top() -> None:
    top = find_placement_surfaces(collider(Table(height=0.74, width=1.2, depth=0.8).mesh()))[0]
    assert abs(top.position[2] - 0.74) < 0.03
    np.testing.assert_allclose(sorted((top.width, top.depth)), [0.8, 1.2], atol=0.08)  # two voxels


@pytest.mark.parametrize("hinge", [-1, 1])
def test_a_door_that_is_made_knows_the_same_handle_behind_it(hinge: int) -> None:
    door = Door(hinge_side=hinge)
    behind, known = door.affordance().opposite_handle(), door.affordance(behind=True)
    np.testing.assert_allclose(behind.position, known.position, atol=1e-12)
    np.testing.assert_allclose(behind.direction, known.direction, atol=1e-12)
    np.testing.assert_allclose(behind.hinge, known.hinge, atol=1e-12)


def cuboids(*corners: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Collider:
    return Collider(*np.array(corners, dtype=float).transpose(1, 0, 2))


def test_a_box_is_not_held_at_its_narrow_waist_but_where_it_is_wide() -> None:
    waist = cuboids(((-0.3, -0.1, 0.0), (0.3, 0.1, 0.1)), ((-0.1, -0.1, 0.1), (0.1, 0.1, 0.4)))
    found = find_grips(waist)
    assert found is not None
    np.testing.assert_allclose(found.hands, [[0.3, 0.0, 0.1], [-0.3, 0.0, 0.1]])
    slight = cuboids(((-0.3, -0.1, 0.0), (0.3, 0.1, 0.1)), ((-0.16, -0.1, 0.1), (0.16, 0.1, 0.4)))
    held = find_grips(slight)
    assert held is not None
    np.testing.assert_allclose(held.hands, [[0.16, 0.0, 0.18], [-0.16, 0.0, 0.18]])


def test_things_are_put_near_each_edge_that_has_room_for_them() -> None:
    surface = PlacementSurface(np.array([1.0, 2.0, 0.7]), np.array([0.0, 1.0]), 1.0, 0.6)
    poses = placement_poses(surface, 0.3, 0.2, 0.05)
    expected = [(0.0, 0.15, 0.0, 1.0), (0.0, -0.15, 0.0, -1.0), (0.35, 0.0, 1.0, 0.0), (-0.35, 0.0, -1.0, 0.0)]
    for (position, direction), (x, y, *ahead) in zip(poses, expected, strict=True):
        np.testing.assert_allclose(position, [1.0 + x, 2.0 + y, 0.7])
        np.testing.assert_array_equal(direction, ahead)
    # 70 cm wide, it fits only along the width; and without room for the clearance it is in the middle.
    wide = placement_poses(surface, 0.7, 0.58, 0.05)
    assert [direction.tolist() for _, direction in wide] == [[0.0, 1.0], [0.0, -1.0]]
    for position, _ in wide:
        np.testing.assert_allclose(position, surface.position)
    assert [len(placement_poses(surface, *size, 0.0)) for size in ((1.0, 0.6), (0.6, 1.0), (1.1, 0.1))] == [2, 2, 0]
