"""How far one may leave a way on either side: until a wall, an edge, or what is kept away from."""

from typing import Final

import numpy as np
import scipy

from ...motion.root_frame import facing
from ...motion.rotations import UP, Array
from ...terrain.ground import Plane
from ...terrain.walk_scene import Surroundings
from ..path.path import Path
from ..path.terrain_profile import MAX_STEP_UP_M, TerrainProfile
from .path_repair import BODY_HALF_WIDTH_M, CHEST_HEIGHT_M, HEAD_HEIGHT_M, KNEE_HEIGHT_M

# Of an adult, metres.
SAMPLE_SPACING_M: Final = 0.2
"""How far apart the ground is looked at, along the way and across it."""
MAX_LEVEL_CHANGE_M: Final = 0.25
"""How much higher or lower the ground may be there."""


def corridor_widths(
    path: Path, profile: TerrainProfile, surroundings: Surroundings, scale: float, max_width: float
) -> Array | None:
    """Metres (M, 2) by which the middle of a body may be left and right of each of a path's points; ``None`` where that
    is ``max_width`` everywhere.

    Args:
        path: where to walk.
        profile: what is along it.
        surroundings: the scene, at the walk's first frame.
        scale: the body's size as a share of an adult's.
        max_width: metres that are enough.
    """
    ground, avoid = surroundings.ground, surroundings.avoid
    if isinstance(ground, Plane) and avoid is None:
        return None
    lengths = np.linspace(0.0, path.length, max(round(path.length / (SAMPLE_SPACING_M * scale)), 1) + 1)
    ahead = facing(path.yaw_at(lengths))
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=-1)
    away = (
        SAMPLE_SPACING_M
        * scale
        * np.arange(int(np.ceil((max_width + BODY_HALF_WIDTH_M * scale) / (SAMPLE_SPACING_M * scale))) + 1)
    )
    places = path.position_at(lengths)[:, None, None] + np.stack([left, -left], axis=1)[:, :, None] * away[:, None]
    levels = np.broadcast_to(profile.height_at(lengths)[:, None, None], places.shape[:-1])
    heights = ground.heights(np.concatenate([places, (levels + MAX_STEP_UP_M * scale)[..., None]], axis=-1))
    # (K, 2, A - 1): whether one gets from each place to the next one farther away.
    shut = ~(np.abs(np.diff(heights, axis=-1)) <= MAX_LEVEL_CHANGE_M * scale)
    at = np.concatenate([places, np.where(np.isnan(heights), levels, heights)[..., None]], axis=-1)
    for scene in [scene for scene in (ground, avoid) if scene is not None]:
        for above in (KNEE_HEIGHT_M, CHEST_HEIGHT_M):
            higher = np.maximum(at[..., :-1, 2:], at[..., 1:, 2:]) + above * scale
            here, there = (np.concatenate([part, higher], axis=-1) for part in (at[..., :-1, :2], at[..., 1:, :2]))
            shut |= scene.blocked(here, there)
    if avoid is not None:
        shut |= (avoid.heights(at + UP * HEAD_HEIGHT_M * scale) > at[..., 2] - KNEE_HEIGHT_M * scale)[..., 1:]
    free = np.where(shut.any(axis=-1), away[shut.argmax(axis=-1)], np.inf)
    room = scipy.ndimage.minimum_filter1d(
        np.clip(free - BODY_HALF_WIDTH_M * scale, 0.0, max_width), 3, axis=0, mode="nearest"
    )
    if (room >= max_width).all():
        return None
    return np.stack([np.interp(path.arc_lengths, lengths, side) for side in room.T], axis=-1)
