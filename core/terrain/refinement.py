"""Terrain refinement: a patch deformed so that feet stand exactly on it (PFNN section 4.2; Botsch and Kobbelt 2005).

Radial basis functions over the ground plane, with a linear kernel, interpolate the height errors at the contacts and
are added to the patch.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array
from .foot_points import FootPoints
from .heightfield import Heightfield

RBF_SMOOTHING_M: Final = 1e-6
"""Error that remains at a contact, per unit change of the deformation's slope.

The 0.1 (in centimeters) of the released code leaves errors of millimeters where a foot stands on the edge of a step, or
where two feet stand side by side at different times.
"""
MERGE_DISTANCE_M: Final = 1e-4
"""Distance below which contacts are merged, since a ground cannot have two heights."""
MAX_PENETRATION_M: Final = 1e-3
"""Largest depth of a swinging foot in the ground."""
SWING_POINT_SPACING_M: Final = 0.08
"""Spacing of the points at which the ground is lowered under swinging feet: two cells."""
MAX_REFINEMENT_ROUNDS: Final = 6
"""Largest number of rounds; lowering the ground in one place may raise it in another, with new deepest points."""
SLOPE_STEP_M: Final = 0.02
"""Distance over which slopes are measured: half a cell."""
LEVEL_PATCH: Final = Heightfield.centred(np.zeros((2, 2)), 1.0)
"""The level ground that :func:`bend_plane` bends."""


@dataclass(frozen=True, eq=False)
class FittedGround:
    """A patch placed under a segment of a clip and deformed to its feet: an infinite :class:`Ground`, seen from above.

    Beyond its edge, the patch continues at the height of its edge.

    Attributes:
        patch: heights of the patch, centered on (0, 0), meters.
        centre: (3) world position of the patch's middle and of its height zero, meters.
        bend: function of positions (N, 2) that returns the heights (N, 1) to add, meters; ``None`` adds nothing.
    """

    patch: Heightfield
    centre: Array
    bend: "scipy.interpolate.RBFInterpolator | None" = None

    def heights_at(self, xy: Array) -> Array:
        """Return the heights (...), meters, at world positions (..., 2)."""
        xy = np.asarray(xy, dtype=float)
        result = self.patch.heights_at(xy - self.centre[:2], extrapolate=True) + self.centre[2]
        if self.bend is not None and xy.size:
            result = result + self.bend(xy.reshape(-1, 2)).reshape(result.shape)
        return result

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return self.heights_at(np.asarray(points)[..., :2])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        xy = np.asarray(points, dtype=float)[..., None, :2]
        steps = SLOPE_STEP_M * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        around = self.heights_at(xy + steps)
        rise = (around[..., ::2] - around[..., 1::2]) / (2 * SLOPE_STEP_M)
        normals = np.concatenate([-rise, np.ones_like(rise[..., :1])], axis=-1)
        return normals / np.linalg.norm(normals, axis=-1, keepdims=True)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Return infinity (...) for all points (..., 3), since there are no ceilings."""
        return np.full(np.shape(points)[:-1], np.inf)


def refine_ground(ground: FittedGround, points: FootPoints) -> FittedGround:
    """Deform a ground so that feet stand on it and swing above it; without contacts it is returned unchanged.

    Constraints for swinging feet are added only if they are violated (active set).
    """
    if len(points.contacts) == 0:
        return ground
    raw, swings = replace(ground, bend=None), points.swings[:, :2]
    constraints = merge_contacts(points.contacts, points.contact_weights)
    missing = constraints[:, 2] - raw.heights_at(constraints[:, :2])
    room = points.swings[:, 2] - raw.heights_at(swings)
    for _ in range(MAX_REFINEMENT_ROUNDS):
        bend = scipy.interpolate.RBFInterpolator(
            constraints[:, :2], missing, kernel="linear", smoothing=RBF_SMOOTHING_M, degree=0
        )
        ground = replace(raw, bend=bend)
        buried = _deepest_swing_points(swings, bend(swings) - room, constraints) if len(swings) else []
        if len(buried) == 0:
            break
        constraints = np.concatenate([constraints, points.swings[buried]])
        missing = np.concatenate([missing, room[buried]])
    return ground


def bend_plane(points: FootPoints) -> FittedGround:
    """Return a level ground, bent to meet all contacts: the mesh editing baseline of PFNN, figure 13."""
    return refine_ground(FittedGround(LEVEL_PATCH, points.centre), points)


def _deepest_swing_points(xy: Array, depths: Array, fixed_points: Array) -> NDArray[np.intp]:
    """Return the indices of the deepest of points (S, 2) in each square of 8 cm, except near fixed points (N, 3)."""
    deep = np.flatnonzero(depths > MAX_PENETRATION_M)
    deep = deep[np.argsort(-depths[deep], kind="stable")]
    x, y = np.floor(xy[deep] / SWING_POINT_SPACING_M).astype(np.int64).T
    first = np.sort(np.unique((x << 32) + y, return_index=True)[1])
    chosen = deep[first]
    apart = np.linalg.norm(xy[chosen, None] - fixed_points[:, :2], axis=-1).min(axis=1)
    return chosen[apart > SWING_POINT_SPACING_M / 4]


def merge_contacts(contacts: Array, weights: Array) -> Array:
    """Return contacts (N, 3), m, with those within 0.1 mm of each other on the ground merged to weighted means."""
    places: list[Array] = []
    totals: list[float] = []
    for contact, weight in zip(contacts, weights, strict=True):
        near = np.linalg.norm(np.array(places).reshape(-1, 3)[:, :2] - contact[:2], axis=-1)
        if len(near) and near.min() < MERGE_DISTANCE_M:
            index = int(np.argmin(near))
            totals[index] += weight
            places[index] = places[index] + (contact - places[index]) * (weight / totals[index])
        else:
            places.append(contact)
            totals.append(weight)
    return np.array(places).reshape(-1, 3)
