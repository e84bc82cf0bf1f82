"""Intermediate goals of characters that carry an object: points on their path, until the goal is straight ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from .goal_command import GoalCommand


@dataclass(frozen=True, slots=True)
class GoalOnTheWayTuning(Tuning):
    min_path_length: float = tuned(2.0, "m", 0.0, 10.0)
    """Path length below which a character goes directly to the goal."""
    detour_angle: float = tuned(0.6, "rad", 0.0, np.pi)
    """Angle between path and goal above which the goal is replaced with a point on the path."""
    place_distance: float = tuned(2.5, "m", 0.5, 10.0)
    """Distance from the character to the point that replaces the goal."""


TUNING: Final = GoalOnTheWayTuning()


def goal_positions(commands: Sequence[GoalCommand], positions: Array, steers: bool) -> Array:
    """Return the goal positions (B, 3) of characters at positions (B, 2), meters, world.

    The network heads straight for its goal. If the destination were on the other side of the table from which it took a
    box, the character would get stuck at the table.

    Args:
        commands: (B) commands of the characters.
        positions: (B, 2) roots, meters, world.
        steers: whether goals may be replaced with points on the planned path.
    """
    goals = np.stack([command.position for command in commands])
    for row, command in enumerate(commands if steers else ()):
        if command.action != "carry":
            continue
        point, length = command.look_ahead(positions[row])
        if length < TUNING.min_path_length:
            continue
        way, straight = point - positions[row], goals[row, :2] - positions[row]
        if abs(wrap_angle(yaw_of(way) - yaw_of(straight))) > TUNING.detour_angle:
            goals[row, :2] = positions[row] + way / max(float(np.linalg.norm(way)), 1e-6) * TUNING.place_distance
    return goals
