"""Data augmentation that bends the path of a clip along a curve."""

from dataclasses import replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...core.control.feet.foot_lock import lock_feet
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import multiply, rotate, rotation_about_up
from ...core.terrain.ground import Scene

FULL_BEND_SPEED_M_S: Final = 1.5
"""Fastest travel bent by the full curvature; above it, lateral acceleration stays constant."""
PATH_SMOOTHING_S: Final = 0.25
"""Standard deviation, s, of the Gaussian that smooths the root path before its length is measured."""


def bend_clip(clip: Clip, contacts: FootContacts, curvature: float, scene: Scene | None = None) -> Clip:
    """Return a clip with its path bent to a curve and its feet locked again (cf. Gleicher 2001, path editing).

    Every pose turns with the path. Above 1.5 m/s the curvature falls with the square of the speed, so that the lateral
    acceleration stays bounded.

    Args:
        clip: the motion.
        contacts: the clip's foot contacts, during which feet are locked.
        curvature: curvature of the added bend, 1/m; positive turns left.
        scene: ground under the clip; by default the plane z = 0.
    """
    positions = root_track(clip).positions
    path = gaussian_filter1d(positions, PATH_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    steps = np.linalg.norm(np.diff(path, axis=0), axis=-1)
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
