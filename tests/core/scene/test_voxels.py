"""Voxels of shapes that are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.motion.rotations import Array
from footfall.core.scene.voxels import Voxels, voxelise

from ...support.meshes import box, chair, sphere

lengths = st.floats(0.1, 1.0)


def centres(voxels: Voxels, solid: bool = True) -> Array:
    return (np.argwhere(voxels.solid == solid) + 0.5) * voxels.size + voxels.origin


@given(st.tuples(lengths, lengths, lengths), st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3)))
def test_a_box_is_full_and_hardly_larger(extent: tuple[float, ...], corner: tuple[float, float, float]) -> None:
    lower, upper = np.array(corner), np.array(corner) + extent
    voxels = voxelise(*box(corner, tuple(upper)), 0.05)
    assert voxels.solid.all()
    high = voxels.origin + np.array(voxels.solid.shape) * voxels.size
    assert (voxels.origin <= lower).all() and (high >= upper).all()
    assert (lower - voxels.origin < 0.03).all() and (high - upper < 0.03).all()


def test_a_sphere_is_full_and_its_corners_are_not() -> None:
    voxels = voxelise(*sphere(0.5), 0.04)
    inside, outside = centres(voxels), centres(voxels, solid=False)
    assert np.linalg.norm(inside, axis=-1).max() < 0.5 + 0.04 * np.sqrt(3) / 2
    # What is left out is outside of the polyhedron, which is a little smaller than the sphere.
    assert np.linalg.norm(outside, axis=-1).min() > 0.5 - 0.01
    volume = voxels.solid.sum() * 0.04**3
    assert 4 / 3 * np.pi * 0.5**3 < volume < 4 / 3 * np.pi * 0.57**3


def test_room_under_a_seat_stays_empty() -> None:
    voxels = voxelise(*chair(), 0.04)
    under = np.array([[0.0, 0.0, 0.2], [0.1, -0.1, 0.3], [0.0, -0.1, 0.7]])
    cells = ((under - voxels.origin) / voxels.size).astype(int)
    assert not voxels.solid[tuple(cells.T)].any()
    seat = ((np.array([[0.0, 0.0, 0.44]]) - voxels.origin) / voxels.size).astype(int)
    assert voxels.solid[tuple(seat.T)].all()


@pytest.mark.parametrize(
    ("vertices", "triangles", "reason"),
    [
        (np.zeros((3, 3)), np.zeros((0, 3), int), "no faces"),
        (np.array([[0, 0, np.nan], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]), "invalid position"),
        (np.array([[0, 0, 0], [1e3, 0, 0], [0, 1e3, 1e3]]), np.array([[0, 1, 2]]), "too large"),
    ],
)
def test_what_has_no_voxels_is_refused(vertices: Array, triangles: np.ndarray, reason: str) -> None:
    with pytest.raises(FootfallError, match=reason):
        voxelise(vertices, triangles, 0.05)


def test_a_mesh_of_too_many_voxels_says_how_large_it_is() -> None:
    with pytest.raises(FootfallError, match=r"The object is 120 m in size, too large for voxels of 10 cm"):
        voxelise(*box((0, 0, 0), (100, 100, 120)), 0.1)
