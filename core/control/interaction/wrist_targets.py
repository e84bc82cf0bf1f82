"""Wrist positions of hands that hold an object: on its grips, or on its handle."""

import numpy as np

from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, rotate, rotation_about_up
from ...scene.affordances import Handle
from ...scene.interaction_object import InteractionObject
from ...scene.object_fitting import PALM_OFFSET_M


def palm_offset(leg_length: float) -> float:
    """Return the distance from the wrist to the middle of the palm for a leg length, meters."""
    return PALM_OFFSET_M * leg_length / ADULT_LEG_LENGTH_M


def wrist_on_object(held_object: InteractionObject, side: int, hand: str, palm: float) -> Array:
    """Return the wrist (3) of a hand that holds an object, in the object's space, meters.

    Args:
        held_object: the object.
        side: side from which it is held, in quarter turns from its front.
        hand: ``"L"`` or ``"R"``.
        palm: distance from the wrist to the middle of the palm, meters.
    """
    seen = held_object.facing_side(side)
    if seen.handle is not None:
        wrist = wrist_on_handle(seen.handle, palm)
    else:
        grips = seen.grips
        assert grips is not None
        across = (grips.hands[0] - grips.hands[1]) / max(float(np.linalg.norm(grips.hands[0] - grips.hands[1])), 1e-6)
        # The palm lies on the side, the wrist somewhat outside.
        wrist = grips.hands["LR".index(hand)] + (palm / 3) * across * (1 if hand == "L" else -1)
    return rotate(rotation_about_up(np.array(side * np.pi / 2)), wrist)


def wrist_on_handle(handle: Handle, palm: float) -> Array:
    """Return the wrist (3) of a hand on a handle, a palm before it, in the object's space, meters."""
    return handle.position - palm * np.append(handle.direction, 0.0)
