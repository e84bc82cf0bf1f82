"""The position at which a heel, ball or paw rests during a contact, on ground that may move."""

import numpy as np

from ...motion.rotations import UP, Array
from ...terrain.ground import Scene


def rest_position(track: Array, start: int, stop: int) -> Array:
    """Return a point's resting position (3) in a run of frames: its mean over the middle half of the run.

    Args:
        track: (F, 3) positions of the point.
        start: First frame of the run.
        stop: Frame after the run's last frame.
    """
    quarter = (stop - start) // 4
    return track[start + quarter : max(stop - quarter, start + quarter + 1)].mean(axis=0)


def carry_to_middle_frame(scene: Scene, track: Array, start: int, stop: int, probe_height: float) -> Array:
    """Return a run's positions (N, 3), meters, each carried by the moving ground to the run's middle frame.

    Args:
        scene: The ground.
        track: (F, 3) positions, meters, world; they may be slightly below the ground.
        start: First frame of the run.
        stop: Frame after the run's last frame.
        probe_height: Height above the points from which the ground is searched downward, meters.
    """
    if scene.is_static:
        return track[start:stop]
    up, middle = UP * probe_height, (start + stop - 1) // 2
    return np.concatenate([scene.move_with_ground(track[f : f + 1] + up, f, middle) for f in range(start, stop)]) - up
