"""How well patches of ground fit the feet of a part of a clip (PFNN section 4.2, equations 1 to 4).

Every patch is tried. All patches' heights under one point are one row of the database, so that a point costs four rows
(bilinear) and a few passes over as many numbers as there are patches.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .foot_points import FootPoints
from .ground import Ground

UNIT: Final = 1e-4
"""Metres of a patch's height of 1."""

Float32 = NDArray[np.float32]


class Patches(Protocol):
    """Many patches of ground, side by side."""

    @property
    def heights(self) -> NDArray[np.int16]:
        """Heights (cells * cells, P) in 0.1 mm, of each point of the grid (rows are y, columns x) over all patches."""
        ...

    @property
    def cells(self) -> int:
        """Points of the grid along a side."""
        ...

    @property
    def cell(self) -> float:
        """Metres from point to point."""
        ...


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
    clearance: float = 0.3
    beside: float = 1.0


PLAIN: Final = FitWeights()


@dataclass(frozen=True, eq=False)
class Fit:
    """How well each of P patches fits.

    Attributes:
        errors: E_fit (P), square metres.
        offsets: how high each patch's zero is in the world (P), metres: right at the contacts in the mean.
    """

    errors: Float32
    offsets: Float32

    def best(self, count: int) -> NDArray[np.intp]:
        """The patches with the smallest errors, the best first; of equal ones the first."""
        count = min(count, len(self.errors))
        limit = np.partition(self.errors, count - 1)[count - 1]
        candidates = np.flatnonzero(self.errors <= limit)
        return candidates[np.argsort(self.errors[candidates], kind="stable")][:count]


def fit_patches(points: FootPoints, patches: Patches, weights: FitWeights = PLAIN) -> Fit:
    """Tries every patch, its middle under the mean of the contacts, in height too.

    Beyond its edge a patch goes on as high as there.
    """
    middle = points.centre
    contacts, swings, beside = (
        _Under(patches, places, middle) for places in (points.contacts, points.swings, points.beside)
    )
    count = patches.heights.shape[1]
    total, offsets, passed = np.zeros(count, np.float32), np.zeros(count, np.float32), np.empty(count, np.float32)
    shares = _shares(points.contact_weights)
    residuals = np.empty((len(shares), count), np.float32)
    for number, (residual, share) in enumerate(zip(residuals, shares, strict=True)):
        contacts.heights(number, residual)
        np.negative(residual, out=residual)
        residual += contacts.levels[number]
        offsets += np.multiply(residual, share, out=passed)
    for residual, share in zip(residuals, shares * np.float32(weights.down), strict=True):
        residual -= offsets
        _add_squares(total, residual, share)
    above = np.empty(count, np.float32)
    up = _shares(points.swing_weights) * np.float32(weights.up)
    over = _shares(np.where(points.jumping, points.swing_weights, 0.0)) * np.float32(weights.over)
    for number in range(len(up)):
        swings.heights(number, above)
        above += offsets
        above -= swings.levels[number]
        _add_squares(total, np.maximum(above, 0, out=passed), up[number])
        if over[number]:
            above += np.float32(weights.clearance / UNIT)
            _add_squares(total, np.minimum(above, 0, out=passed), over[number])
    share = np.float32(weights.beside / max(len(points.beside), 1))
    for number in range(len(points.beside)):
        beside.heights(number, above)
        above += offsets
        above -= beside.levels[number]
        _add_squares(total, np.maximum(above, 0, out=above), share)
    return Fit(total * np.float32(UNIT**2), offsets * np.float32(UNIT) + np.float32(middle[2]))


class _Under:
    """The heights of all patches under places, in their own unit.

    Attributes:
        levels: the places' own heights (N), in the patches' unit and from the middle.
    """

    def __init__(self, patches: Patches, places: Array, middle: Array) -> None:
        self._heights = np.asarray(patches.heights)  # rows of a memory map itself are slow to make
        last = patches.cells - 1
        at = np.clip((places[:, :2] - middle[:2]) / patches.cell + last / 2, 0.0, last)
        first = np.minimum(at.astype(np.intp), last - 1)
        x, y = (at - first).T
        self._cells = (first[:, 1] * patches.cells + first[:, 0])[:, None] + [0, 1, patches.cells, patches.cells + 1]
        self._shares = np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y], axis=1).astype(np.float32)
        self._corner = np.empty(self._heights.shape[1], np.float32)
        self.levels = ((places[:, 2] - middle[2]) / UNIT).astype(np.float32)

    def heights(self, number: int, out: Float32) -> None:
        """Writes the heights (P) of all patches under a place."""
        cells, shares = self._cells[number], self._shares[number]
        np.multiply(self._heights[cells[0]], shares[0], out=out)
        for cell, share in zip(cells[1:], shares[1:], strict=True):
            out += np.multiply(self._heights[cell], share, out=self._corner)


def _shares(weights: Array) -> Float32:
    """Weights (N) that sum to 1; all zero where they are."""
    return (weights / max(float(weights.sum()), 1e-9)).astype(np.float32)


def _add_squares(total: Float32, values: Float32, weight: np.float32) -> None:
    """Adds the weighted squares of values, which are lost."""
    np.multiply(values, values, out=values)
    values *= weight
    total += values


@dataclass(frozen=True, slots=True)
class FitTerms:
    """The terms of a ground's E_fit without their weights, square metres: see :class:`FitWeights`."""

    down: float
    up: float
    over: float
    beside: float

    def error(self, weights: FitWeights = PLAIN) -> float:
        """E_fit, square metres."""
        return weights.down * self.down + weights.up * self.up + weights.over * self.over + weights.beside * self.beside


def fit_terms(points: FootPoints, ground: Ground, weights: FitWeights = PLAIN) -> FitTerms:
    """How well any ground fits, where it is."""
    above = ground.heights(points.swings) - points.swings[:, 2]
    jumping = np.where(points.jumping, points.swing_weights, 0.0)
    return FitTerms(
        _mean(ground.heights(points.contacts) - points.contacts[:, 2], points.contact_weights),
        _mean(np.maximum(above, 0.0), points.swing_weights),
        _mean(np.minimum(above + weights.clearance, 0.0), jumping),
        _mean(np.maximum(ground.heights(points.beside) - points.beside[:, 2], 0.0), np.ones(len(points.beside))),
    )


def _mean(values: Array, weights: Array) -> float:
    """The weighted mean of the squares; 0 where there is none."""
    return float((weights * values**2).sum() / max(float(weights.sum()), 1e-9))
