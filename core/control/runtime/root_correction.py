"""Corrections of roots beside the network: out of colliders, and toward the places where actions are done."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from ...scene.body_size import BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M
from ...scene.collider_pose import PosedCollider

COLLISION_CORRECTION_SHARE: Final = 0.5
"""Share of the missing distance that is corrected in a frame."""
MAX_COLLISION_PUSH_M_S: Final = 1.2
"""Speed by which that correction may exceed the root's own: it stops a character at any speed, and throws none."""
ROOT_PULL_S: Final = 0.5
"""Time in which the root covers nine tenths of the distance to its target, at weight 1."""
MAX_ROOT_PULL_M_S, MAX_ROOT_PULL_RAD = 0.35, 0.6
"""Speed limit of that pull, and limit of the angle error that it corrects."""


def is_clear(position: Array, collider: PosedCollider) -> bool:
    """Return whether a root (2), meters, world, is far enough from a collider to stand there."""
    return not collider.clearance_displacement(position, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M).any()


def push_out(position: Array, before: Array, colliders: Sequence[PosedCollider], rate: float) -> Array:
    """Return a root (2), meters, world, a frame nearer to where no collider touches it.

    Args:
        position: (2) meters, world.
        before: (2) root of the frame before, meters, world.
        colliders: those that the root does not enter.
        rate: frames per second.
    """
    largest = MAX_COLLISION_PUSH_M_S / rate + float(np.linalg.norm(position - before))
    for collider in colliders:
        displacement = COLLISION_CORRECTION_SHARE * collider.clearance_displacement(
            position, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M
        )
        position = position + displacement * min(1.0, largest / max(float(np.linalg.norm(displacement)), 1e-9))
    return position


def pull_root(position: Array, yaw: float, target: tuple[Array, Array, float], rate: float) -> tuple[Array, float]:
    """Return root (2), meters, world, and yaw, radians, a frame nearer to a target, with limited speed.

    Args:
        position: (2) meters, world.
        yaw: radians.
        target: position (2), meters, world, direction (2), and weight of the pull, 0 to 1.
        rate: frames per second.
    """
    goal, direction, share = target
    share *= 1 - 0.1 ** (1 / (ROOT_PULL_S * rate))
    offset = goal - position
    fastest = MAX_ROOT_PULL_M_S / rate / max(float(np.linalg.norm(offset)), 1e-9)
    turn = float(wrap_angle(float(yaw_of(direction)) - yaw))
    limited = float(np.clip(turn, -MAX_ROOT_PULL_RAD, MAX_ROOT_PULL_RAD))
    return position + min(share, fastest) * offset, yaw + share * limited
