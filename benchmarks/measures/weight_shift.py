"""The shift of a character's weight before its first step."""

from typing import Final

import numpy as np

from ...core.evaluation.standing import POSE_CUTOFF_HZ
from ...core.motion import Clip
from ...core.motion.roles import LOCOMOTION_ROLES
from ...core.motion.rotations import normalize
from ...core.motion.signals import low_pass

LIFT_SPEED_M_S: Final = 0.4
"""Horizontal speed of a toe from which it is in a swing."""
TRAVEL_AFTER_S: Final = 1.0
"""Time after the lift in which the character travels to where it starts."""
SHIFT_WINDOW_S: Final = 1.0
"""Time before the first swing in which the weight shifts; people take 0.5 to 0.7 s (Winter 1995)."""


def weight_shift(clip: Clip) -> float | None:
    """Return how far the hips shift towards the stance foot before the first swing, cm; nothing without a first step.

    It is the largest shift within a second before the swing foot leaves, across the travel that follows, from where the
    hips were (anticipatory postural adjustment, Winter 1995).

    Args:
        clip: a start: the character stands in its first frames.

    Raises:
        FootfallError: the skeleton lacks hips, legs or feet.
    """
    clip.skeleton.require_roles(LOCOMOTION_ROLES)
    lift = first_lift(clip)
    if lift is None:
        return None
    frame, side = lift
    hips = low_pass(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate, POSE_CUTOFF_HZ)
    first = max(frame - round(SHIFT_WINDOW_S * clip.rate), 0)
    travel = normalize(hips[min(frame + round(TRAVEL_AFTER_S * clip.rate), len(clip) - 1)] - hips[frame])
    right = np.array([travel[1], -travel[0]])
    towards = hips @ (right if side == "L" else -right)
    return 100 * float(towards[first : frame + 1].max() - towards[first])


def first_lift(clip: Clip) -> tuple[int, str] | None:
    """Return the frame in which the first foot begins to swing, and its side; nothing if none does.

    Args:
        clip: the motion; the character stands in its first frames.
    """
    roles = clip.skeleton.roles
    lifts = []
    for side in "LR":
        toe = clip.positions[:, roles.get(f"toe.{side}", roles[f"foot.{side}"]), :2]
        track = low_pass(toe, clip.rate, POSE_CUTOFF_HZ)
        swinging = np.linalg.norm(np.gradient(track, 1 / clip.rate, axis=0), axis=-1) > LIFT_SPEED_M_S
        if swinging.any():
            lifts.append((int(np.argmax(swinging)), side))
    return min(lifts, default=None)
