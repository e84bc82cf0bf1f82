"""How feet stand on ground that is not level: how deep in it, how high over it."""

import numpy as np

from ..labelling.contacts.sensor_tracks import tracks_of
from ..labelling.presets import BIPED
from ..motion import Clip
from ..motion.heel import BALL_HEIGHT
from ..motion.proportions import ADULT_LEG, TOE_HEIGHT
from ..motion.rotations import UP, Array
from ..terrain.ground import Scene, heights_over
from .feet import floating, penetration

# Metres above a foot from which the ground under it is looked for, of an adult.
ABOVE = 0.4


def sole_heights(clip: Clip, scene: Scene, standing: Clip | None = None) -> Array:
    """Heights (F, 4), metres, of heels' and balls' soles over the ground; infinite where there is none."""
    scale = clip.skeleton.leg_length / ADULT_LEG
    points = tracks_of(clip, BIPED, standing)
    heights = np.full(points.shape[:2], np.inf)
    for column in range(points.shape[1]):
        above = (TOE_HEIGHT if column % 2 else TOE_HEIGHT - BALL_HEIGHT) * scale
        ground = heights_over(scene, points[:, column] + ABOVE * scale * UP)
        heights[:, column] = np.where(np.isnan(ground), np.inf, points[:, column, 2] - above - ground)
    return heights


def footing(clip: Clip, contacts: Array, scene: Scene, standing: Clip | None = None) -> dict[str, float]:
    """Penetration and float of a clip on a scene, millimetres.

    Args:
        clip: the motion, metres, world.
        contacts: (F, 4) of heels and balls, in the order of ``labelling.contacts.JOINTS``.
        scene: what it walks on.
        standing: the same body on level ground, whose flat feet say where heels are.
    """
    heights = sole_heights(clip, scene, standing)
    depths, above = penetration(heights), floating(np.where(np.isinf(heights), 0.0, heights), contacts)
    return {
        "penetration_mean_mm": 1000 * float(depths.mean()),
        "penetration_max_mm": 1000 * float(depths.max()),
        "float_mean_mm": 1000 * float(above.mean()) if len(above) else 0.0,
    }
