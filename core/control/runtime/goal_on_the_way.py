"""Goals of characters that carry: places on the planned path, until the destination lies ahead."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from .goal_command import GoalCommand

MIN_PATH_LENGTH_M: Final = 2.0
"""Path length to the goal up to which that is gone for, whatever is between."""
DETOUR_RAD: Final = 0.6
"""Angle between the way and the goal from which a character is told to go to a place on the way."""
DISTANCE_M: Final = 2.5
"""Distance of that place."""


def goal_positions(commands: Sequence[GoalCommand], positions: Array, steers: bool) -> Array:
    """Return where (B, 3) characters at positions (B, 2) are told to go, meters, world.

    A network goes by its goal: with a box from a table that is to be put down behind it, a character would stand there.

    Args:
        commands: (B) of the characters.
        positions: (B, 2) roots, meters, world.
        steers: whether far goals are gone for on the planned path.
    """
    goals = np.stack([command.position for command in commands])
    for row, command in enumerate(commands if steers else ()):
        point, length = command.look_ahead(positions[row])
        way, straight = point - positions[row], goals[row, :2] - positions[row]
        if command.action != "carry" or length < MIN_PATH_LENGTH_M:
            continue
        if abs(wrap_angle(yaw_of(way) - yaw_of(straight))) > DETOUR_RAD:
            goals[row, :2] = positions[row] + way / max(float(np.linalg.norm(way)), 1e-6) * DISTANCE_M
    return goals
