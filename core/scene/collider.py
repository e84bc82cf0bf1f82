"""Colliders: objects as cuboids, and the distances of points from them."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array, length
from .voxel_merging import merge_voxels
from .voxels import Triangles, voxelise

VOXELS_PER_LENGTH: Final = 28
"""Number of voxels along the longest side of an object, from which the voxel size follows."""
VOXEL_SIZE_RANGE_M: Final = (0.015, 0.08)
"""Sizes of the smallest and the largest voxels."""
VOXEL_BUDGET, VOXEL_BUDGET_MIN_SIZE_M = 60_000, 0.03
"""Number of voxels in the bounding box of a large object, and voxel size below which this budget does not apply."""
PROXIMITY_RANGE_M: Final = 0.18
"""Distance from a cuboid up to which the proximity grid finds the cuboid."""
EPSILON_M: Final = 1e-6
"""Distance that counts as zero."""
FOOTPRINT_CACHE_SIZE: Final = 64
"""Number of outlines of colliders that are kept."""
COLLIDER_CACHE_SIZE: Final = 64
"""Number of colliders that a :class:`ColliderCache` keeps."""


@dataclass(frozen=True, eq=False)
class Collider:
    """Cuboids in an object's own space, with the scale applied.

    Attributes:
        lower: (C, 3) lower corners, meters.
        upper: (C, 3) upper corners, meters.
    """

    lower: Array
    upper: Array

    @staticmethod
    def from_mesh(vertices: Array, triangles: Triangles, voxel_size: float | None = None) -> "Collider":
        """Create the collider of a mesh.

        Args:
            vertices: (V, 3) vertices, meters.
            triangles: (T, 3) indices of vertices.
            voxel_size: edge length of a voxel, meters; derived from the size of the object by default.

        Raises:
            FootfallError: the mesh has no faces, or is too large.
        """
        vertices = np.asarray(vertices, dtype=float)
        if voxel_size is None:
            extents = np.ptp(vertices, axis=0) if len(vertices) else np.zeros(3)
            voxel_size = float(np.clip(extents.max() / VOXELS_PER_LENGTH, *VOXEL_SIZE_RANGE_M))
            if voxel_size == VOXEL_SIZE_RANGE_M[1]:
                # A large thin object, such as a wall with a doorway, has few voxels relative to its size.
                voxel_size = float(
                    np.clip(np.cbrt(np.prod(extents) / VOXEL_BUDGET), VOXEL_BUDGET_MIN_SIZE_M, voxel_size)
                )
        voxels = voxelise(vertices, triangles, voxel_size)
        boxes = merge_voxels(voxels.solid) * voxels.size + voxels.origin
        return Collider(boxes[:, 0], boxes[:, 1])

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper corner (3) of the bounding box of all cuboids, meters."""
        return self.lower.min(axis=0), self.upper.max(axis=0)

    def rotate_quarter_turns(self, quarters: int) -> "Collider":
        """Return the collider rotated counter-clockwise about the vertical by quarter turns; results are cached."""
        return self if quarters % 4 == 0 else self._rotated_colliders[quarters % 4 - 1]

    @cached_property
    def _rotated_colliders(self) -> "tuple[Collider, Collider, Collider]":
        """Colliders rotated by one, two and three quarter turns."""
        return self._rotate(1), self._rotate(2), self._rotate(3)

    def _rotate(self, quarters: int) -> "Collider":
        """Return the collider rotated counter-clockwise by quarter turns; not cached."""
        lower, upper = self.lower, self.upper
        for _ in range(quarters):
            lower, upper = (
                np.column_stack([-upper[:, 1], lower[:, 0], lower[:, 2]]),
                np.column_stack([-lower[:, 1], upper[:, 0], upper[:, 2]]),
            )
        return Collider(lower, upper)

    @cached_property
    def horizontal_reach(self) -> float:
        """Largest horizontal distance of a cuboid's corner from the vertical through the origin, meters."""
        farthest = np.maximum(np.abs(self.lower[:, :2]), np.abs(self.upper[:, :2]))
        return float(length(farthest).max(initial=0.0)) + EPSILON_M

    @lru_cache(maxsize=FOOTPRINT_CACHE_SIZE)  # noqa: B019
    def footprint(self, low: float, high: float) -> "Collider":
        """Return the cached outline from above of the part between two heights, meters: cuboids from z = -1 to 1."""
        met = (self.upper[:, 2] > low) & (self.lower[:, 2] < high)
        lower, upper = self.lower[met].copy(), self.upper[met].copy()
        lower[:, 2], upper[:, 2] = -1.0, 1.0
        return Collider(lower, upper)

    def distances(self, points: Array) -> Array:
        """Return the distances (N) of points (N, 3) from the nearest cuboid, meters; 0 inside.

        Distance of a point from an axis-aligned box, Ericson 2005, section 5.1.3.
        """
        off = np.maximum(np.maximum(self.lower - points[:, None], points[:, None] - self.upper), 0.0)
        return np.sqrt(np.square(off).sum(axis=-1).min(axis=1, initial=np.inf))

    def nearest_points(self, points: Array) -> Array:
        """Return the points (N, 3) of the collider nearest to given points (N, 3), object space, meters.

        A point inside is its own nearest point.
        """
        clipped = np.clip(points[:, None], self.lower, self.upper)
        best = np.square(clipped - points[:, None]).sum(axis=-1).argmin(axis=1)
        return clipped[np.arange(len(points)), best]

    def nearby_distances(self, points: Array) -> Array:
        """Return the distances (N), m, of points (N, 3) from the nearest cuboid; 0 inside, infinite beyond 0.18 m."""
        index = self._index
        cells = np.floor((points - index.origin) / PROXIMITY_RANGE_M).astype(np.intp)
        # Column by column, since reductions over an axis of length three would dominate the time.
        inside = (cells[:, 0] >= 0) & (cells[:, 0] < index.counts[0])
        for axis in (1, 2):
            inside &= (cells[:, axis] >= 0) & (cells[:, axis] < index.counts[axis])
        result = np.full(len(points), np.inf)
        if not inside.any():
            return result
        numbers = cells[inside] @ index.strides
        result[inside] = index.distances(points[inside].astype(np.float32), numbers)
        return result

    def exit_vectors(self, points: Array, horizontal: bool = False) -> Array:
        """Return the shortest displacements (N, 3), meters, along an axis that move points out of the cuboids.

        They are 0 for points outside.

        Args:
            points: (N, 3) points in object space, meters.
            horizontal: whether to exclude displacements along the vertical axis.
        """
        return self._exits_of(points, self.nearby_distances(points), horizontal)

    def _exits_of(self, points: Array, distances: Array, horizontal: bool = False) -> Array:
        """Return :meth:`exit_vectors` of points (N, 3) with known nearby distances (N)."""
        result = np.zeros(np.shape(points))
        inside = np.flatnonzero(distances < EPSILON_M)
        if not len(inside):
            return result
        within = np.asarray(points, dtype=float)[inside]
        exits = [
            self._exit_points(within, axis, sign) for axis in range(2 if horizontal else 3) for sign in (-1.0, 1.0)
        ]
        displacements = np.stack(exits, axis=1) - within[:, None]
        shortest = np.abs(displacements).sum(axis=-1).argmin(axis=1)
        result[inside] = displacements[np.arange(len(inside)), shortest]
        return result

    def penetration_depths(self, points: Array) -> Array:
        """Return the depths (N), m, of points (N, 3) in the collider: the length of the shortest exit along an axis.

        Outside it is minus the distance, and minus infinity beyond 0.18 m.
        """
        distances = self.nearby_distances(points)
        inside = length(self._exits_of(points, distances))
        return np.where(inside > 0, inside, -distances)

    def exit_distances(self, points: Array, radii: Array, axis: int, sign: float) -> Array:
        """Return the distances (N), meters, by which spheres must move along an axis to leave the cuboids.

        The cuboids are enlarged by the radii but keep sharp corners, so that the distance is slightly too large at
        edges.

        Args:
            points: (N, 3) centers in object space, meters.
            radii: (N) radii, meters.
            axis: index of the axis: 0, 1 or 2.
            sign: direction along the axis, 1 or -1.
        """
        return np.abs(self._exit_points(points, axis, sign, radii) - points)[:, axis]

    def _exit_points(self, points: Array, axis: int, sign: float, radii: Array | float = 0.0) -> Array:
        """Return where points (N, 3), or spheres around them, leave the cuboids when they are moved along an axis."""
        here, inside = points.copy(), np.arange(len(points))
        room = np.broadcast_to(np.asarray(radii), len(points))[:, None]
        while len(inside):
            probe = here[inside]
            probe[:, axis] += sign * EPSILON_M
            within = self._reaches(probe, room[inside])
            ends = self.upper[:, axis] if sign > 0 else -self.lower[:, axis]
            some = within.any(axis=1)
            inside, within = inside[some], within[some]
            here[inside, axis] = sign * (np.where(within, ends, -np.inf).max(axis=1, initial=-np.inf) + room[inside, 0])
        return here

    def _reaches(self, points: Array, room: Array) -> NDArray[np.bool_]:
        """Return whether (N, C) each point (N, 3) is in each cuboid enlarged by room (N, 1), meters."""
        within = np.ones((len(points), len(self.lower)), dtype=bool)
        for axis in range(3):
            place = points[:, axis, None]
            within &= (self.lower[:, axis] - place <= room) & (place - self.upper[:, axis] <= room)
        return within

    @cached_property
    def _index(self) -> "_CuboidGrid":
        """The grid of the cuboids, created on first use."""
        return _CuboidGrid.from_bounds(self.lower, self.upper)


