"""Corrections of roots after a network's step: they are pushed out of colliders, and slide along them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.body_size import BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M
from ...scene.collider_pose import PosedCollider
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class RootCorrectionTuning(Tuning):
    collision_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of the missing clearance from a collider that is corrected in each frame."""
    shift_steps: int = tuned(10, "1", 1, 100)
    """Number of small steps in which a displacement of the root is checked for colliders."""
    max_push: float = tuned(1.2, "m/s", 0.0, 10.0)
    """Largest speed of a push beyond the root's own speed.

    A push thus stops a character at any speed, but does not throw it.
    """


TUNING: Final = RootCorrectionTuning()


def is_clear(position: Array, collider: PosedCollider) -> bool:
    """Return whether a root position (2), meters, world, is far enough from a collider to stand there."""
    return not collider.clearance_displacement(position, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M).any()


def shift_clear_of(position: Array, shift: Array, colliders: Sequence[PosedCollider]) -> Array:
    """Return the part of a displacement (2), meters, world, that a root can move: it slides along colliders.

    Args:
        position: (2) root, meters, world.
        shift: (2) displacement, meters, world.
        colliders: colliders that the root cannot enter.
    """
    moved = position
    for _ in range(TUNING.shift_steps):
        moved = moved + shift / TUNING.shift_steps
        for collider in colliders:
            moved = moved + collider.clearance_displacement(moved, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M)
    return moved - position


def push_out(position: Array, before: Array, colliders: Sequence[PosedCollider], rate: float) -> Array:
    """Return a root position (2), meters, world, moved out of colliders as far as is allowed in one frame.

    Args:
        position: (2) root after the network's step, meters, world.
        before: (2) root of the previous frame, meters, world.
        colliders: colliders that the root cannot enter.
        rate: frames per second.
    """
    largest = TUNING.max_push / rate + float(np.linalg.norm(position - before))
    for collider in colliders:
        displacement = TUNING.collision_share * collider.clearance_displacement(
            position, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M
        )
        position = position + displacement * min(1.0, largest / max(float(np.linalg.norm(displacement)), 1e-9))
    return position
