"""The ground under a trajectory as features (PFNN section 4.3), for every ground fitted to a clip.

These features are separate from x and y, because a sample has several fitted grounds with otherwise equal values: a
ground is written into x and y when the sample is used.
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
from .locomotion import (
    EXTRAPOLATION_WINDOW_FRAMES,
    LATERAL_SAMPLE_OFFSET_M,
    ROOT_SMOOTHING_S,
    SAMPLE_OFFSETS_FRAMES,
    TRACK_PADDING_FRAMES,
)

Float32 = NDArray[np.float32]

LATERAL_SAMPLE_SIGNS: Final = (-1.0, 0.0, 1.0)
"""Sides on which the ground is sampled: left of, under and right of the trajectory."""
CENTER_SAMPLE_INDEX: Final = LATERAL_SAMPLE_SIGNS.index(0.0)
"""Index of the sample under the trajectory."""
HEIGHT_COUNT: Final = len(SAMPLE_OFFSETS_FRAMES) * len(LATERAL_SAMPLE_SIGNS)
"""Number of terrain heights sampled for a frame."""
BASE_COLUMN: Final = HEIGHT_COUNT
"""Column of the base, the mean of the center samples."""
PREVIOUS_BASE_COLUMN: Final = HEIGHT_COUNT + 1
"""Column of the previous frame's base."""
COLUMN_COUNT: Final = HEIGHT_COUNT + 2
"""Number of columns of a frame's features: heights relative to the base, the base, and the previous frame's base."""


def terrain_samples(clip: Clip, parts: Sequence[SegmentTerrain]) -> Float32:
    """Return the ground features (N, K, COLUMN_COUNT), meters, for a clip's samples on each of K terrains.

    Args:
        clip: the motion, at 60 Hz; for its samples see :func:`.locomotion.clip_features`.
        parts: the terrains fitted to the clip's segments.
    """
    frames = np.arange(2, len(clip) - 1)
    grounds = max(len(part.grounds) for part in parts)
    rows = np.zeros((len(frames), grounds, COLUMN_COUNT), dtype=np.float32)
    track = root_track(clip, ROOT_SMOOTHING_S)
    pad = TRACK_PADDING_FRAMES
    wide = extrapolate_track(track, pad, pad, EXTRAPOLATION_WINDOW_FRAMES)
    for part in parts:
        own = np.flatnonzero((frames >= part.start) & (frames < part.stop))
        if len(own) == 0:
            continue
        at = frames[own, None] + np.array(SAMPLE_OFFSETS_FRAMES) + pad
        before = wide.positions[at - 1]
        for number, ground in enumerate(part.grounds):
            heights = lateral_heights(ground, wide.positions[at], facing_direction(wide.yaws[at]))
            base = heights[..., CENTER_SAMPLE_INDEX].mean(axis=1)
            rows[own, number, :HEIGHT_COUNT] = (heights - base[:, None, None]).reshape(len(own), -1)
            rows[own, number, BASE_COLUMN] = base
            rows[own, number, PREVIOUS_BASE_COLUMN] = _ground_heights(ground, before).mean(axis=1)
    return rows


def lateral_heights(ground: Ground, positions: Array, directions: Array) -> Array:
    """Return the heights (..., 3), meters, of the ground to the left of a trajectory, under it and to its right.

    Args:
        ground: the ground.
        positions: (..., 2) positions, meters, world.
        directions: (..., 2) unit vectors of the facing.
    """
    across = np.stack([directions[..., 1], -directions[..., 0]], axis=-1)
    return _ground_heights(
        ground,
        positions[..., None, :]
        + across[..., None, :] * (LATERAL_SAMPLE_OFFSET_M * np.array(LATERAL_SAMPLE_SIGNS))[:, None],
    )


def _ground_heights(ground: Ground, positions: Array) -> Array:
    """Return the heights (...), meters, of the topmost ground at positions (..., 2)."""
    return ground.heights(np.concatenate([positions, np.zeros((*positions.shape[:-1], 1))], axis=-1))


def apply_terrain(x: Float32, y: Float32, rows: Float32, input_layout: Layout, output_layout: Layout) -> None:
    """Put training samples onto a ground: write its heights, and make pose heights relative to the ground's base.

    Args:
        x: (N, n) inputs, changed in place.
        y: (N, m) outputs, changed in place.
        rows: (N, COLUMN_COUNT) features of the ground, see :func:`terrain_samples`.
        input_layout: the groups of x.
        output_layout: the groups of y.
    """
    input_layout.view(x, "terrain.height")[:] = rows[:, :HEIGHT_COUNT].reshape(
        len(x), len(SAMPLE_OFFSETS_FRAMES), len(LATERAL_SAMPLE_SIGNS)
    )
    input_layout.view(x, "pose.position")[..., 2] -= rows[:, PREVIOUS_BASE_COLUMN, None]
    output_layout.view(y, "pose.position")[..., 2] -= rows[:, BASE_COLUMN, None]