@dataclass(frozen=True, eq=False)
class _CuboidGrid:
    """Cuboids within :data:`PROXIMITY_RANGE_M` of each cell of a uniform grid (Ericson 2005, chapter 7).

    Attributes:
        origin: (3) origin, meters; cells are :data:`PROXIMITY_RANGE_M` wide.
        counts: (3) number of cells along each axis.
        strides: (3) difference of cell indices for a step along each axis.
        cell_starts: (cells) start of each cell's entries in ``cuboids``.
        cell_sizes: (cells) number of each cell's entries.
        cuboids: indices of cuboids, cell after cell.
        centres: (3, C) centers of the cuboids, meters.
        half_extents: (3, C) half sizes of the cuboids, meters.
    """

    origin: Array
    counts: NDArray[np.intp]
    strides: NDArray[np.intp]
    cell_starts: NDArray[np.intp]
    cell_sizes: NDArray[np.intp]
    cuboids: NDArray[np.intp]
    centres: NDArray[np.float32]
    half_extents: NDArray[np.float32]

    def distances(self, points: NDArray[np.float32], cells: NDArray[np.intp]) -> Array:
        """Return the distances (N) of points (N, 3) that are in cells (N).

        They are infinite beyond :data:`PROXIMITY_RANGE_M`.
        """
        counts = self.cell_sizes[cells]
        firsts = np.cumsum(counts) - counts
        cuboids = self.cuboids[np.repeat(self.cell_starts[cells] - firsts, counts) + np.arange(counts.sum())]
        square = np.zeros(len(cuboids), dtype=np.float32)
        for axis in range(3):
            off = np.repeat(points[:, axis], counts) - self.centres[axis, cuboids]
            np.abs(off, out=off)
            off -= self.half_extents[axis, cuboids]
            np.maximum(off, 0, out=off)
            square += off * off
        result, some = np.full(len(points), np.inf), counts > 0
        if some.any():
            result[some] = np.sqrt(np.minimum.reduceat(square, firsts[some]))
        result[result > PROXIMITY_RANGE_M] = np.inf
        return result

    @staticmethod
    def from_bounds(lower: Array, upper: Array) -> "_CuboidGrid":
        """Create the grid of cuboids given by their corners (C, 3)."""
        origin = lower.min(axis=0) - PROXIMITY_RANGE_M
        counts = np.floor((upper.max(axis=0) + PROXIMITY_RANGE_M - origin) / PROXIMITY_RANGE_M).astype(np.intp) + 1
        first = np.maximum(np.floor((lower - PROXIMITY_RANGE_M - origin) / PROXIMITY_RANGE_M).astype(np.intp), 0)
        last = np.minimum(
            np.floor((upper + PROXIMITY_RANGE_M - origin) / PROXIMITY_RANGE_M).astype(np.intp) + 1, counts
        )
        numbers = np.arange(int(counts.prod())).reshape(counts)
        reached = [
            numbers[low[0] : high[0], low[1] : high[1], low[2] : high[2]].ravel()
            for low, high in zip(first, last, strict=True)
        ]
        cells, cuboids = (
            np.concatenate(reached),
            np.repeat(np.arange(len(lower)), [len(numbers) for numbers in reached]),
        )
        order = np.argsort(cells, kind="stable")
        sizes = np.bincount(cells, minlength=numbers.size)
        middles, halves = ((upper + lower) / 2, (upper - lower) / 2)
        return _CuboidGrid(
            origin,
            counts,
            np.array([counts[1] * counts[2], counts[2], 1]),
            np.cumsum(sizes) - sizes,
            sizes,
            cuboids[order],
            middles.T.astype(np.float32),
            halves.T.astype(np.float32),
        )


@dataclass(eq=False)
class ColliderCache:
    """Cache of the colliders of meshes, so that each shape is voxelized only once."""

    _colliders: OrderedDict[bytes, Collider] = field(default_factory=OrderedDict)

    def from_mesh(self, vertices: Array, triangles: Triangles, voxel_size: float | None = None) -> Collider:
        """Return the collider of a mesh, from the cache if it has been made before.

        Args:
            vertices: (V, 3) vertices, meters.
            triangles: (T, 3) indices of vertices.
            voxel_size: edge length of a voxel, meters; derived from the size of the object by default.

        Raises:
            FootfallError: the mesh has no faces, or is too large.
        """
        digest = hashlib.sha256(repr((np.shape(vertices), voxel_size)).encode())
        digest.update(np.asarray(vertices, dtype=np.float64).tobytes())
        digest.update(np.asarray(triangles, dtype=np.int64).tobytes())
        key = digest.digest()
        if key not in self._colliders:
            self._colliders[key] = Collider.from_mesh(vertices, triangles, voxel_size)
            while len(self._colliders) > COLLIDER_CACHE_SIZE:
                self._colliders.popitem(last=False)
        self._colliders.move_to_end(key)
        return self._colliders[key]
