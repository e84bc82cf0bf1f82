"""Clips bent along curves: people who were captured walking straight, turning as well."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.control.feet.foot_lock import lock_feet
from ...core.motion import Clip
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import multiply, rotate, rotation_about_up
from ...core.terrain.ground import Scene

# Above this speed, m/s, a bend gets wider, so that it asks for no more force to the side than at it.
FULL_BEND_SPEED_M_S: Final = 1.5
PATH_SMOOTHING_S: Final = 0.25


def bend_clip(clip: Clip, contacts: NDArray[np.bool_], curvature: float, scene: Scene | None = None) -> Clip:
    """Return the clip with its way bent, and its feet put where the bent way has them.

    Every pose turns with the way; contacts, which the turning would make slide, are locked again.

    Args:
        clip: the motion.
        contacts: (F, 4) its contacts, in the order of ``labelling.contacts.JOINTS``.
        curvature: 1/m of way walked; positive bends to the left.
        scene: what it stands on; the plane z = 0 where not given.
    """
    positions = root_track(clip).positions
    way = gaussian_filter1d(positions, PATH_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    steps = np.linalg.norm(np.diff(way, axis=0), axis=-1)
    speeds = np.maximum(steps * clip.rate, FULL_BEND_SPEED_M_S)
    turns = np.concatenate([[0.0], np.cumsum(curvature * steps * (FULL_BEND_SPEED_M_S / speeds) ** 2)])
    flat = np.concatenate([positions, np.zeros((len(clip), 1))], axis=1)
    halfway = rotation_about_up((turns[1:] + turns[:-1]) / 2)
    bent = flat[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(rotate(halfway, np.diff(flat, axis=0)), axis=0)])
    turned = rotation_about_up(turns)
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(turned, rotations[:, 0])
    roots = bent + rotate(turned, clip.root_positions - flat)
    return lock_feet(replace(clip, root_positions=roots, rotations=rotations), contacts, scene)
