"""Shapes placed in the world at one moment, and vertical rays through all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ....core.motion.rotations import Array
from .shapes import Shape

SURFACE_TOLERANCE_M: Final = 1e-4
"""Height by which a surface may be above a point and still count as below it, meters; Blender's meshes have single
precision."""
RAY_OFFSET_M: Final = np.array([3.1e-5, 4.7e-5, SURFACE_TOLERANCE_M])
"""Lateral distance from a point to the start of its ray, meters. Rays exactly along an edge slip between two adjacent
boxes, and edges are modeled at round numbers."""
POINTS_PER_CHUNK: Final = 2048
"""Number of points compared with all boxes together."""
MAX_SINGLE_RAY_PLACEMENTS: Final = 8
"""Largest number of placements for a single ray with a loop of its own."""
BOX_MARGIN_M: Final = 1e-3
"""Margin of boxes around their contents, meters."""
BOX_CORNERS: Final = np.array(np.meshgrid((0, 1), (0, 1), (0, 1))).reshape(3, -1).T


@dataclass(frozen=True, slots=True, eq=False)
class RayHits:
    """First hits of vertical rays from P points.

    Attributes:
        heights: (P) heights, world, meters; without a hit, infinite in the direction of the ray.
        placement_indices: (P) index of the hit placement; -1 without a hit.
        normals: (P, 3) unit normals of the surface, world, pointing up; straight up without a hit, and everywhere if
            normals are not requested.
    """

    heights: Array
    placement_indices: NDArray[np.intp]
    normals: Array


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """N shapes in the world.

    Attributes:
        shapes: the placed shapes; one shape may have many placements.
        matrices: (N, 4, 4) matrices from a shape's space to the world.
        inverses: (N, 4, 4) inverse matrices.
        low, high: (N, 3) corners of the bounding boxes, in the world.
    """

    shapes: tuple[Shape, ...]
    matrices: Array
    inverses: Array
    low: Array
    high: Array

    @staticmethod
    def of(shapes: Sequence[Shape], matrices: Array) -> "Placements":
        """Return shapes (N) placed by invertible matrices (N, 4, 4): see :func:`is_invertible`."""
        matrices = np.asarray(matrices, dtype=float).reshape(-1, 4, 4)
        extents = np.array([(shape.low, shape.high) for shape in shapes]).reshape(-1, 2, 3)
        corners = np.where(BOX_CORNERS[None], extents[:, 1:], extents[:, :1])
        world = corners @ matrices[:, :3, :3].swapaxes(1, 2) + matrices[:, None, :3, 3]
        low, high = world.min(axis=1) - BOX_MARGIN_M, world.max(axis=1) + BOX_MARGIN_M
        return Placements(tuple(shapes), matrices, np.linalg.inv(matrices), low, high)

    def __len__(self) -> int:
        return len(self.shapes)

    def cast(self, points: Array, up: bool = False, normals: bool = False) -> RayHits:
        """Return the first hits of rays from points (P, 3) straight down or up, with normals if requested.

        A surface at exactly the height of a point counts as below it.
        """
        nothing = np.inf if up else -np.inf
        hits = RayHits(
            np.full(len(points), nothing), np.full(len(points), -1), np.tile([0.0, 0.0, 1.0], (len(points), 1))
        )
        if not len(self):
            return hits
        origins = points + RAY_OFFSET_M
        if len(points) == 1 and len(self) <= MAX_SINGLE_RAY_PLACEMENTS:
            self._cast_one(origins[0].tolist(), up, normals, hits)
            return hits
        for start in range(0, len(points), POINTS_PER_CHUNK):
            rows = slice(start, start + POINTS_PER_CHUNK)
            part = RayHits(hits.heights[rows], hits.placement_indices[rows], hits.normals[rows])
            for placement, inside in self._candidates(origins[rows], up):
                self._cast_at(placement, origins[rows], inside, up, normals, part)
        return hits

    def blocked(self, starts: Array, ends: Array) -> NDArray[np.bool_]:
        """Return a mask (P) that is true if a surface lies between a point of ``starts`` and one of ``ends`` (P, 3)."""
        result = np.zeros(len(starts), dtype=bool)
        low, high = np.minimum(starts, ends), np.maximum(starts, ends)
        about = np.ones(len(self), dtype=bool)
        if len(starts):
            about = ((self.low <= high.max(axis=0)) & (low.min(axis=0) <= self.high)).all(axis=1)
        for placement in np.flatnonzero(about):
            near = ((self.low[placement] <= high) & (low <= self.high[placement])).all(axis=1)
            rows = np.flatnonzero(near & ~result)
            inverse, cast = self.inverses[placement], self.shapes[placement].tree.ray_cast
            origins = starts[rows] @ inverse[:3, :3].T + inverse[:3, 3]
            ways = (ends[rows] - starts[rows]) @ inverse[:3, :3].T
            lengths = np.linalg.norm(ways, axis=1)
            rays = zip(origins.tolist(), ways.tolist(), lengths.tolist(), strict=True)
            result[rows] = [length > 0 and cast(*ray, length)[0] is not None for *ray, length in rays]
        return result

    def _candidates(self, points: Array, up: bool) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Yield the placements whose boxes are hit by rays from points (P, 3), nearest first, with those rays."""
        low, high = points.min(axis=0), points.max(axis=0)
        about = (self.low[:, :2] <= high[:2]).all(axis=1) & (self.high[:, :2] >= low[:2]).all(axis=1)
        about &= self.high[:, 2] >= low[2] if up else self.low[:, 2] <= high[2]
        placements = np.flatnonzero(about)
        if not len(placements):
            return
        placements = placements[np.argsort(self.low[placements, 2] if up else -self.high[placements, 2])]
        flat = points[:, None, :2]
        inside = ((self.low[placements, :2] <= flat) & (flat <= self.high[placements, :2])).all(axis=2)
        beyond = points[:, None, 2]
        inside &= self.high[placements, 2] >= beyond if up else self.low[placements, 2] <= beyond
        for column in np.flatnonzero(inside.any(axis=0)):
            yield int(placements[column]), np.flatnonzero(inside[:, column])

    def _cast_one(self, origin: Sequence[float], up: bool, normals: bool, hits: RayHits) -> None:
        """Cast a single ray at a few placements in a loop, which is faster than with arrays."""
        x, y, z = origin
        best, sign = float(hits.heights[0]), 1.0 if up else -1.0
        for placement, (low, high) in enumerate(zip(self.low.tolist(), self.high.tolist(), strict=True)):
            edge = low[2] if up else high[2]
            if not (low[0] <= x <= high[0] and low[1] <= y <= high[1] and sign * z <= sign * (low, high)[up][2]):
                continue
            if sign * edge >= sign * best:
                continue
            start = edge if sign * z < sign * edge else z
            inverse = self.inverses[placement]
            along = sign * inverse[:3, 2]
            place = inverse[:3] @ (x, y, start, 1.0)
            hit = self.shapes[placement].tree.ray_cast(place.tolist(), along.tolist())
            if hit[3] is None:
                continue
            height = start + sign * hit[3] / float(np.sqrt(along @ along))
            if sign * height < sign * best:
                best = height
                hits.heights[0], hits.placement_indices[0] = best, placement
                if normals:
                    hits.normals[:] = _unit_upward(np.array([hit[1].to_tuple()]) @ inverse[:3, :3])

    def _cast_at(
        self, placement: int, points: Array, inside: NDArray[np.intp], up: bool, normals: bool, hits: RayHits
    ) -> None:
        """Cast some rays at a placement, and replace their hits with nearer ones."""
        edge, sign = (self.low[placement, 2], 1.0) if up else (self.high[placement, 2], -1.0)
        inside = inside[sign * edge < sign * hits.heights[inside]]  # others have a nearer hit
        if not len(inside):
            return
        starts = points[inside]
        # From the start of the box, so that rays from far away, or from infinity, are as exact as others.
        starts[:, 2] = sign * np.maximum(sign * starts[:, 2], sign * edge)
        inverse = self.inverses[placement]
        along = sign * inverse[:3, 2]
        meter = float(np.linalg.norm(along))
        direction, cast = Vector(along), self.shapes[placement].tree.ray_cast
        origins = zip(*(starts @ inverse[:3, :3].T + inverse[:3, 3]).T.tolist(), strict=True)
        rays = (cast(origin, direction) for origin in origins)
        found = list(rays) if normals else []  # thousands of kept tuples would start a garbage collection
        distances = np.array([hit[3] for hit in found or rays], dtype=float) / meter  # a miss has NaN
        heights = starts[:, 2] + sign * distances
        nearer = sign * heights < sign * hits.heights[inside]
        rows = inside[nearer]
        hits.heights[rows], hits.placement_indices[rows] = heights[nearer], placement
        if normals:
            kept = [hit[1].to_tuple() for hit, near in zip(found, nearer.tolist(), strict=True) if near]
            hits.normals[rows] = _unit_upward(np.array(kept).reshape(-1, 3) @ inverse[:3, :3])


def is_invertible(matrix: Array) -> bool:
    """Return whether a matrix (4, 4) is invertible, as needed to transform rays."""
    scales = np.linalg.norm(matrix[:3, :3], axis=0)
    return bool(np.isfinite(matrix).all() and abs(np.linalg.det(matrix[:3, :3])) > 1e-9 * max(scales.max(), 1e-9) ** 3)


def _unit_upward(normals: Array) -> Array:
    """Scale normals (P, 3) to unit length, and flip them where needed so that they point up."""
    lengths = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return np.where(normals[:, 2:] < 0, -normals, normals) / lengths
