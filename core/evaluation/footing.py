"""Metrics of feet on uneven ground: penetration and float."""

from typing import Final

import numpy as np

from ..labelling.contacts.sensor_tracks import sensor_tracks
from ..labelling.presets import BIPED_PRESET
from ..motion import Clip
from ..motion.contacts import FootContacts
from ..motion.heel import BALL_HEIGHT_M
from ..motion.paws import paw_tracks
from ..motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M
from ..motion.roles import is_quadruped
from ..motion.rotations import UP, Array
from ..terrain.ground import Scene, ground_heights_at
from .feet import floating_heights, penetration_depths

RAY_START_ABOVE_M = 0.4
"""Height above an adult's foot at which the ray down to the ground starts."""
STANDING_PERCENTILE = 25.0
"""Percentile of a paw's heights taken as its standing height."""


EDGE_M: Final = 0.06
"""Height difference of the ground along an adult's foot above which it is an edge, not a slope."""


def sole_heights(clip: Clip, scene: Scene, level_ground_clip: Clip | None = None) -> Array:
    """Return the heights (F, 4), meters, of soles at heels and balls, or of paws, above the ground.

    The height over a place without ground is infinite.

    Args:
        clip: the motion.
        scene: the scene of the walk.
        level_ground_clip: clip of the same body on level ground, by which heels and paws are located; ``clip`` by
            default.
    """
    return own_and_carried_heights(clip, scene, level_ground_clip)[0]


def own_and_carried_heights(clip: Clip, scene: Scene, level_ground_clip: Clip | None = None) -> tuple[Array, Array]:
    """Return the heights (F, 4), meters, of heels and balls, or paws, above the ground, by two definitions.

    The first is the height above the ground straight below. The second is the same except for a heel or ball beyond the
    edge of a step: the other end of its foot carries it, and it gets that end's height if this is lower.
    """
    if is_quadruped(clip.skeleton.roles):
        heights = _paw_heights(clip, scene, level_ground_clip or clip)
        return heights, heights
    soles, ground = _soles_and_ground(clip, scene, level_ground_clip)
    heights = np.where(np.isnan(ground), np.inf, soles - ground)
    other = [1, 0, 3, 2]
    edge = EDGE_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    is_over_edge = np.nan_to_num(ground, nan=-np.inf) < ground[:, other] - edge
    return heights, np.where(is_over_edge, np.minimum(heights, heights[:, other]), heights)


def _soles_and_ground(clip: Clip, scene: Scene, level_ground_clip: Clip | None) -> tuple[Array, Array]:
    """Return heights (F, 4), meters, world, of heels' and balls' soles, and of the ground below; NaN without ground."""
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    points = sensor_tracks(clip, BIPED_PRESET, level_ground_clip)
    heels_and_balls = np.arange(points.shape[1]) % 2
    above = np.where(heels_and_balls, TOE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M) * scale
    columns = [ground_heights_at(scene, column + RAY_START_ABOVE_M * scale * UP) for column in points.swapaxes(0, 1)]
    return points[..., 2] - above, np.stack(columns, axis=1)


def _paw_heights(clip: Clip, scene: Scene, level_ground_clip: Clip) -> Array:
    """Return the height (F, 4) of a quadruped's paws over the ground, meters, minus their standing height."""
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    soles = np.percentile(paw_tracks(level_ground_clip)[..., 2], STANDING_PERCENTILE, axis=0)
    points, heights = paw_tracks(clip), np.full((len(clip), len(soles)), np.inf)
    for column, above in enumerate(soles):
        ground = ground_heights_at(scene, points[:, column] + RAY_START_ABOVE_M * scale * UP)
        heights[:, column] = np.where(np.isnan(ground), np.inf, points[:, column, 2] - above - ground)
    return heights


def measure_footing(
    clip: Clip, contacts: FootContacts, scene: Scene, level_ground_clip: Clip | None = None
) -> dict[str, float]:
    """Return mean and largest depth of soles in the ground, and their mean height in contact, mm, by name of metric.

    Args:
        clip: the motion, world.
        contacts: contacts of heels and balls.
        scene: the scene of the walk.
        level_ground_clip: clip of the same body on level ground, by which heels and paws are located; ``clip`` by
            default.
    """
    heights = sole_heights(clip, scene, level_ground_clip)
    depths = penetration_depths(heights)
    above = floating_heights(np.where(np.isinf(heights), 0.0, heights), contacts.probabilities)
    return {
        "penetration_mean_mm": 1000 * float(depths.mean()),
        "penetration_max_mm": 1000 * float(depths.max()),
        "float_mean_mm": 1000 * float(above.mean()) if len(above) else 0.0,
    }
