"""Colliders: objects as cuboids, and how far points are from them."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .voxel_merging import merge
from .voxels import Triangles, voxelise

VOXELS: Final = 28
"""About how many voxels an object is long."""
SIZES: Final = (0.015, 0.08)
"""Metres, of the smallest and the largest voxels."""
MANY, LARGE = 60_000, 0.03
"""Voxels that fill the box about an object, at most, unless they would be smaller than this, metres."""
REACH: Final = 0.18
"""Metres from a cuboid within which points find it."""
NOTHING: Final = 1e-6
"""Metres that are as good as none."""
KEPT: Final = 64
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
    def of_mesh(vertices: Array, triangles: Triangles, size: float | None = None) -> "Collider":
        """The collider of a mesh (V, 3), (T, 3); raises :class:`FootfallError` where it has no faces or is too large.

        Args:
            size: of a voxel, metres; by the size of the object where not given.
        """
        vertices = np.asarray(vertices, dtype=float)
        if size is None:
            extents = np.ptp(vertices, axis=0) if len(vertices) else np.zeros(3)
            size = float(np.clip(extents.max() / VOXELS, *SIZES))
            if size == SIZES[1]:
                # What is large and thin, as a wall with a door's hole in it, has few voxels for its size.
                size = float(np.clip(np.cbrt(np.prod(extents) / MANY), LARGE, size))
        voxels = voxelise(vertices, triangles, size)
        boxes = merge(voxels.solid) * voxels.size + voxels.origin
        return Collider(boxes[:, 0], boxes[:, 1])

    @property
    def box(self) -> tuple[Array, Array]:
        """The corners (3) of the box about all cuboids."""
        return self.lower.min(axis=0), self.upper.max(axis=0)

    def quarter_turned(self, quarters: int) -> "Collider":
        """The same turned about the vertical by quarters of a whole turn, counter-clockwise; made once."""
        return self if quarters % 4 == 0 else self._turned[quarters % 4 - 1]

    @cached_property
    def _turned(self) -> "tuple[Collider, Collider, Collider]":
        return self._quarter(1), self._quarter(2), self._quarter(3)

    def _quarter(self, quarters: int) -> "Collider":
        lower, upper = self.lower, self.upper
        for _ in range(quarters):
            lower, upper = (
                np.column_stack([-upper[:, 1], lower[:, 0], lower[:, 2]]),
                np.column_stack([-lower[:, 1], upper[:, 0], upper[:, 2]]),
            )
        return Collider(lower, upper)

    def flattened(self, low: float, high: float) -> "Collider":
        """The outline of what is between two heights, to be asked at height 0: what is in somebody's way."""
        met = (self.upper[:, 2] > low) & (self.lower[:, 2] < high)
        lower, upper = self.lower[met].copy(), self.upper[met].copy()
        lower[:, 2], upper[:, 2] = -1.0, 1.0
        return Collider(lower, upper)

    def distances(self, points: Array) -> Array:
        """Distances (N) of points (N, 3) from the nearest cuboid, metres; 0 within one."""
        off = np.maximum(np.maximum(self.lower - points[:, None], points[:, None] - self.upper), 0.0)
        return np.sqrt(np.square(off).sum(axis=-1).min(axis=1, initial=np.inf))

    def nearest(self, points: Array) -> Array:
        """The nearest points (N, 3) of the collider to points (N, 3): themselves where they are within."""
        clipped = np.clip(points[:, None], self.lower, self.upper)
        best = np.square(clipped - points[:, None]).sum(axis=-1).argmin(axis=1)
        return clipped[np.arange(len(points)), best]

    def near(self, points: Array) -> Array:
        """Distances (N) as :meth:`distances`, of what is within :data:`REACH`; all else is infinitely far."""
        index = self._index
        cells = np.floor((points - index.origin) / REACH).astype(np.intp)
        inside = ((cells >= 0) & (cells < index.counts)).all(axis=-1)
        result = np.full(len(points), np.inf)
        if not inside.any():
            return result
        numbers = cells[inside] @ index.strides
        result[inside] = index.distances(points[inside].astype(np.float32), numbers)
        return result

    def ways_out(self, points: Array, level: bool = False) -> Array:
        """The shortest ways (N, 3) along an axis from points (N, 3) out of the cuboids, metres; 0 of those outside.

        Args:
            level: neither up nor down.
        """
        result = np.zeros(np.shape(points))
        inside = np.flatnonzero(self.near(points) < NOTHING)
        if not len(inside):
            return result
        within = np.asarray(points, dtype=float)[inside]
        exits = [self._exit(within, axis, sign) for axis in range(2 if level else 3) for sign in (-1.0, 1.0)]
        ways = np.stack(exits, axis=1) - within[:, None]
        shortest = np.abs(ways).sum(axis=-1).argmin(axis=1)
        result[inside] = ways[np.arange(len(inside)), shortest]
        return result

    def depths(self, points: Array) -> Array:
        """How deep points (N, 3) are within, by the shortest way out along an axis, metres; less than 0 is outside,
        and minus infinity farther outside than :data:`REACH`.
        """
        inside = np.linalg.norm(self.ways_out(points), axis=-1)
        return np.where(inside > 0, inside, -self.near(points))

    def far_out(self, points: Array, radii: Array, axis: int, sign: float) -> Array:
        """How far (N) spheres about points (N, 3) have to go along an axis to be out of the cuboids, metres; of
        cuboids that are as much larger as spheres are wide, with corners, so that it is a little too far at edges.
        """
        return np.abs(self._exit(points, axis, sign, radii) - points)[:, axis]

    def _exit(self, points: Array, axis: int, sign: float, radii: Array | float = 0.0) -> Array:
        """Where points (N, 3), or spheres about them, come out of the cuboids along an axis."""
        here, going = points.copy(), np.arange(len(points))
        room = np.broadcast_to(np.asarray(radii), len(points))[:, None]
        while len(going):
            probe = here[going]
            probe[:, axis] += sign * NOTHING
            off = np.maximum(self.lower - probe[:, None], probe[:, None] - self.upper).max(axis=-1)
            within = off <= room[going]
            ends = self.upper[:, axis] if sign > 0 else -self.lower[:, axis]
            going, within = going[within.any(axis=1)], within[within.any(axis=1)]
            here[going, axis] = sign * (np.where(within, ends, -np.inf).max(axis=1, initial=-np.inf) + room[going, 0])
        return here

    @cached_property
    def _index(self) -> "_Index":
        return _Index.of(self.lower, self.upper)


