"""What is about a character: spheres in a cylinder around it, and how far things reach into each (NSM section 4.3).

Sizes are those of the released code: rings 0.25 m apart out to 2 m, layers 0.25 m apart from the ground to 2 m.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..features.root import out_of_frame
from ..motion.rotations import Array
from .placed import Placed

SPACING: Final = 0.25
RINGS: Final = 8
LAYERS: Final = 9
RADIUS: Final = np.sqrt(0.5) * SPACING
"""Metres, of a sphere."""


def _cylinder() -> Array:
    rings = [round(2 * np.pi * ring) for ring in range(1, RINGS + 1)]
    angles = np.concatenate([2 * np.pi * np.arange(count) / count for count in rings])
    radii = SPACING * np.repeat(np.arange(1, RINGS + 1), rings)
    disc = np.stack([radii * np.sin(angles), radii * np.cos(angles)], axis=-1)
    heights = SPACING * np.arange(LAYERS)
    return np.column_stack([np.tile(disc, (LAYERS, 1)), np.repeat(heights, len(disc))])


CELLS: Final = _cylinder()
"""Centres (2034, 3) of the spheres, metres in the root's frame: layer by layer, ring by ring, ahead first."""
COUNT: Final = len(CELLS)


def sense_environment(positions: Array, yaws: Array, objects: Sequence[Placed]) -> Array:
    """What B characters sense (B, 2034), from 0, nothing, to 1, the middle of a sphere is within something (eq. 3).

    Args:
        positions: (B, 3) of their roots on the ground, metres, world.
        yaws: (B) radians.
        objects: what there is.
    """
    points = positions[:, None] + out_of_frame(np.broadcast_to(CELLS, (len(yaws), *CELLS.shape)), yaws[:, None])
    flat = points.reshape(-1, 3)
    distances = np.full(len(flat), np.inf)
    for one in objects:
        lower, upper = one.collider.box
        far = np.linalg.norm(flat - one.out((lower + upper)[None] / 2), axis=-1)
        close = np.flatnonzero(far < np.linalg.norm(upper - lower) / 2 + RADIUS)
        if len(close):
            distances[close] = np.minimum(distances[close], one.collider.near(one.into(flat[close])))
    return np.maximum(1.0 - distances / RADIUS, 0.0).reshape(len(yaws), COUNT)
