"""Ground as a grid of heights: one surface, seen from above."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import UP, Array
from .ground import Ground

# Places that rounding puts beyond the last point still are on it; in cells.
EDGE_TOLERANCE_CELLS: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Heightfield:
    """Heights over a grid of points, bilinear between them; a :class:`Ground` that nothing is ever under.

    Attributes:
        grid: heights (R, C), metres, two rows and two columns at least; the row is y and the column x. NaN is a hole,
            and all of the squares around it are.
        cell: metres from one point of the grid to the next.
        origin: (2,) world x and y of ``grid[0, 0]``, metres.
    """

    grid: Array
    cell_size: float
    origin: Array

    @staticmethod
    def centred(grid: Array, cell_size: float) -> "Heightfield":
        """Return a heightfield whose middle is the world's origin."""
        rows, columns = grid.shape
        return Heightfield(grid, cell_size, -0.5 * cell_size * np.array([columns - 1, rows - 1]))

    @property
    def extent(self) -> Array:
        """World x and y (2, 2), metres, of the first and of the last point."""
        rows, columns = self.grid.shape
        return self.origin + self.cell_size * np.array([[0, 0], [columns - 1, rows - 1]])

    @property
    def grid_points(self) -> Array:
        """The grid's points (R, C, 3), metres, world."""
        rows, columns = self.grid.shape
        x, y = self.origin[0] + self.cell_size * np.arange(columns), self.origin[1] + self.cell_size * np.arange(rows)
        return np.dstack([*np.meshgrid(x, y), self.grid])

    def heights_at(self, xy: Array, extrapolate: bool = False) -> Array:
        """Heights (...), metres, at world places xy (..., 2); NaN over holes and beyond the grid.

        Args:
            extrapolate: whether the ground goes on beyond the grid as high as its edge.
        """
        corners, along_x, along_y = self._bilinear_corners(np.asarray(xy, dtype=float), extrapolate)
        shares = along_y[..., :, None] * along_x[..., None, :]
        # A hole counts only where it has a share: who stands on its edge stands on the ground.
        return np.where(shares > 0.0, shares * np.where(shares > 0.0, corners, 0.0), 0.0).sum(axis=(-2, -1))

    def gradients(self, xy: Array, extrapolate: bool = False) -> Array:
        """Return the rise towards x and towards y (..., 2) at world places xy (..., 2); NaN where the square has a
        hole.
        """
        corners, along_x, along_y = self._bilinear_corners(np.asarray(xy, dtype=float), extrapolate)
        rise_x = ((corners[..., 1] - corners[..., 0]) * along_y).sum(axis=-1)
        rise_y = ((corners[..., 1, :] - corners[..., 0, :]) * along_x).sum(axis=-1)
        return np.stack([rise_x, rise_y], axis=-1) / self.cell_size

    def slopes(self, xy: Array) -> Array:
        """Slopes (...), radians from level, at world places xy (..., 2); NaN where there is no ground."""
        return np.arctan(np.linalg.norm(self.gradients(xy), axis=-1))

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`; points below the surface are in the ground, and get its height, too."""
        return self.heights_at(np.asarray(points)[..., :2])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        gradients = self.gradients(np.asarray(points)[..., :2])
        normals = np.concatenate([-gradients, np.ones_like(gradients[..., :1])], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        return np.where(np.isnan(normals), UP, normals)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`; there are none."""
        return np.full(np.shape(points)[:-1], np.inf)

    def _bilinear_corners(self, xy: Array, extrapolate: bool) -> tuple[Array, Array, Array]:
        """Return the four heights (..., 2, 2) around places, and how much of the two columns and rows (..., 2) each
        is.
        """
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
    """Any ground as a heightfield: what is seen from a height when looking down.

    Args:
        lower, upper: (2,) world x and y, metres, of the first point and of where the last one is at most.
        cell_size: metres from point to point.
        view_height: from where to look, metres, world: below a roof for the floor under it.
        frame: the walk's frame, for ground that moves.
    """
    x, y = (
        np.arange(start, stop + EDGE_TOLERANCE_CELLS * cell_size, cell_size)
        for start, stop in zip(lower, upper, strict=True)
    )
    points = np.dstack([*np.meshgrid(x, y), np.full((len(y), len(x)), view_height)])
    return Heightfield(ground.heights(points, frame), cell_size, np.asarray(lower, dtype=float))
