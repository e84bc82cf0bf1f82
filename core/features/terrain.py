"""The ground under a trajectory as numbers of a sample (PFNN section 4.3), for every ground that a clip was fitted to.

Kept apart from x and y, since a sample has as many grounds as were fitted to it and all else is the same on each:
what it stands on is put into x and y when it is used.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.root_frame import extended, facing, root_track
from ..motion.rotations import Array
from ..terrain.clip_terrain import PartTerrain
from ..terrain.ground import Ground
from .layout import Layout
from .locomotion import OFFSETS, RATE, SIDE

Float32 = NDArray[np.float32]

SIDES: Final = (-1.0, 0.0, 1.0)
CENTRE: Final = SIDES.index(0.0)
"""Where the ground is looked at: to the left, under the trajectory, to the right."""
HEIGHTS: Final = len(OFFSETS) * len(SIDES)
BASE: Final = HEIGHTS
BEFORE: Final = HEIGHTS + 1
COLUMNS: Final = HEIGHTS + 2
"""Heights under the trajectory less the base; the base, which is their mean at the centre; that of the frame before."""


def terrain_rows(clip: Clip, parts: Sequence[PartTerrain]) -> Float32:
    """The grounds (N, K, COLUMNS), metres, of a clip's samples: those of :func:`~.pfnn.clip_features`.

    Args:
        clip: at 60 Hz.
        parts: its grounds.
    """
    frames = np.arange(2, len(clip) - 1)
    grounds = max(len(part.grounds) for part in parts)
    rows = np.zeros((max(len(frames), 0), grounds, COLUMNS), dtype=np.float32)
    track = root_track(clip)
    pad = -OFFSETS[0] + 1
    wide = extended(track, pad, pad, int(0.75 * RATE))
    for part in parts:
        own = np.flatnonzero((frames >= part.start) & (frames < part.stop))
        if len(own) == 0:
            continue
        at = frames[own, None] + np.array(OFFSETS) + pad
        before = wide.positions[at - 1]
        for number, ground in enumerate(part.grounds):
            heights = beside(ground, wide.positions[at], facing(wide.yaws[at]))
            base = heights[..., CENTRE].mean(axis=1)
            rows[own, number, :HEIGHTS] = (heights - base[:, None, None]).reshape(len(own), -1)
            rows[own, number, BASE] = base
            rows[own, number, BEFORE] = _heights(ground, before).mean(axis=1)
    return rows


def beside(ground: Ground, places: Array, directions: Array) -> Array:
    """The ground's heights (..., 3), metres, left of, under and right of places (..., 2) passed in ``directions``."""
    across = np.stack([directions[..., 1], -directions[..., 0]], axis=-1)
    return _heights(ground, places[..., None, :] + across[..., None, :] * (SIDE * np.array(SIDES))[:, None])


def _heights(ground: Ground, places: Array) -> Array:
    """Heights (...) at places (..., 2) of a ground that nothing is ever under."""
    return ground.heights(np.concatenate([places, np.zeros((*places.shape[:-1], 1))], axis=-1))


def stand_on(x: Float32, y: Float32, rows: Float32, input_layout: Layout, output_layout: Layout) -> None:
    """Puts samples x (N, n) and y (N, m) onto grounds (N, COLUMNS), in place: heights, and poses above the base."""
    input_layout.view(x, "terrain.height")[:] = rows[:, :HEIGHTS].reshape(len(x), len(OFFSETS), len(SIDES))
    input_layout.view(x, "pose.position")[..., 2] -= rows[:, BEFORE, None]
    output_layout.view(y, "pose.position")[..., 2] -= rows[:, BASE, None]
