"""The ground under a trajectory as numbers of a sample (PFNN section 4.3), for every ground that a clip was fitted to.

Kept apart from x and y, since a sample has as many grounds as were fitted to it and all else is the same on each:
what it stands on is put into x and y when it is used.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.root_frame import extrapolate_track, facing_direction, root_track
from ..motion.rotations import Array
from ..terrain.clip_terrain import SegmentTerrain
from ..terrain.ground import Ground
from .layout import Layout
from .locomotion import FEATURE_RATE_HZ, LATERAL_SAMPLE_OFFSET_M, SAMPLE_OFFSETS_FRAMES

Float32 = NDArray[np.float32]

LATERAL_SAMPLE_SIGNS: Final = (-1.0, 0.0, 1.0)
CENTRE_SAMPLE_INDEX: Final = LATERAL_SAMPLE_SIGNS.index(0.0)
"""Where the ground is looked at: to the left, under the trajectory, to the right."""
HEIGHT_COUNT: Final = len(SAMPLE_OFFSETS_FRAMES) * len(LATERAL_SAMPLE_SIGNS)
BASE_COLUMN: Final = HEIGHT_COUNT
PREVIOUS_BASE_COLUMN: Final = HEIGHT_COUNT + 1
COLUMN_COUNT: Final = HEIGHT_COUNT + 2
"""Heights under the trajectory less the base; the base, which is their mean at the centre; that of the frame before."""


def terrain_samples(clip: Clip, parts: Sequence[SegmentTerrain]) -> Float32:
    """Return the grounds (N, K, COLUMNS), metres, of a clip's samples: those of :func:`~.pfnn.clip_features`.

    Args:
        clip: at 60 Hz.
        parts: its grounds.
    """
    frames = np.arange(2, len(clip) - 1)
    grounds = max(len(part.grounds) for part in parts)
    rows = np.zeros((max(len(frames), 0), grounds, COLUMN_COUNT), dtype=np.float32)
    track = root_track(clip)
    pad = -SAMPLE_OFFSETS_FRAMES[0] + 1
    wide = extrapolate_track(track, pad, pad, int(0.75 * FEATURE_RATE_HZ))
    for part in parts:
        own = np.flatnonzero((frames >= part.start) & (frames < part.stop))
        if len(own) == 0:
            continue
        at = frames[own, None] + np.array(SAMPLE_OFFSETS_FRAMES) + pad
        before = wide.positions[at - 1]
        for number, ground in enumerate(part.grounds):
            heights = lateral_heights(ground, wide.positions[at], facing_direction(wide.yaws[at]))
            base = heights[..., CENTRE_SAMPLE_INDEX].mean(axis=1)
            rows[own, number, :HEIGHT_COUNT] = (heights - base[:, None, None]).reshape(len(own), -1)
            rows[own, number, BASE_COLUMN] = base
            rows[own, number, PREVIOUS_BASE_COLUMN] = _ground_heights(ground, before).mean(axis=1)
    return rows


def lateral_heights(ground: Ground, positions: Array, directions: Array) -> Array:
    """Return the ground's heights (..., 3), metres, left of, under and right of places (..., 2) passed in
    ``directions``.
    """
    across = np.stack([directions[..., 1], -directions[..., 0]], axis=-1)
    return _ground_heights(
        ground,
        positions[..., None, :]
        + across[..., None, :] * (LATERAL_SAMPLE_OFFSET_M * np.array(LATERAL_SAMPLE_SIGNS))[:, None],
    )


def _ground_heights(ground: Ground, positions: Array) -> Array:
    """Heights (...) at places (..., 2) of a ground that nothing is ever under."""
    return ground.heights(np.concatenate([positions, np.zeros((*positions.shape[:-1], 1))], axis=-1))


def apply_terrain(x: Float32, y: Float32, rows: Float32, input_layout: Layout, output_layout: Layout) -> None:
    """Put samples x (N, n) and y (N, m) onto grounds (N, COLUMNS), in place: heights, and poses above the base."""
    input_layout.view(x, "terrain.height")[:] = rows[:, :HEIGHT_COUNT].reshape(
        len(x), len(SAMPLE_OFFSETS_FRAMES), len(LATERAL_SAMPLE_SIGNS)
    )
    input_layout.view(x, "pose.position")[..., 2] -= rows[:, PREVIOUS_BASE_COLUMN, None]
    output_layout.view(y, "pose.position")[..., 2] -= rows[:, BASE_COLUMN, None]
