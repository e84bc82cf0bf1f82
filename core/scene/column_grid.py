"""Vertical columns through a collider, along the axes of its outline."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from ..motion.signals import Mask
from .collider import Collider

SURFACE_TOLERANCE_M: Final = 0.05
"""Largest unevenness of a level surface."""
MAX_REST_RISE_M: Final = 0.5
"""Largest measured height of a backrest above its seat."""
COLUMN_SPACING_M: Final = 0.02
"""Distance between neighboring columns."""


@dataclass(frozen=True, eq=False)
class ColumnGrid:
    """Columns (X, Y) through a collider, along the axes of its outline.

    Attributes:
        axes: (2, 2) directions across and forward, one a row, in object space.
        origin: (2) position of the first column along these axes, meters.
        shape: number of columns along each axis.
        cell: distance between columns, meters.
    """

    collider: Collider
    axes: Array
    origin: Array
    shape: tuple[int, int]
    cell: float = COLUMN_SPACING_M

    @staticmethod
    def from_collider(collider: Collider) -> "ColumnGrid":
        """Create the grid of a collider, centered on its outline."""
        corners = np.concatenate([
            np.column_stack([x[:, 0], y[:, 1]])
            for x in (collider.lower, collider.upper)
            for y in (collider.lower, collider.upper)
        ])  # fmt: skip
        axes = _outline_axes(corners)
        inside = corners @ axes.T
        low, high = inside.min(axis=0), inside.max(axis=0)
        counts = np.maximum(np.ceil((high - low) / COLUMN_SPACING_M - 1e-6), 1).astype(int)
        origin = (low + high) / 2 - (counts - 1) * COLUMN_SPACING_M / 2
        return ColumnGrid(collider, axes, origin, (int(counts[0]), int(counts[1])))

    @property
    def forward(self) -> Array:
        """Horizontal unit direction (2), in object space, of the second axis of the grid."""
        return self.axes[1]

    def to_object_space(self, across: float, along: float) -> Array:
        """Return the position (2), object space, meters, of a column by its (maybe fractional) indices on both axes."""
        return (self.origin + self.cell * np.array([across, along])) @ self.axes

    @cached_property
    def overlaps(self) -> Mask:
        """Mask (X, Y, C), true if a column passes through a cuboid of the collider."""
        across, along = (self.origin[axis] + self.cell * np.arange(self.shape[axis]) for axis in range(2))
        places = np.stack(np.meshgrid(across, along, indexing="ij"), axis=-1) @ self.axes
        lower, upper = self.collider.lower[:, :2], self.collider.upper[:, :2]
        slack = 1e-6
        return np.all((places[:, :, None] >= lower - slack) & (places[:, :, None] <= upper + slack), axis=-1)

    def surface_levels(self, min_height: float, max_height: float, min_spacing: float = 0.01) -> list[float]:
        """Return the heights of all upward faces of the collider within a range, meters, ascending.

        Args:
            min_height: lowest accepted height, meters.
            max_height: highest accepted height, meters.
            min_spacing: least distance between two heights, meters; of closer ones the highest is kept.
        """
        heights = np.unique(self.collider.upper[:, 2])
        heights = heights[(heights >= min_height - 1e-9) & (heights <= max_height + 1e-9)]
        spaced = [height for height, above in pairwise([*heights, np.inf]) if above - height > min_spacing]
        return [float(height) for height in spaced]

    def free_columns(self, height: float, headroom: float, tolerance: float = SURFACE_TOLERANCE_M) -> Mask:
        """Return a mask (X, Y) of the columns with a surface at a height and free room above it.

        Args:
            height: height of the surface, meters.
            headroom: height of the free room, meters.
            tolerance: depth by which the surface may be lower, meters.
        """
        lower, upper = self.collider.lower[:, 2], self.collider.upper[:, 2]
        at = (upper <= height + 1e-6) & (upper > height - tolerance)
        above = (upper > height + 1e-6) & (lower < height + headroom)
        return np.any(self.overlaps & at, axis=-1) & ~np.any(self.overlaps & above, axis=-1)

    def surface_heights(self, max_height: float) -> Array:
        """Return the heights (X, Y), meters, of each column's highest upward face at or below ``max_height``.

        The result is minus infinity for a column without such a face.
        """
        upper = self.collider.upper[:, 2]
        return np.where(self.overlaps & (upper <= max_height + 1e-6), upper, -np.inf).max(axis=-1)

    def rise_heights(self, height: float) -> Array:
        """Return the height (X, Y) of each column's solid part above ``height``, meters, at most 0.5 m."""
        upper = self.collider.upper[:, 2] - height
        return np.clip(np.where(self.overlaps, upper, 0.0).max(axis=-1), 0.0, MAX_REST_RISE_M)


def _outline_axes(corners: Array) -> Array:
    """Return the axes (2, 2) of the smallest rectangle around points (N, 2), searched in steps of 5 degrees.

    The axes of object space are kept unless other axes save a fifth of the area.
    """
    angles = np.radians(np.arange(0, 90, 5))
    areas = [float(np.ptp(corners @ _rotated_axes(angle).T, axis=0).prod()) for angle in angles]
    best = int(np.argmin(areas))
    return _rotated_axes(angles[best] if areas[best] < 0.8 * areas[0] else 0.0)


def _rotated_axes(angle: float) -> Array:
    """Return two axes (2, 2), one per row, rotated by an angle in radians."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def rotate_columns(values: NDArray[Any], side: int) -> NDArray[Any]:
    """Return values of columns (X, Y), rotated so that a side (0 +X, 1 +Y, 2 -X, 3 -Y) ends the second axis."""
    return (values.T[::-1], values, values.T[:, ::-1], values[::-1, ::-1])[side]


def largest_rectangle(free: Mask) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the largest rectangle of true values in a mask (X, Y), as half-open ranges along both axes.

    Maximal rectangle in a binary image, with one histogram of free runs per row.
    """
    best, found = 0, ((0, 0), (0, 0))
    runs = np.zeros(free.shape[1], dtype=int)
    for row, line in enumerate(free):
        runs = np.where(line, runs + 1, 0)
        for depth in np.unique(runs[runs > 0]):
            starts = np.flatnonzero(np.diff(np.concatenate([[0], (runs >= depth).astype(int), [0]])))
            spans = starts.reshape(-1, 2)
            longest = int(np.argmax(spans[:, 1] - spans[:, 0]))
            start, stop = (int(end) for end in spans[longest])
            if depth * (stop - start) > best:
                best, found = depth * (stop - start), ((row + 1 - int(depth), row + 1), (start, stop))
    return found
