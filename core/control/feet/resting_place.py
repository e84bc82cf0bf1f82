"""The resting place of a point during a contact, on ground that may move."""

import numpy as np

from ...motion.rotations import UP, Array
from ...terrain.ground import Scene


def rest_position(track: Array, start: int, stop: int) -> Array:
    """Return the rest position (3) of a point during a run: the mean of the run's middle half.

    Args:
        track: (F, 3) positions.
        start: First frame of the run.
        stop: Frame after its last.
    """
    quarter = (stop - start) // 4
    return track[start + quarter : max(stop - quarter, start + quarter + 1)].mean(axis=0)


def carry_to_middle_frame(scene: Scene, track: Array, start: int, stop: int, probe_height: float) -> Array:
    """Return the positions (N, 3), meters, of a run, each moved with the ground to the run's middle frame.

    Args:
        scene: The ground.
        track: (F, 3) positions, meters, world; they may be slightly below the ground.
        start: First frame of the run.
        stop: Frame after its last.
        probe_height: Height above the points from which the ground is searched downward, meters.
    """
    if scene.is_static:
        return track[start:stop]
    up, middle = UP * probe_height, (start + stop - 1) // 2
    return np.concatenate([scene.move_with_ground(track[f : f + 1] + up, f, middle) for f in range(start, stop)]) - up
