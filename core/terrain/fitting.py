"""The fit of patches to the feet in a segment of a clip (PFNN section 4.2, equations 1 to 4).

Every patch is tried. The heights of all patches at one grid point are one row of the database, so that a point costs
only four rows (bilinear) and a few passes over one number per patch.
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
"""Array of single precision."""
_GridRow = tuple[int, int, Float32]


@dataclass(frozen=True, slots=True)
class FitWeights:
    """Weights of the terms of the fit error E_fit; each term is a mean over its points.

    Numbers missing in the paper are from its released code: a mismatch at a contact, which refinement corrects, has a
    tenth of the weight of a swinging foot in the ground.

    Attributes:
        down: weight of squared mismatches at contacts (equation 2).
        up: weight of squared depths of swinging feet in the ground (equation 3).
        over: weight of squared excess heights of jumping feet over the ground (equation 4).
        jump_clearance: height over the ground up to which jumping feet cost nothing, l in the paper, meters.
        off_beam: weight of squared excess heights of the ground beside a beam over the greatest allowed height.
    """

    down: float = 0.1
    up: float = 1.0
    over: float = 1.0
    jump_clearance: float = 0.3
    off_beam: float = 1.0


DEFAULT_WEIGHTS: Final = FitWeights()


@dataclass(frozen=True, eq=False)
class PatchFit:
    """The fit of each of P patches.

    Attributes:
        errors: (P) fit error E_fit, square meters.
        offsets: (P) world height of each patch's zero, meters, chosen so that the contacts lie on it on average.
    """

    errors: Float32
    offsets: Float32

    def best(self, count: int) -> NDArray[np.intp]:
        """Return the indices (count) of the patches with the smallest errors, the best first.

        Patches with equal errors are in order of index.
        """
        count = min(count, len(self.errors))
        limit = np.partition(self.errors, count - 1)[count - 1]
        candidates = np.flatnonzero(self.errors <= limit)
        return candidates[np.argsort(self.errors[candidates], kind="stable")][:count]


def fit_patches(points: FootPoints, patches: PatchDatabase, weights: FitWeights = DEFAULT_WEIGHTS) -> PatchFit:
    """Fit every patch of a database to the feet, with its middle under the mean of the contacts.

    Beyond its edge, a patch continues at the height of its edge.
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
    """Return weights (N) that sum to 1; zero if all are zero."""
    return weights / max(float(weights.sum()), 1e-9)


class _PatchStack:
    """All patches under a segment, in the unit of the database.

    The heights of all patches over a position are the product of a row and a table: the row has the bilinear weights of
    four grid points, 1, and minus the height of the position; the table has the heights at these points, the offsets,
    and ones.

    Attributes:
        total: (P) sum of the weighted squares so far.
    """

    def __init__(self, patches: PatchDatabase, centre: Array) -> None:
        """Stack the patches with their middles under ``centre`` (3)."""
        heights = np.asarray(patches.heights)  # slices of a memory map itself are slow
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
        """Heights (P) of the raised patches."""
        return self._table[4]

    def add_contacts(self, positions: Array, shares: Array, weight: float) -> None:
        """Raise each patch to the mean height of positions (N, 3), and add weighted squares of the remaining errors."""
        above = np.empty((len(positions), len(self.total)), np.float32)
        for at, row in zip(self._bilinear_rows(positions, np.ones(len(positions))), above, strict=True):
            self._heights_above(at, row)
        np.negative(shares.astype(np.float32) @ above, out=self.offsets)
        for row, scale in zip(above, np.sqrt(weight * shares).astype(np.float32), strict=True):
            row += self.offsets
            row *= scale
            self.total += np.multiply(row, row, out=row)

    def add_one_sided(self, clamp: np.ufunc, positions: Array, weights: Array) -> None:
        """Add weighted squares of the patches' heights above positions (N, 3), or with ``np.minimum``, below."""
        above, some = np.empty_like(self.total), weights > 0.0
        for at in self._bilinear_rows(positions[some], np.sqrt(weights[some])):
            self._heights_above(at, above)
            clamp(above, self._nothing, out=above)
            self.total += np.multiply(above, above, out=above)

    def _bilinear_rows(self, positions: Array, scales: Array) -> Iterator[_GridRow]:
        """Yield for each position (N, 3) its grid cell and its row of the product, scaled."""
        last = len(self._heights) - 1
        at = np.clip((positions[:, :2] - self._middle[:2]) / self._cell + last / 2, 0.0, last)
        first = np.minimum(at.astype(np.intp), last - 1)
        x, y = (at - first).T
        own = (self._middle[2] - positions[:, 2]) / HEIGHT_UNIT_M
        shares = np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y, np.ones_like(own), own], axis=1)
        rows = (shares * scales[:, None]).astype(np.float32)
        return zip(first[:, 1].tolist(), first[:, 0].tolist(), rows, strict=True)

    def _heights_above(self, at: _GridRow, out: Float32) -> None:
        """Write to ``out`` (P) the scaled heights of the patches above a position."""
        row, column, shares = at
        self._corners[:] = self._heights[row : row + 2, column : column + 2]
        np.dot(shares, self._table, out=out)


@dataclass(frozen=True, slots=True)
class FitTerms:
    """The unweighted terms of a ground's fit error E_fit, square meters, under the names of their weights."""

    down: float
    up: float
    over: float
    off_beam: float

    def error(self, weights: FitWeights = DEFAULT_WEIGHTS) -> float:
        """Return the fit error E_fit, the weighted sum of the terms, square meters."""
        return (
            weights.down * self.down
            + weights.up * self.up
            + weights.over * self.over
            + weights.off_beam * self.off_beam
        )


def fit_terms(points: FootPoints, ground: Ground, weights: FitWeights = DEFAULT_WEIGHTS) -> FitTerms:
    """Return the terms of the fit error of a ground at its present position and height."""
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
    """Return the weighted mean of the squares of values; 0 if there are none."""
    return float((weights * values**2).sum() / max(float(weights.sum()), 1e-9))
