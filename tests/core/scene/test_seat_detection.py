"""Seats on blocks with rests, and heights and slopes of meshes, in closed form."""

import numpy as np
import pytest

from footfall.core.motion.rotations import Array
from footfall.core.scene.affordances import Seat
from footfall.core.scene.collider import Collider
from footfall.core.scene.seat_detection import (
    HIPS_TO_FRONT_SHARE,
    HIPS_TO_REST_M,
    MAX_HIPS_TO_SOFA_FRONT_M,
    find_seat,
    seat_slope,
    snap_seat_to_mesh,
)
from footfall.core.scene.voxels import Triangles

Corners = tuple[tuple[float, float, float], tuple[float, float, float]]


def cuboids(*corners: Corners) -> Collider:
    lower, upper = np.array(corners, dtype=float).transpose(1, 0, 2)
    return Collider(lower, upper)


def block(width: float = 0.5, depth: float = 0.4, height: float = 0.45) -> Corners:
    return (-width / 2, 0.0, 0.0), (width / 2, depth, height)


def rest(width: float = 0.5, height: float = 0.9) -> Corners:
    """A back rest behind a block, 10 cm thick."""
    return (-width / 2, -0.1, 0.0), (width / 2, 0.0, height)


def found(*corners: Corners) -> Seat:
    seat = find_seat(cuboids(*corners))
    assert seat is not None
    return seat


# The seat of a collider.


def test_a_block_has_its_own_size_and_is_sat_on_near_its_front() -> None:
    seat = found(block())
    assert (seat.width, seat.depth) == pytest.approx((0.5, 0.4))
    np.testing.assert_array_equal(seat.direction, [0.0, 1.0])
    np.testing.assert_allclose(seat.position, [0.0, 0.4 - HIPS_TO_FRONT_SHARE * 0.4, 0.45], atol=1e-9)


def test_a_back_rest_is_leaned_on_by_hips_that_reach_the_front() -> None:
    seat = found(block(depth=0.5), rest())
    np.testing.assert_array_equal(seat.direction, [0.0, 1.0])
    assert seat.position[1] == pytest.approx(HIPS_TO_REST_M)
    deep = found(block(width=0.9, depth=0.8), rest(width=0.9))
    assert deep.position[1] == pytest.approx(0.8 - MAX_HIPS_TO_SOFA_FRONT_M)


@pytest.mark.parametrize("side", range(4))
def test_characters_face_away_from_the_side_that_rises(side: int) -> None:
    edges: tuple[Corners, ...] = (
        ((-0.35, -0.25, 0.0), (-0.25, 0.25, 0.9)),
        ((-0.25, -0.35, 0.0), (0.25, -0.25, 0.9)),
        ((0.25, -0.25, 0.0), (0.35, 0.25, 0.9)),
        ((-0.25, 0.25, 0.0), (0.25, 0.35, 0.9)),
    )
    ahead = np.array(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[side])
    seat = found(((-0.25, -0.25, 0.0), (0.25, 0.25, 0.45)), edges[side])
    np.testing.assert_array_equal(seat.direction, ahead)
    np.testing.assert_allclose(seat.position[:2], (HIPS_TO_REST_M - 0.25) * ahead, atol=1e-9)
    assert (seat.width, seat.depth) == pytest.approx((0.5, 0.5))


def test_of_two_levels_the_one_at_a_usual_height_is_sat_on() -> None:
    low, usual = ((0.0, 0.0, 0.0), (0.5, 0.5, 0.22)), ((0.5, 0.0, 0.0), (1.0, 0.5, 0.45))
    assert found(low, usual).position[2] == pytest.approx(0.45)
    high: Corners = ((0.0, 0.0, 0.0), (0.5, 0.5, 0.95))
    assert found(high, usual).position[2] == pytest.approx(0.45)


def test_slats_are_one_seat_and_a_seat_across_a_wide_gap_is_another() -> None:
    slats = [((-0.3, y, 0.4), (0.3, y + 0.08, 0.45)) for y in (0.0, 0.1, 0.2, 0.3)]
    seat = found(*slats)
    assert (seat.width, seat.depth) == pytest.approx((0.6, 0.38), abs=0.021)
    pair = found(((-0.3, 0.0, 0.0), (0.3, 0.5, 0.45)), ((-0.3, 0.9, 0.0), (0.3, 1.1, 0.45)))
    assert pair.depth == pytest.approx(0.5) and pair.position[1] < 0.5


# Heights and slopes of a mesh.


def sheet(*heights: float, half: float = 0.3) -> tuple[Array, Triangles]:
    """A square about the origin whose corners (-, -), (+, -), (+, +) and (-, +) have heights."""
    vertices = np.array([[-half, -half, heights[0]], [half, -half, heights[1]], [half, half, heights[2]],
                         [-half, half, heights[3]]])  # fmt: skip
    return vertices, np.array([[0, 1, 2], [0, 2, 3]])


def seat_at(height: float, place: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0) -> Seat:
    return Seat(np.array([*place, height]), np.array([-np.sin(yaw), np.cos(yaw)]), 0.5, 0.5)


def test_a_seat_is_put_down_on_its_mesh_where_it_is_and_as_it_faces() -> None:
    seat = seat_at(0.47)
    put = snap_seat_to_mesh(seat, *sheet(0.45, 0.45, 0.45, 0.45))
    np.testing.assert_allclose(put.position, [0.0, 0.0, 0.45])
    assert put.direction is seat.direction and put.width == seat.width


@pytest.mark.parametrize("grade", [0.2, -0.2])
@pytest.mark.parametrize("yaw", [0.0, np.pi])
def test_a_seat_that_falls_to_its_front_slopes_ahead(grade: float, yaw: float) -> None:
    low, high = 0.45 - 0.3 * grade, 0.45 + 0.3 * grade
    slope = seat_slope(seat_at(0.45, yaw=yaw), *sheet(high, high, low, low))
    angle, sign = np.arctan(0.2), np.sign(grade) * np.cos(yaw)
    assert (slope.steepest, slope.across, slope.ahead) == pytest.approx((angle, 0.0, sign * angle), abs=1e-9)
