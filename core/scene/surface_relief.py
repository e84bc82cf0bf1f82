"""Relief of a surface: a height map behind a plane, for body parts that touch the surface."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import Array, cross, normalize
from .mesh_surface import MeshSurface

CELL_M: Final = 0.005
"""Width of a square cell of the height map."""
HALF_SIZE_M: Final = 0.15
"""Distance from the middle of a relief to its edges."""
FRONT_M: Final = 0.08
"""Distance in front of the plane, outside the object, at which the search for the surface starts."""


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceRelief:
    """A surface as a square map of depths behind a plane.

    Attributes:
        point: (3) middle of the plane, object space, meters.
        axes: (3, 3) unit directions: two along the plane, and the one into the object, one per row.
        depths: (C, C) distances of the surface behind the plane, meters; infinite in cells without a surface.
    """

    point: Array
    axes: Array
    depths: Array

    @staticmethod
    def of(surface: MeshSurface, point: Array, into: Array) -> "SurfaceRelief":
        """Create the depth map of a surface around a point, seen along a direction.

        Args:
            surface: surface of the object.
            point: (3) point in object space, meters.
            into: (3) direction into the object, a unit vector.
        """
        across = normalize(cross(into, np.eye(3)[np.abs(into).argmin()]))
        axes = np.stack([across, cross(into, across), into])
        places = (surface.vertices - point) @ axes.T
        count = round(2 * HALF_SIZE_M / CELL_M)
        middles = (np.arange(count) + 0.5) * CELL_M - HALF_SIZE_M
        depths = [_depths_of_row(MeshSurface(places, surface.triangles), x, middles) for x in middles]
        return SurfaceRelief(point, axes, np.array(depths))

    def gaps(self, points: Array) -> Array:
        """Return the distances (...), m, of points (..., 3), object space, from the surface; negative behind it.

        The distance is infinite where there is no surface.
        """
        places = (points - self.point) @ self.axes.T
        cells = np.floor((places[..., :2] + HALF_SIZE_M) / CELL_M).astype(np.intp)
        count = len(self.depths)
        inside = ((cells >= 0) & (cells < count)).all(axis=-1)
        cells = np.clip(cells, 0, count - 1)
        return np.where(inside, self.depths[cells[..., 0], cells[..., 1]] - places[..., 2], np.inf)


def _depths_of_row(surface: MeshSurface, x: float, middles: Array) -> Array:
    """Return a surface's depths (C), meters, at the centers (C) of a row's cells, in the plane's axes."""
    corners = surface.vertices[surface.triangles]
    is_met = (corners[..., 0].min(axis=1) <= x) & (corners[..., 0].max(axis=1) >= x)
    near = MeshSurface(surface.vertices, surface.triangles[is_met])
    origins = np.column_stack([np.full(len(middles), x), middles, np.full(len(middles), -FRONT_M)])
    return near.first_hits(origins, np.array([0.0, 0.0, 1.0])) - FRONT_M
