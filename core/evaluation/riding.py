"""Motion as it is seen from ground that moves: feet that go with it do not slide, and paths are carried along by it."""

from typing import Final

import numpy as np

from ..motion.rotations import UP, Array
from ..terrain.ground import Scene

TURN_PROBE_DISTANCE_M: Final = 0.1
"""Metres beside somebody at which it is seen how the ground under them turns."""
RIGID_TOLERANCE_M: Final = 1e-4
"""Metres by which two points on one thing come nearer or go apart, at most."""


def steps_relative_to_ground(ground: Scene, points: Array, ray_start_above: float) -> Array:
    """By how much (F - 1, C, 3) points (F, C, 3), metres, move on the ground from each frame to the next.

    Args:
        ground: what is stood on.
        points: metres, world; they may be somewhat in the ground.
        ray_start_above: from how far above them the ground is looked for, metres.
    """
    up = ray_start_above * UP
    carried = [ground.move_with_ground(now + up, frame, frame + 1) - up for frame, now in enumerate(points[:-1])]
    return points[1:] - np.array(carried).reshape(points[1:].shape)


def undo_ground_motion(ground: Scene, roots: Array) -> Array:
    """Where roots (F, 3), metres, would be on the ground (F, 2) if it had not carried them, and their paths, along.

    From who stands on something that moves, the whole of their path moves with it.
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
    """Return the rotation (2, 2) that took the way (BESIDE, 0) to another (2); none where that is of another length."""
    if abs(float(np.linalg.norm(offset)) - TURN_PROBE_DISTANCE_M) > RIGID_TOLERANCE_M:
        return np.eye(2)
    cosine, sine = offset / np.linalg.norm(offset)
    return np.array([[cosine, -sine], [sine, cosine]])
