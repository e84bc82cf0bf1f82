"""The position of the hips over a seat: in its middle, high enough for the thighs to lie on it."""

from typing import Final

import numpy as np

from ...body.skinned_mesh import rest_positions
from ...motion import Skeleton
from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject

SEATED_HIP_HEIGHT_RATIO: Final = 0.194
"""Height of a controller's hip joints above the seat, in leg lengths, at which the thighs touch it."""


SEAT_THICKNESS_RATIO: Final = 0.1675
"""Height of the hip joints above the seat, in leg lengths, for a body without a skin."""


def seat_thickness(leg_length: float) -> float:
    """Return the height, meters, of a seated body's hip joints above the seat, for a leg length, meters."""
    return SEAT_THICKNESS_RATIO * leg_length


def seated_height(skeleton: Skeleton) -> float:
    """Return the height, meters, of the *hips* joint above the seat if a controller's skeleton sits on it."""
    rest = rest_positions(skeleton)
    thighs = [skeleton.joint(f"thigh.{side}") for side in "LR"]
    above = float(rest[skeleton.joint("hips"), 2] - rest[thighs, 2].mean())
    return SEATED_HIP_HEIGHT_RATIO * skeleton.leg_length - above


def hips_over_seat(seat_object: InteractionObject, leg_length: float) -> Array:
    """Return the position (3), meters, world, midway between the hip joints of a character that sits on a seat.

    Args:
        seat_object: an object with a seat, in meters at the body's scale.
        leg_length: leg length of the character, meters.
    """
    seat = seat_object.seat
    assert seat is not None
    place = seat_object.posed_collider.to_world(seat.position[None])[0]
    return place + np.array([0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * leg_length])
