"""Ground as a grid of heights: one surface, seen from above."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import UP, Array
from .ground import Ground

EDGE_TOLERANCE_CELLS: Final = 1e-6
"""Distance beyond the last point, in cells, within which a position still counts as on the grid, for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Heightfield:
    """Heights over a grid of points, bilinear in between; a :class:`Ground` seen from above.

    Attributes:
        grid: (R, C) heights, meters, at least two rows and columns; rows are y, columns x. NaN is a hole, which
            includes the squares around it.
        cell_size: spacing of the grid's points, meters.
        origin: (2,) world x and y of ``grid[0, 0]``, meters.
    """

    grid: Array
    cell_size: float
    origin: Array

    @staticmethod
    def centred(grid: Array, cell_size: float) -> "Heightfield":
        """Create a heightfield of heights (R, C), meters, centered on the world's origin."""
        rows, columns = grid.shape
        return Heightfield(grid, cell_size, -0.5 * cell_size * np.array([columns - 1, rows - 1]))

    @property
    def extent(self) -> Array:
        """World x and y of the first grid point, in the first row (2, 2), and of the last one, meters."""
        rows, columns = self.grid.shape
        return self.origin + self.cell_size * np.array([[0, 0], [columns - 1, rows - 1]])

    @property
    def grid_points(self) -> Array:
        """Positions (R, C, 3), world, meters, of the grid points on the ground."""
        rows, columns = self.grid.shape
        x, y = self.origin[0] + self.cell_size * np.arange(columns), self.origin[1] + self.cell_size * np.arange(rows)
        return np.dstack([*np.meshgrid(x, y), self.grid])

    def heights_at(self, xy: Array, extrapolate: bool = False) -> Array:
        """Return the heights (...), meters, at world positions (..., 2); NaN over holes and beyond the grid.

        Args:
            xy: (..., 2) positions, world, meters.
            extrapolate: whether the ground continues beyond the grid at the height of its edge.
        """
        corners, along_x, along_y = self._bilinear_corners(np.asarray(xy, dtype=float), extrapolate)
        shares = along_y[..., :, None] * along_x[..., None, :]
        # A hole counts only with a nonzero weight, so that there is ground on its edge.
        return np.where(shares > 0.0, shares * np.where(shares > 0.0, corners, 0.0), 0.0).sum(axis=(-2, -1))

    def gradients(self, xy: Array, extrapolate: bool = False) -> Array:
        """Return the slopes, rise over run, along x and y (..., 2) at world positions (..., 2); NaN at holes.

        Args:
            xy: (..., 2) positions, world, meters.
            extrapolate: whether the ground continues beyond the grid at the height of its edge.
        """
        corners, along_x, along_y = self._bilinear_corners(np.asarray(xy, dtype=float), extrapolate)
        rise_x = ((corners[..., 1] - corners[..., 0]) * along_y).sum(axis=-1)
        rise_y = ((corners[..., 1, :] - corners[..., 0, :]) * along_x).sum(axis=-1)
        return np.stack([rise_x, rise_y], axis=-1) / self.cell_size

    def slopes(self, xy: Array) -> Array:
        """Return the slope angles (...), radians, at world positions (..., 2); NaN where there is no ground."""
        return np.arctan(np.linalg.norm(self.gradients(xy), axis=-1))

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """Return the heights (...), m, of the ground above or below points (..., 3), world; NaN without ground."""
        return self.heights_at(np.asarray(points)[..., :2])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        gradients = self.gradients(np.asarray(points)[..., :2])
        normals = np.concatenate([-gradients, np.ones_like(gradients[..., :1])], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        return np.where(np.isnan(normals), UP, normals)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Return infinity (...) for all points (..., 3), since a heightfield has no ceilings."""
        return np.full(np.shape(points)[:-1], np.inf)

    def _bilinear_corners(self, xy: Array, extrapolate: bool) -> tuple[Array, Array, Array]:
        """Return the four heights (..., 2, 2) around positions, and the weights (..., 2) of columns and of rows."""
        last = np.array(self.grid.shape[::-1]) - 1
        at = (xy - self.origin) / self.cell_size
        near = np.clip(at, 0.0, last)
        first = np.minimum(near.astype(np.intp), last - 1)
        shares = np.stack([1.0 - (near - first), near - first], axis=-1)
        column, row = first[..., 0, None, None] + np.arange(2), first[..., 1, None, None] + np.arange(2)[:, None]
        corners = self.grid[row, column].astype(float)
        if not extrapolate:
            corners[(np.abs(at - near) > EDGE_TOLERANCE_CELLS).any(axis=-1)] = np.nan
        return corners, shares[..., 0, :], shares[..., 1, :]


def sample_heightfield(
    ground: Ground, lower: Array, upper: Array, cell_size: float, view_height: float = np.inf, frame: float = 0.0
) -> Heightfield:
    """Sample a ground, as seen from above, as a heightfield.

    Args:
        ground: the ground.
        lower: (2,) world x and y of the first grid point, meters.
        upper: (2,) largest world x and y of the last grid point, meters.
        cell_size: spacing of the grid's points, meters.
        view_height: world height from which the ground is viewed downward, meters; below a roof, the floor is sampled.
        frame: frame of the walk, for ground that moves.
    """
    x, y = (
        np.arange(start, stop + EDGE_TOLERANCE_CELLS * cell_size, cell_size)
        for start, stop in zip(lower, upper, strict=True)
    )
    points = np.dstack([*np.meshgrid(x, y), np.full((len(y), len(x)), view_height)])
    return Heightfield(ground.heights(points, frame), cell_size, np.asarray(lower, dtype=float))
