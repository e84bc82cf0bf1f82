"""Ground bent until feet stand exactly on it (PFNN section 4.2; after Botsch and Kobbelt 2005).

A radial basis function of the plane with a linear kernel goes through what is missing at the contacts and is added to
the patch.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.interpolate import RBFInterpolator

from ..motion.rotations import Array
from .foot_points import FootPoints
from .heightfield import Heightfield

SMOOTHING: Final = 1e-4
"""Metres. The released code's 0.1, of centimetres, is ten times as much, and leaves a millimetre where ground is as steep
as stairs; this leaves a tenth of one."""
SAME_PLACE: Final = 0.02
"""Contacts that are nearer to each other, metres, become one: a ground cannot be at two heights."""
SLOPE_STEP: Final = 0.02
"""Metres over which slopes are taken: half a cell."""


@dataclass(frozen=True, eq=False)
class FittedGround:
    """A patch under a part of a clip, bent to its feet: a :class:`Ground` without end, that nothing is ever under.

    Beyond the patch's edge it goes on as high as there.

    Attributes:
        patch: around (0, 0), metres.
        middle: (3), where its middle is in the world, and how high its zero is.
        bend: what is added to its heights by place (N, 2), (N, 1); ``None`` where nothing is.
    """

    patch: Heightfield
    middle: Array
    bend: RBFInterpolator | None = None

    def heights_at(self, xy: Array) -> Array:
        """Heights (...), metres, at world places xy (..., 2)."""
        xy = np.asarray(xy, dtype=float)
        result = self.patch.heights_at(xy - self.middle[:2], extended=True) + self.middle[2]
        if self.bend is not None and xy.size:
            result = result + self.bend(xy.reshape(-1, 2)).reshape(result.shape)
        return result

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.heights_at(np.asarray(points)[..., :2])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        xy = np.asarray(points, dtype=float)[..., None, :2]
        steps = SLOPE_STEP * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        around = self.heights_at(xy + steps)
        rise = (around[..., ::2] - around[..., 1::2]) / (2 * SLOPE_STEP)
        normals = np.concatenate([-rise, np.ones_like(rise[..., :1])], axis=-1)
        return normals / np.linalg.norm(normals, axis=-1, keepdims=True)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`; there are none."""
        return np.full(np.shape(points)[:-1], np.inf)


def refine(patch: Heightfield, points: FootPoints, offset: float) -> FittedGround:
    """The patch with its middle under the mean of the contacts, bent until feet stand on it.

    Args:
        patch: around (0, 0).
        points: what it is bent to.
        offset: how high the patch's zero is in the world, metres.
    """
    raw = FittedGround(patch, np.append(points.centre[:2], offset))
    if len(points.contacts) == 0:
        return raw
    places = merged(points.contacts, points.contact_weights)
    missing = places[:, 2] - raw.heights_at(places[:, :2])
    bend = RBFInterpolator(places[:, :2], missing, kernel="linear", smoothing=SMOOTHING, degree=0)
    return FittedGround(patch, raw.middle, bend)


def merged(contacts: Array, weights: Array) -> Array:
    """The contacts (N, 3) of (C, 3), no two of which are nearer than 2 cm on the ground: those are their means."""
    places: list[Array] = []
    totals: list[float] = []
    for contact, weight in zip(contacts, weights, strict=True):
        near = np.linalg.norm(np.array(places).reshape(-1, 3)[:, :2] - contact[:2], axis=-1)
        if len(near) and near.min() < SAME_PLACE:
            index = int(np.argmin(near))
            totals[index] += weight
            places[index] = places[index] + (contact - places[index]) * (weight / totals[index])
        else:
            places.append(contact)
            totals.append(weight)
    return np.array(places).reshape(-1, 3)
