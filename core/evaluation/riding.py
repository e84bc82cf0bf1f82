"""Motion relative to moving ground: feet that move with it do not slide, and paths move along with it."""

from typing import Final

import numpy as np

from ..motion.rotations import UP, Array
from ..terrain.ground import Scene

TURN_PROBE_DISTANCE_M: Final = 0.1
"""Distance of the second point for measuring the rotation of the ground."""
RIGID_TOLERANCE_M: Final = 1e-4
"""Largest change of the distance between two points on one rigid object."""


def steps_relative_to_ground(ground: Scene, points: Array, ray_start_above: float) -> Array:
    """Return displacements (F - 1, C, 3), meters, world, of points between frames, relative to the ground below them.

    Args:
        ground: the scene with the moving ground.
        points: (F, C, 3) points, world, meters; they may be slightly in the ground.
        ray_start_above: height above the points at which the downward search for the ground starts, meters.
    """
    up = ray_start_above * UP
    moved = [ground.move_with_ground(now + up, frame, frame + 1) - up for frame, now in enumerate(points[:-1])]
    return points[1:] - np.array(moved).reshape(points[1:].shape)


def undo_ground_motion(ground: Scene, roots: Array) -> Array:
    """Return horizontal positions (F, 2) of a root (F, 3), meters, in the frame of the ground that carries it.

    This frame coincides with the world at the first frame; later it is moved and turned by the ground under the root.
    """
    if ground.is_static:
        return roots[:, :2]
    result = np.empty((len(roots), 2))
    turned, shifted = np.eye(2), np.zeros(2)
    around = np.array([[0.0, 0.0, 0.0], [TURN_PROBE_DISTANCE_M, 0.0, 0.0]])
    for frame, root in enumerate(roots):
        if frame:
            here = roots[frame - 1] + around
            moved = ground.move_with_ground(here, frame - 1, frame)[:, :2]
            turn = _ground_rotation(moved[1] - moved[0])
            turned, shifted = turn @ turned, turn @ (shifted - here[0, :2]) + moved[0]
        result[frame] = turned.T @ (root[:2] - shifted)
    return result


def _ground_rotation(offset: Array) -> Array:
    """Return the rotation (2, 2) from the probe's offset to another offset (2); identity if its length has changed."""
    if abs(float(np.linalg.norm(offset)) - TURN_PROBE_DISTANCE_M) > RIGID_TOLERANCE_M:
        return np.eye(2)
    cosine, sine = offset / np.linalg.norm(offset)
    return np.array([[cosine, -sine], [sine, cosine]])
