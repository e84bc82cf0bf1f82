"""Colliders: objects as cuboids, and how far points are from them."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .voxel_merging import merge_voxels
from .voxels import Triangles, voxelise

VOXELS_PER_LENGTH: Final = 28
"""About how many voxels an object is long."""
VOXEL_SIZE_RANGE_M: Final = (0.015, 0.08)
"""Metres, of the smallest and the largest voxels."""
VOXEL_BUDGET, VOXEL_BUDGET_MIN_SIZE_M = 60_000, 0.03
"""Voxels that fill the box about an object, at most, unless they would be smaller than this, metres."""
PROXIMITY_RANGE_M: Final = 0.18
"""Metres from a cuboid within which points find it."""
EPSILON_M: Final = 1e-6
"""Metres that are as good as none."""
COLLIDER_CACHE_SIZE: Final = 64
"""Colliders that a cache holds."""


@dataclass(frozen=True, eq=False)
class Collider:
    """Cuboids in an object's own space, its scale applied.

    Attributes:
        lower, upper: (C, 3) metres, their corners.
    """

    lower: Array
    upper: Array

    @staticmethod
    def from_mesh(vertices: Array, triangles: Triangles, voxel_size: float | None = None) -> "Collider":
        """Return the collider of a mesh (V, 3), (T, 3); raises :class:`FootfallError` where it has no faces or is too
        large.

        Args:
            size: of a voxel, metres; by the size of the object where not given.
        """
        vertices = np.asarray(vertices, dtype=float)
        if voxel_size is None:
            extents = np.ptp(vertices, axis=0) if len(vertices) else np.zeros(3)
            voxel_size = float(np.clip(extents.max() / VOXELS_PER_LENGTH, *VOXEL_SIZE_RANGE_M))
            if voxel_size == VOXEL_SIZE_RANGE_M[1]:
                # What is large and thin, as a wall with a door's hole in it, has few voxels for its size.
                voxel_size = float(
                    np.clip(np.cbrt(np.prod(extents) / VOXEL_BUDGET), VOXEL_BUDGET_MIN_SIZE_M, voxel_size)
                )
        voxels = voxelise(vertices, triangles, voxel_size)
        boxes = merge_voxels(voxels.solid) * voxels.size + voxels.origin
        return Collider(boxes[:, 0], boxes[:, 1])

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The corners (3) of the box about all cuboids."""
        return self.lower.min(axis=0), self.upper.max(axis=0)

    def rotate_quarter_turns(self, quarters: int) -> "Collider":
        """Return the same turned about the vertical by quarters of a whole turn, counter-clockwise; made once."""
        return self if quarters % 4 == 0 else self._rotated_colliders[quarters % 4 - 1]

    @cached_property
    def _rotated_colliders(self) -> "tuple[Collider, Collider, Collider]":
        return self._rotate(1), self._rotate(2), self._rotate(3)

    def _rotate(self, quarters: int) -> "Collider":
        lower, upper = self.lower, self.upper
        for _ in range(quarters):
            lower, upper = (
                np.column_stack([-upper[:, 1], lower[:, 0], lower[:, 2]]),
                np.column_stack([-lower[:, 1], upper[:, 0], upper[:, 2]]),
            )
        return Collider(lower, upper)

    def footprint(self, low: float, high: float) -> "Collider":
        """Return the outline of what is between two heights, to be asked at height 0: what is in somebody's way."""
        met = (self.upper[:, 2] > low) & (self.lower[:, 2] < high)
        lower, upper = self.lower[met].copy(), self.upper[met].copy()
        lower[:, 2], upper[:, 2] = -1.0, 1.0
        return Collider(lower, upper)

    def distances(self, points: Array) -> Array:
        """Distances (N) of points (N, 3) from the nearest cuboid, metres; 0 within one."""
        off = np.maximum(np.maximum(self.lower - points[:, None], points[:, None] - self.upper), 0.0)
        return np.sqrt(np.square(off).sum(axis=-1).min(axis=1, initial=np.inf))

    def nearest_points(self, points: Array) -> Array:
        """Return the nearest points (N, 3) of the collider to points (N, 3): themselves where they are within."""
        clipped = np.clip(points[:, None], self.lower, self.upper)
        best = np.square(clipped - points[:, None]).sum(axis=-1).argmin(axis=1)
        return clipped[np.arange(len(points)), best]

    def nearby_distances(self, points: Array) -> Array:
        """Distances (N) as :meth:`distances`, of what is within :data:`PROXIMITY_RANGE_M`; all else is infinitely far."""
        index = self._index
        cells = np.floor((points - index.origin) / PROXIMITY_RANGE_M).astype(np.intp)
        inside = ((cells >= 0) & (cells < index.counts)).all(axis=-1)
        result = np.full(len(points), np.inf)
        if not inside.any():
            return result
        numbers = cells[inside] @ index.strides
        result[inside] = index.distances(points[inside].astype(np.float32), numbers)
        return result

    def exit_vectors(self, points: Array, horizontal: bool = False) -> Array:
        """Return the shortest ways (N, 3) along an axis from points (N, 3) out of the cuboids, metres; 0 of those
        outside.

        Args:
            horizontal: neither up nor down.
        """
        result = np.zeros(np.shape(points))
        inside = np.flatnonzero(self.nearby_distances(points) < EPSILON_M)
        if not len(inside):
            return result
        within = np.asarray(points, dtype=float)[inside]
        exits = [
            self._exit_points(within, axis, sign) for axis in range(2 if horizontal else 3) for sign in (-1.0, 1.0)
        ]
        ways = np.stack(exits, axis=1) - within[:, None]
        shortest = np.abs(ways).sum(axis=-1).argmin(axis=1)
        result[inside] = ways[np.arange(len(inside)), shortest]
        return result

    def penetration_depths(self, points: Array) -> Array:
        """How deep points (N, 3) are within, by the shortest way out along an axis, metres; less than 0 is outside,
        and minus infinity farther outside than :data:`PROXIMITY_RANGE_M`.
        """
        inside = np.linalg.norm(self.exit_vectors(points), axis=-1)
        return np.where(inside > 0, inside, -self.nearby_distances(points))

    def exit_distances(self, points: Array, radii: Array, axis: int, sign: float) -> Array:
        """How far (N) spheres about points (N, 3) have to go along an axis to be out of the cuboids, metres; of
        cuboids that are as much larger as spheres are wide, with corners, so that it is a little too far at edges.
        """
        return np.abs(self._exit_points(points, axis, sign, radii) - points)[:, axis]

    def _exit_points(self, points: Array, axis: int, sign: float, radii: Array | float = 0.0) -> Array:
        """Where points (N, 3), or spheres about them, come out of the cuboids along an axis."""
        here, going = points.copy(), np.arange(len(points))
        room = np.broadcast_to(np.asarray(radii), len(points))[:, None]
        while len(going):
            probe = here[going]
            probe[:, axis] += sign * EPSILON_M
            off = np.maximum(self.lower - probe[:, None], probe[:, None] - self.upper).max(axis=-1)
            within = off <= room[going]
            ends = self.upper[:, axis] if sign > 0 else -self.lower[:, axis]
            going, within = going[within.any(axis=1)], within[within.any(axis=1)]
            here[going, axis] = sign * (np.where(within, ends, -np.inf).max(axis=1, initial=-np.inf) + room[going, 0])
        return here

    @cached_property
    def _index(self) -> "_CuboidGrid":
        return _CuboidGrid.from_bounds(self.lower, self.upper)


@dataclass(frozen=True, eq=False)
class _CuboidGrid:
    """Which cuboids are within :data:`PROXIMITY_RANGE_M` of each cell of a grid.

    Attributes:
        origin: (3) metres; cells are :data:`PROXIMITY_RANGE_M` wide.
        counts, strides: (3) cells, and what a step along each axis adds to a cell's number.
        starts, sizes: by the cell's number, where in ``cuboids`` its own begin, and how many there are.
        cuboids: numbers of cuboids, cell after cell.
        middles, halves: (3, C) metres, of the cuboids.
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
        """Distances (N) of points (N, 3) in cells (N) by number; infinite beyond :data:`PROXIMITY_RANGE_M`."""
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
        cells, cuboids = np.concatenate(reached), np.repeat(np.arange(len(lower)), [len(one) for one in reached])
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
    """Colliders of meshes that were seen before: the same shape is not cut into voxels twice."""

    _colliders: OrderedDict[bytes, Collider] = field(default_factory=OrderedDict)

    def from_mesh(self, vertices: Array, triangles: Triangles, voxel_size: float | None = None) -> Collider:
        """See :meth:`Collider.of_mesh`."""
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
