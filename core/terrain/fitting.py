"""How well patches of ground fit the feet of a part of a clip (PFNN section 4.2, equations 1 to 4).

Every patch is tried. All patches' heights under one point are one row of the database, so that a point costs four rows
(bilinear) and a few passes over as many numbers as there are patches; nothing else is computed by hand.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .foot_points import FootPoints

UNIT: Final = 1e-4
"""Metres of a patch's height of 1."""

Float32 = NDArray[np.float32]


class Patches(Protocol):
    """Many patches of ground, side by side: see :class:`PatchDatabase`."""

    @property
    def heights(self) -> NDArray[np.int16]:
        """Heights (cells * cells, P) in 0.1 mm, of each place of the grid (rows are y, columns x) over all patches."""
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
        down: of the squared mismatch at contacts (equation 2).
        up: of squared depths of swinging feet in the ground (equation 3).
        over: of squared excess heights of jumping feet over the ground (equation 4).
        clearance: metres that the ground may be below jumping feet, the paper's l.
        beam: of squared heights of the ground beside a beam over where it may be at most; nothing where 0.
    """

    down: float = 0.1
    up: float = 1.0
    over: float = 1.0
    clearance: float = 0.3
    beam: float = 0.0


PLAIN: Final = FitWeights()


@dataclass(frozen=True, eq=False)
class Fit:
    """How well each of P patches fits.

    Attributes:
        errors: E_fit (P), square metres.
        offsets: by how much each is raised (P), metres, so that it is right at the contacts in the mean.
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
    heights, count = patches.heights, patches.heights.shape[1]
    middle = points.centre
    buffer, total = np.empty(count, np.float32), np.zeros(count, np.float32)

    def under(row: int, cells: NDArray[np.intp], shares: Float32, out: Float32) -> None:
        np.multiply(heights[cells[row, 0]], shares[row, 0], out=out)
        for corner in 1, 2, 3:
            np.multiply(heights[cells[row, corner]], shares[row, corner], out=buffer)
            np.add(out, buffer, out=out)

    # Contacts: residuals foot - ground, whose mean is the offset.
    cells, shares = corners(points.contacts[:, :2] - middle[:2], patches)
    levels = ((points.contacts[:, 2] - middle[2]) / UNIT).astype(np.float32)
    share = (points.contact_weights / max(points.contact_weights.sum(), 1e-9)).astype(np.float32)
    residuals = np.empty((len(levels), count), np.float32)
    offsets = np.zeros(count, np.float32)
    for row, residual in enumerate(residuals):
        under(row, cells, shares, residual)
        np.subtract(levels[row], residual, out=residual)
        offsets += np.multiply(residual, share[row], out=buffer)
    for row, residual in enumerate(residuals):
        residual -= offsets
        np.multiply(residual, residual, out=residual)
        total += np.multiply(residual, np.float32(weights.down) * share[row], out=buffer)

    cells, shares = corners(points.swings[:, :2] - middle[:2], patches)
    levels = ((points.swings[:, 2] - middle[2]) / UNIT).astype(np.float32)
    up = weights.up * points.swing_weights / max(points.swing_weights.sum(), 1e-9)
    over = np.where(points.jumping, points.swing_weights, 0.0)
    over = weights.over * over / max(over.sum(), 1e-9)
    above, excess = np.empty(count, np.float32), np.empty(count, np.float32)
    for row, level in enumerate(levels):
        under(row, cells, shares, above)
        above += offsets
        above -= level
        _add_square(total, np.maximum(above, 0, out=excess), up[row])
        if points.jumping[row]:
            np.add(above, np.float32(weights.clearance / UNIT), out=above)
            _add_square(total, np.minimum(above, 0, out=excess), over[row])
    return Fit(total * np.float32(UNIT**2), offsets * np.float32(UNIT) + np.float32(middle[2]))


def _add_square(total: Float32, values: Float32, weight: float) -> None:
    """Adds the weighted squares of values, which are lost."""
    np.multiply(values, values, out=values)
    values *= np.float32(weight)
    total += values


def corners(xy: Array, patches: Patches) -> tuple[NDArray[np.intp], Float32]:
    """The four points of the grid (N, 4) around places xy (N, 2) from a patch's middle, metres, and their shares."""
    last = patches.cells - 1
    at = np.clip(xy / patches.cell + last / 2, 0.0, last)
    first = np.minimum(at.astype(np.intp), last - 1)
    x, y = (at - first).T
    start = first[:, 1] * patches.cells + first[:, 0]
    shares = np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y], axis=1)
    return start[:, None] + np.array([0, 1, patches.cells, patches.cells + 1]), shares.astype(np.float32)
