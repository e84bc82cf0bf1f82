"""Corridor widths: the free distance beside a path, up to walls, edges and avoided obstacles (Geraerts 2010)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.root_frame import facing_direction
from ...motion.rotations import UP, Array
from ...scene.body_size import CHEST_HEIGHT_M, HEAD_HEIGHT_M, KNEE_HEIGHT_M, PATH_HALF_WIDTH_M
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from ..path.terrain_profile import TerrainProfile


@dataclass(frozen=True, slots=True)
class CorridorWidthTuning(Tuning):
    """Tuned numbers of corridor widths; lengths are those of an adult, and are multiplied by the body's scale."""

    sample_spacing: float = tuned(0.2, "m", 0.02, 1.0)
    """Distance between ground samples, along the path and across it."""
    max_level_change: float = tuned(0.25, "m", 0.0, 1.0)
    """Largest height difference between neighboring samples that a body can cross."""


TUNING: Final = CorridorWidthTuning()


def corridor_widths(
    path: Path, profile: TerrainProfile, surroundings: WalkScene, scale: float, max_width: float
) -> Array | None:
    """Return the distances (M, 2), meters, by which a body can move to the left and right of each path point.

    Return ``None`` if both sides are ``max_width`` wide everywhere.

    Args:
        path: Path of M points.
        profile: Terrain profile of the path.
        surroundings: The scene, at the first frame of the walk.
        scale: Size of the body as a share of an adult's.
        max_width: Width, meters, at which the search ends.
    """
    ground, avoid = surroundings.ground, surroundings.obstacles
    if isinstance(ground, Plane) and avoid is None:
        return None
    lengths = np.linspace(0.0, path.length, max(round(path.length / (TUNING.sample_spacing * scale)), 1) + 1)
    directions = facing_direction(path.yaw_at(lengths))
    left = np.stack([-directions[:, 1], directions[:, 0]], axis=-1)
    lateral = (
        TUNING.sample_spacing
        * scale
        * np.arange(int(np.ceil((max_width + PATH_HALF_WIDTH_M * scale) / (TUNING.sample_spacing * scale))) + 1)
    )
    places = path.position_at(lengths)[:, None, None] + np.stack([left, -left], axis=1)[:, :, None] * lateral[:, None]
    levels = np.broadcast_to(profile.height_at(lengths)[:, None, None], places.shape[:-1])
    heights = ground.heights(
        np.concatenate([places, (levels + TERRAIN_PROFILE_TUNING.max_step_up * scale)[..., None]], axis=-1)
    )
    # (K, 2, A - 1): whether the step from each sample to the next one farther away is blocked.
    blocked = ~(np.abs(np.diff(heights, axis=-1)) <= TUNING.max_level_change * scale)
    points = np.concatenate([places, np.where(np.isnan(heights), levels, heights)[..., None]], axis=-1)
    for scene in [scene for scene in (ground, avoid) if scene is not None]:
        for above in (KNEE_HEIGHT_M, CHEST_HEIGHT_M):
            higher = np.maximum(points[..., :-1, 2:], points[..., 1:, 2:]) + above * scale
            here, there = (
                np.concatenate([part, higher], axis=-1) for part in (points[..., :-1, :2], points[..., 1:, :2])
            )
            blocked |= scene.blocked(here, there)
    if avoid is not None:
        blocked |= (avoid.heights(points + UP * HEAD_HEIGHT_M * scale) > points[..., 2] - KNEE_HEIGHT_M * scale)[
            ..., 1:
        ]
    free = np.where(blocked.any(axis=-1), lateral[blocked.argmax(axis=-1)], np.inf)
    widths = scipy.ndimage.minimum_filter1d(
        np.clip(free - PATH_HALF_WIDTH_M * scale, 0.0, max_width), 3, axis=0, mode="nearest"
    )
    if (widths >= max_width).all():
        return None
    return np.stack([np.interp(path.arc_lengths, lengths, side) for side in widths.T], axis=-1)
