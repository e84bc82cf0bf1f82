"""Meshes as voxels: the cells that a surface passes through or encloses (NSM section 4.3, figure 5)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion.rotations import Array

MAX_VOXELS: Final = 1 << 24
"""Largest number of voxels of a grid."""
MAX_TESTED_PAIRS: Final = 1 << 20
"""Number of triangle and voxel pairs that are tested in one batch."""

Triangles = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Voxels:
    """A grid of cubes.

    Attributes:
        solid: (X, Y, Z) whether a voxel belongs to the object.
        origin: (3) lowest corner of the grid, meters.
        size: edge length of a voxel, meters.
    """

    solid: NDArray[np.bool_]
    origin: Array
    size: float


def voxelise(vertices: Array, triangles: Triangles, voxel_size: float) -> Voxels:
    """Return the voxels that a mesh passes through or encloses.

    A mesh with gaps smaller than a voxel still encloses its inside; with larger gaps it becomes a shell. The grid is
    centered on the mesh, so that equal shapes have equal grids. Surface voxels are found by the separating axis test of
    triangle and box (Akenine-Moeller 2001), the inside by flood filling.

    Args:
        vertices: (V, 3) vertices, meters.
        triangles: (T, 3) indices of vertices.
        voxel_size: edge length of a voxel, meters.

    Raises:
        FootfallError: the mesh has no triangles, non-finite positions, or far too many voxels.
    """
    vertices, triangles = np.asarray(vertices, dtype=float), np.asarray(triangles)
    if len(triangles) == 0:
        raise FootfallError("The object has no faces: choose a mesh with faces")
    corners = vertices[triangles]
    if not np.isfinite(corners).all():
        raise FootfallError("The object's mesh has a vertex with an invalid position: repair the mesh")
    lower, upper = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    # The grid is slightly larger than the mesh, so that outer faces are inside voxels and not between two of them.
    counts = np.ceil((upper - lower) / voxel_size * (1 + 1e-6) + 1e-6).astype(int)
    if np.prod(counts.astype(float)) > MAX_VOXELS:
        raise FootfallError(
            "The object is {size} m in size, too large for voxels of {voxel_size} cm: check its scale, or "
            "choose larger voxels",
            size=f"{np.max(upper - lower):.3g}",
            voxel_size=f"{100 * voxel_size:.3g}",
        )
    origin = (lower + upper) / 2 - counts * voxel_size / 2
    surface = _surface_voxels((corners - origin) / voxel_size, counts)
    solid = np.asarray(scipy.ndimage.binary_fill_holes(np.pad(surface, 1)), dtype=bool)[1:-1, 1:-1, 1:-1]
    return Voxels(solid, origin, voxel_size)


def _surface_voxels(corners: Array, counts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return a mask (X, Y, Z) of the unit cells of a grid that triangles (T, 3, 3) pass through."""
    touched = np.zeros(counts, dtype=bool)
    first = np.clip(np.floor(corners.min(axis=1)).astype(np.intp), 0, counts - 1)
    spans = np.clip(np.floor(corners.max(axis=1)).astype(np.intp), 0, counts - 1) - first + 1
    sizes = spans.prod(axis=1)
    ends = np.cumsum(sizes)
    start = 0
    while start < len(corners):
        stop = max(int(np.searchsorted(ends, (ends[start - 1] if start else 0) + MAX_TESTED_PAIRS)), start + 1)
        pairs = np.repeat(np.arange(start, stop), sizes[start:stop])
        place = np.arange(len(pairs)) - np.repeat(ends[start:stop] - sizes[start:stop] - ends[start] + sizes[start],
                                                  sizes[start:stop])  # fmt: skip
        span = spans[pairs]
        steps = np.stack([place // (span[:, 1] * span[:, 2]), place // span[:, 2] % span[:, 1], place % span[:, 2]], -1)
        cells = first[pairs] + steps
        hit = cells[_triangles_overlap_cubes(corners[pairs], cells)]
        touched[hit[:, 0], hit[:, 1], hit[:, 2]] = True
        start = stop
    return touched


def _triangles_overlap_cubes(corners: Array, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether triangles (N, 3, 3) and unit cubes (N, 3) with overlapping bounding boxes intersect.

    The tested separating axes are the normal of the triangle and the cross products of its edges with the cube's axes.
    """
    about = corners - (cells + 0.5)[:, None]
    edges = np.roll(about, -1, axis=1) - about
    normal = np.cross(edges[:, 0], edges[:, 1])
    meets = np.abs(np.sum(normal * about[:, 0], axis=-1)) <= 0.5 * np.abs(normal).sum(axis=-1) + 1e-12
    for edge in range(3):
        for axis in range(3):
            one, other = (axis + 1) % 3, (axis + 2) % 3
            across, along = -edges[:, edge, other, None], edges[:, edge, one, None]
            reach = across * about[:, :, one] + along * about[:, :, other]
            half = 0.5 * (np.abs(across) + np.abs(along))[:, 0] + 1e-12
            meets &= (reach.min(axis=1) <= half) & (reach.max(axis=1) >= -half)
    return meets
