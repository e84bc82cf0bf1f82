"""The surface of an object's mesh, exact to the triangle, where a collider is only exact to a voxel."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from ..motion.rotations import Array, rotate, rotation_about_up
from .affordances import Grips
from .voxels import Triangles

RAY_START_HEIGHT_M: Final = 0.1
"""Height above a point on a collider's top at which the downward search for the surface starts."""
MAX_GRIP_SHIFT_M: Final = 0.08
"""Largest distance between a grip on a collider and the surface of its mesh."""
SURFACE_CACHE_SIZE: Final = 64
"""Number of rotated surfaces that are cached."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshSurface:
    """The triangles of a mesh in object space.

    Attributes:
        vertices: (V, 3) vertices, meters.
        triangles: (T, 3) indices of vertices.
    """

    vertices: Array
    triangles: Triangles

    def rotate_quarter_turns(self, quarters: int) -> "MeshSurface":
        """Return the surface rotated about the vertical by quarter turns, counter-clockwise from above."""
        return _rotated(self, quarters % 4)

    def snap_grips(self, grips: Grips) -> Grips:
        """Return grips moved onto this surface along the line between the hands, by 8 cm at most."""
        across = grips.hands[1] - grips.hands[0]
        width = float(np.linalg.norm(across))
        if width < 1e-6:
            return grips
        hands = grips.hands.copy()
        for hand, direction in ((0, across / width), (1, -across / width)):
            start = hands[hand] - MAX_GRIP_SHIFT_M * direction
            shift = self.first_hit(start, direction) - MAX_GRIP_SHIFT_M
            if abs(shift) <= MAX_GRIP_SHIFT_M:
                hands[hand] = hands[hand] + shift * direction
        return replace(grips, hands=hands)

    def height_below(self, point: Array) -> float:
        """Return the height, meters, of the surface at a point (3) on top of the collider, object space.

        Without a surface near the point, it is the height of the point.
        """
        start = point + np.array([0.0, 0.0, RAY_START_HEIGHT_M])
        distance = self.first_hit(start, np.array([0.0, 0.0, -1.0]))
        return float(start[2] - distance) if np.isfinite(distance) else float(point[2])

    def first_hit(self, origin: Array, direction: Array) -> float:
        """Return the distance, meters, of :meth:`first_hits` along one ray from a point (3)."""
        return float(self.first_hits(origin[None], direction)[0])

    def first_hits(self, origins: Array, direction: Array) -> Array:
        """Return the distances (N) along rays to their first triangles, meters; infinite without a hit.

        Args:
            origins: (N, 3) starts of the rays, object space, meters.
            direction: (3) unit vector, object space.

        The test is that of Moller and Trumbore 1997.
        """
        corners = self.vertices[self.triangles]
        first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        normal = np.cross(direction, second)
        scale = np.sum(first * normal, axis=-1)
        level = np.abs(scale) > 1e-12
        inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=level)
        offset = origins[:, None] - corners[:, 0]
        u = np.sum(offset * normal, axis=-1) * inverse
        other = np.cross(offset, first)
        v = other @ direction * inverse
        distances = np.sum(second * other, axis=-1) * inverse
        hit = level & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (distances >= 0)
        return np.where(hit, distances, np.inf).min(axis=1, initial=np.inf)


@lru_cache(maxsize=SURFACE_CACHE_SIZE)
def _rotated(surface: MeshSurface, quarters: int) -> MeshSurface:
    """Return the surface rotated counter-clockwise by quarter turns, cached."""
    turn = rotation_about_up(np.array(quarters * np.pi / 2))
    return MeshSurface(rotate(turn, surface.vertices), surface.triangles)
