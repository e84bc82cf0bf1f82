"""The place of the hips over a seat: in the middle, high enough for the thighs to lie on it."""

from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject

SEATED_HIP_HEIGHT_RATIO: Final = 0.194
"""Height of the hip joint above the seat, as a share of the leg length, at which the thighs touch it."""


def hips_over_seat(seat_object: InteractionObject, leg_length: float) -> Array:
    """Return the place (3) of the hips of a seated character, world, meters of its body.

    Args:
        seat_object: an object with a seat.
        leg_length: of the character, meters.
    """
    seat = seat_object.seat
    assert seat is not None
    place = seat_object.posed_collider.to_world(seat.position[None])[0]
    return place + np.array([0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * leg_length])