@dataclass(frozen=True, eq=False)
class _Index:
    """Which cuboids are within :data:`REACH` of each cell of a grid.

    Attributes:
        origin: (3) metres; cells are :data:`REACH` wide.
        counts, strides: (3) cells, and what a step along each axis adds to a cell's number.
        starts, sizes: by the cell's number, where in ``cuboids`` its own begin, and how many there are.
        cuboids: numbers of cuboids, cell after cell.
        middles, halves: (3, C) metres, of the cuboids.
    """

    origin: Array
    counts: NDArray[np.intp]
    strides: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    cuboids: NDArray[np.intp]
    middles: NDArray[np.float32]
    halves: NDArray[np.float32]

    def distances(self, points: NDArray[np.float32], cells: NDArray[np.intp]) -> Array:
        """Distances (N) of points (N, 3) in cells (N) by number; infinite beyond :data:`REACH`."""
        counts = self.sizes[cells]
        firsts = np.cumsum(counts) - counts
        cuboids = self.cuboids[np.repeat(self.starts[cells] - firsts, counts) + np.arange(counts.sum())]
        square = np.zeros(len(cuboids), dtype=np.float32)
        for axis in range(3):
            off = np.repeat(points[:, axis], counts) - self.middles[axis, cuboids]
            np.abs(off, out=off)
            off -= self.halves[axis, cuboids]
            np.maximum(off, 0, out=off)
            square += off * off
        result, some = np.full(len(points), np.inf), counts > 0
        if some.any():
            result[some] = np.sqrt(np.minimum.reduceat(square, firsts[some]))
        result[result > REACH] = np.inf
        return result

    @staticmethod
    def of(lower: Array, upper: Array) -> "_Index":
        origin = lower.min(axis=0) - REACH
        counts = np.floor((upper.max(axis=0) + REACH - origin) / REACH).astype(np.intp) + 1
        first = np.maximum(np.floor((lower - REACH - origin) / REACH).astype(np.intp), 0)
        last = np.minimum(np.floor((upper + REACH - origin) / REACH).astype(np.intp) + 1, counts)
        numbers = np.arange(int(counts.prod())).reshape(counts)
        reached = [
            numbers[low[0] : high[0], low[1] : high[1], low[2] : high[2]].ravel()
            for low, high in zip(first, last, strict=True)
        ]
        cells, cuboids = np.concatenate(reached), np.repeat(np.arange(len(lower)), [len(one) for one in reached])
        order = np.argsort(cells, kind="stable")
        sizes = np.bincount(cells, minlength=numbers.size)
        middles, halves = ((upper + lower) / 2, (upper - lower) / 2)
        return _Index(
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

    _kept: OrderedDict[bytes, Collider] = field(default_factory=OrderedDict)

    def of_mesh(self, vertices: Array, triangles: Triangles, size: float | None = None) -> Collider:
        """See :meth:`Collider.of_mesh`."""
        digest = hashlib.sha256(repr((np.shape(vertices), size)).encode())
        digest.update(np.asarray(vertices, dtype=np.float64).tobytes())
        digest.update(np.asarray(triangles, dtype=np.int64).tobytes())
        key = digest.digest()
        if key not in self._kept:
            self._kept[key] = Collider.of_mesh(vertices, triangles, size)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
