"""The direction of a hand at rest, which the bones of some rigs do not have: they lie across the limb."""

from typing import Final

import numpy as np

from .rotations import Array, normalize
from .skeleton import Skeleton

MAX_BEND_RAD: Final = np.radians(60.0)
"""Largest angle to the forearm at which a hand's bone is trusted: wrists are hardly bent at rest."""


def hand_direction(skeleton: Skeleton, side: str) -> Array:
    """Return the direction (3) from a wrist along its hand at rest; zero for a hand whose bone has no length.

    Args:
        skeleton: skeleton of a body with hands.
        side: ``"L"`` or ``"R"``.
    """
    hand = skeleton.joint(f"hand.{side}")
    bone, forearm = normalize(skeleton.bone_vectors[hand]), normalize(skeleton.offsets[hand])
    return forearm if bone.any() and float(bone @ forearm) < np.cos(MAX_BEND_RAD) else bone
