"""Motion of the ground under a character between frames."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import UP, Array, wrap_angle
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class GroundMotionTuning(Tuning):
    probe_height: float = tuned(0.1, "m", 0.01, 1.0)
    """Height above the character's ground from which the ground is searched downward."""
    probe_spacing: float = tuned(0.05, "m", 0.005, 0.5)
    """Distance from the character to two probes, one ahead and one behind, which measure how the ground turns."""


TUNING: Final = GroundMotionTuning()

GROUND_MOTION_TOLERANCE: Final = 1e-7
"""Movement, meters, and turn, radians, within a frame below which the ground counts as at rest."""


def ground_motion(ground: Scene, here: Array, yaw: float, frame: int) -> tuple[float, Array] | None:
    """Return turn, radians, and displacement (3), meters, world, of the ground below a point since the previous frame.

    Args:
        ground: the ground.
        here: (3) point on the ground at the previous frame, meters, world.
        yaw: facing of the character, radians.
        frame: frame of the walk.

    Returns:
        The turn, positive to the left, and the displacement; ``None`` if the ground is at rest.
    """
    beside = TUNING.probe_spacing * np.array([*facing_direction(np.array(yaw)), 0.0])
    points = np.stack([here - beside, here, here + beside])
    moved = ground.move_with_ground(points + UP * TUNING.probe_height, frame - 1, frame) - UP * TUNING.probe_height
    shift = moved[1] - here
    # At an edge one of the two probes may be on ground that does not move with it.
    probe = min(np.diff(moved, axis=0), key=lambda step: abs(float(np.linalg.norm(step)) - TUNING.probe_spacing))
    turn = float(wrap_angle(float(yaw_of(probe[:2])) - yaw))
    if np.abs(shift).max() < GROUND_MOTION_TOLERANCE and abs(turn) < GROUND_MOTION_TOLERANCE:
        return None
    return turn, shift
