"""The direction of a hand at rest; on some rigs the hand's bone lies across the limb and does not show it."""

from typing import Final

import numpy as np

from .rotations import Array, normalize
from .skeleton import Skeleton

MAX_BEND_RAD: Final = np.radians(60.0)
"""Largest angle between hand bone and forearm at rest for which the bone is taken as the hand's direction."""


def hand_direction(skeleton: Skeleton, side: str) -> Array:
    """Return the unit direction (3), world, from wrist to fingers at rest; zero if the hand's bone has no length.

    Args:
        skeleton: skeleton of a body with hands.
        side: ``"L"`` or ``"R"``.
    """
    hand = skeleton.joint(f"hand.{side}")
    bone, forearm = normalize(skeleton.bone_vectors[hand]), normalize(skeleton.offsets[hand])
    return forearm if bone.any() and float(bone @ forearm) < np.cos(MAX_BEND_RAD) else bone
