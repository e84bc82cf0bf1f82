"""Shoulder swing: a quadruped's shoulder blade swings when its front leg alone cannot reach the target.

An animal's front legs are nearly straight in stance, and no collar bone holds the blade: dogs and horses make long
strides because the blade swings over the ribs (Fischer and Blickhan 2006).
"""

from typing import Final

import numpy as np

from .paws import LegChain, ancestors
from .rotations import Array, exp, length, log, multiply, rotate, rotation_between
from .skeleton import Skeleton

REACH_RATIO: Final = 0.985
"""Distance of the target, as a share of the straight leg's length, beyond which the blade swings."""
MAX_SWING_RAD: Final = 0.6
"""Largest swing of a blade from its current pose."""


def swing_shoulder(positions: Array, rotations: Array, skeleton: Skeleton, chain: LegChain, target: Array) -> None:
    """Swing the shoulder blade toward a target that the leg cannot reach, changing the arrays in place.

    A leg without a blade is unchanged. The leg keeps its shape: call ``solve_chain_ik`` next to bend it to the target.

    Args:
        positions: world positions (F, J, 3), meters.
        rotations: world rotations (F, J, 4).
        skeleton: skeleton of a quadruped.
        chain: one of the quadruped's legs.
        target: world position of the paw (F, 3), meters.
    """
    top = chain.joints[0]
    blade = skeleton.parents[top]
    if blade not in {skeleton.roles.get(f"front_shoulder.{side}") for side in "LR"}:
        return
    line = target - positions[:, top]
    away = length(line)
    missing = np.maximum(away - REACH_RATIO * chain.length(skeleton), 0.0)
    if not missing.any():
        return
    arm = positions[:, top] - positions[:, blade]
    wanted = arm + line * (missing / np.maximum(away, 1e-9))[:, None]
    swing = log(rotation_between(arm, wanted))
    swing *= np.minimum(1.0, MAX_SWING_RAD / np.maximum(length(swing), 1e-9))[:, None]
    turn = exp(swing)
    moved = [joint for joint in range(len(skeleton)) if joint == blade or blade in ancestors(skeleton, joint)]
    for joint in moved:
        positions[:, joint] = positions[:, blade] + rotate(turn, positions[:, joint] - positions[:, blade])
        if joint == blade or joint in chain.joints:
            rotations[:, joint] = multiply(turn, rotations[:, joint])
