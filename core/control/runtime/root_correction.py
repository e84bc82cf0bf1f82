"""Corrections of roots after the network's step: out of colliders, and along them."""

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
    """Share of the missing distance to a collider that is corrected each frame."""
    shift_steps: int = tuned(10, "1", 1, 100)
    """Number of small steps that make up a shift."""
    max_push: float = tuned(1.2, "m/s", 0.0, 10.0)
    """Largest speed of the correction in excess of the root's own speed.

    It stops a character at any speed without throwing it.
    """


TUNING: Final = RootCorrectionTuning()


def is_clear(position: Array, collider: PosedCollider) -> bool:
    """Return whether a root (2), meters, world, is far enough from a collider to stand."""
    return not collider.clearance_displacement(position, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M).any()


def shift_clear_of(position: Array, shift: Array, colliders: Sequence[PosedCollider]) -> Array:
    """Return the part of a shift (2), meters, that a root (2), meters, world, can move; it slides along colliders."""
    moved = position
    for _ in range(TUNING.shift_steps):
        moved = moved + shift / TUNING.shift_steps
        for collider in colliders:
            moved = moved + collider.clearance_displacement(moved, *BODY_HEIGHT_RANGE_M, CONTACT_RADIUS_M)
    return moved - position


def push_out(position: Array, before: Array, colliders: Sequence[PosedCollider], rate: float) -> Array:
    """Return a root (2), meters, world, moved out of colliders as far as one frame allows.

    Args:
        position: (2) position, meters, world.
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
