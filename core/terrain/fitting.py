"""How well patches of ground fit the feet of a part of a clip (PFNN section 4.2, equations 1 to 4).

Every patch is tried. All patches' heights under one point are one row of the database, so that a point costs four rows
(bilinear) and a few passes over as many numbers as there are patches.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .foot_points import FootPoints
from .ground import Ground
from .patches import HEIGHT_UNIT_M, PatchDatabase

Float32 = NDArray[np.float32]
_GridRow = tuple[int, int, Float32]


@dataclass(frozen=True, slots=True)
class FitWeights:
    """What counts how much. Each term is a mean over the points that it concerns, so that none outweighs by numbers.

    The released code's figures where the paper has none: a mismatch at a contact, which the refinement mends, counts a
    tenth of a foot in the ground.

    Attributes:
        down: of squared mismatches at contacts (equation 2).
        up: of squared depths of swinging feet in the ground (equation 3).
        over: of squared excess heights of jumping feet over the ground (equation 4).
        clearance: metres that the ground may be below jumping feet, the paper's l.
        beside: of squared heights of the ground beside a beam over where it may be at most.
    """

    down: float = 0.1
    up: float = 1.0
    over: float = 1.0
    jump_clearance: float = 0.3
    off_beam: float = 1.0


DEFAULT_WEIGHTS: Final = FitWeights()


@dataclass(frozen=True, eq=False)
class PatchFit:
    """How well each of P patches fits.

    Attributes:
        errors: E_fit (P), square metres.
        offsets: how high each patch's zero is in the world (P), metres: right at the contacts in the mean.
    """

    errors: Float32
    offsets: Float32

    def best(self, count: int) -> NDArray[np.intp]:
        """Return the patches with the smallest errors, the best first; of equal ones the first."""
        count = min(count, len(self.errors))
        limit = np.partition(self.errors, count - 1)[count - 1]
        candidates = np.flatnonzero(self.errors <= limit)
        return candidates[np.argsort(self.errors[candidates], kind="stable")][:count]


def fit_patches(points: FootPoints, patches: PatchDatabase, weights: FitWeights = DEFAULT_WEIGHTS) -> PatchFit:
    """Try every patch, its middle under the mean of the contacts, in height too.

    Beyond its edge a patch goes on as high as there.
    """
    ground = _PatchStack(patches, points.centre)
    ground.add_contacts(points.contacts, _normalise(points.contact_weights), weights.down)
    jumping = np.where(points.jumping, points.swing_weights, 0.0)
    ground.add_one_sided(np.maximum, points.swings, weights.up * _normalise(points.swing_weights))
    ground.add_one_sided(
        np.minimum, points.swings - [0.0, 0.0, weights.jump_clearance], weights.over * _normalise(jumping)
    )
    ground.add_one_sided(np.maximum, points.off_beam, weights.off_beam * _normalise(np.ones(len(points.off_beam))))
    return PatchFit(
        ground.total * np.float32(HEIGHT_UNIT_M**2),
        ground.offsets * np.float32(HEIGHT_UNIT_M) + np.float32(points.centre[2]),
    )


def _normalise(weights: Array) -> Array:
    """Weights (N) that sum to 1; all zero where they are."""
    return weights / max(float(weights.sum()), 1e-9)


class _PatchStack:
    """All patches under a part, in the patches' unit.

    How far they are over a place is one product of a row and a table: of the shares of the four points of the grid
    around it, 1, and minus the place's own height, with the heights at those points, the offsets, and ones.

    Attributes:
        total: the sum of the weighted squares (P) so far.
    """

    def __init__(self, patches: PatchDatabase, centre: Array) -> None:
        heights = np.asarray(patches.heights)  # slices of a memory map itself are slow to make
        count = heights.shape[1]
        self._heights = heights.reshape(patches.points_per_side, patches.points_per_side, count)
        self._middle, self._cell = centre, patches.cell_size
        self._table = np.zeros((6, count), np.float32)
        self._table[5] = 1.0
        self._corners = self._table[:4].reshape(2, 2, count)
        self._nothing = np.zeros(count, np.float32)  # a maximum of two arrays is four times as fast as of one and 0
        self.total = np.zeros(count, np.float32)

    @property
    def offsets(self) -> Float32:
        """By how much the patches (P) are raised."""
        return self._table[4]

    def add_contacts(self, places: Array, shares: Array, weight: float) -> None:
        """Raise the patches until they are right at places (N, 3) in the mean, and add what is left there."""
        above = np.empty((len(places), len(self.total)), np.float32)
        for at, row in zip(self._bilinear_rows(places, np.ones(len(places))), above, strict=True):
            self._heights_above(at, row)
        np.negative(shares.astype(np.float32) @ above, out=self.offsets)
        for row, scale in zip(above, np.sqrt(weight * shares).astype(np.float32), strict=True):
            row += self.offsets
            row *= scale
            self.total += np.multiply(row, row, out=row)

    def add_one_sided(self, clamp: np.ufunc, places: Array, weights: Array) -> None:
        """Add the weighted squares of how far the patches are over places (N, 3), or under them: ``np.minimum``."""
        above, some = np.empty_like(self.total), weights > 0.0
        for at in self._bilinear_rows(places[some], np.sqrt(weights[some])):
            self._heights_above(at, above)
            clamp(above, self._nothing, out=above)
            self.total += np.multiply(above, above, out=above)

    def _bilinear_rows(self, places: Array, scales: Array) -> Iterator[_GridRow]:
        """For places (N, 3) where they are in the grid, and the row of the product, times a scale each."""
        last = len(self._heights) - 1
        at = np.clip((places[:, :2] - self._middle[:2]) / self._cell + last / 2, 0.0, last)
        first = np.minimum(at.astype(np.intp), last - 1)
        x, y = (at - first).T
        own = (self._middle[2] - places[:, 2]) / HEIGHT_UNIT_M
        shares = np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y, np.ones_like(own), own], axis=1)
        rows = (shares * scales[:, None]).astype(np.float32)
        return zip(first[:, 1].tolist(), first[:, 0].tolist(), rows, strict=True)

    def _heights_above(self, at: _GridRow, out: Float32) -> None:
        """Write how far the patches (P) are over a place, times its scale."""
        row, column, shares = at
        self._corners[:] = self._heights[row : row + 2, column : column + 2]
        np.dot(shares, self._table, out=out)


@dataclass(frozen=True, slots=True)
class FitTerms:
    """The terms of a ground's E_fit without their weights, square metres: see :class:`FitWeights`."""

    down: float
    up: float
    over: float
    off_beam: float

    def error(self, weights: FitWeights = DEFAULT_WEIGHTS) -> float:
        """E_fit, square metres."""
        return (
            weights.down * self.down
            + weights.up * self.up
            + weights.over * self.over
            + weights.off_beam * self.off_beam
        )


def fit_terms(points: FootPoints, ground: Ground, weights: FitWeights = DEFAULT_WEIGHTS) -> FitTerms:
    """How well any ground fits, where it is."""
    above = ground.heights(points.swings) - points.swings[:, 2]
    jumping = np.where(points.jumping, points.swing_weights, 0.0)
    return FitTerms(
        _weighted_mean_square(ground.heights(points.contacts) - points.contacts[:, 2], points.contact_weights),
        _weighted_mean_square(np.maximum(above, 0.0), points.swing_weights),
        _weighted_mean_square(np.minimum(above + weights.jump_clearance, 0.0), jumping),
        _weighted_mean_square(
            np.maximum(ground.heights(points.off_beam) - points.off_beam[:, 2], 0.0), np.ones(len(points.off_beam))
        ),
    )


def _weighted_mean_square(values: Array, weights: Array) -> float:
    """Return the weighted mean of the squares; 0 where there is none."""
    return float((weights * values**2).sum() / max(float(weights.sum()), 1e-9))
