"""Objects that hang from one hand by their handles: where their bearer stands, and where they hang beside it.

Fronts of such objects point to their bearer, which has them at its right hand.
"""

from typing import Final

import numpy as np

from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array
from ...scene.collider import Collider
from ...scene.interaction_object import InteractionObject

HANDLE_HAND: Final = "R"
"""The hand that carries by a handle."""
LEG_ASIDE_M: Final = 0.21
"""Distance of an adult's leg, and of its swing, from the middle of the body."""
HANGING_HEIGHT_M: Final = 0.79
"""Height of a handle over the ground in the hand of an upright adult."""
UPRIGHT_HIPS_M: Final = 0.96
"""Height of the hips of an adult that walks."""
GROUND_CLEARANCE_M: Final = 0.04
"""Least distance of what hangs from the ground."""
MAX_HALF_THICKNESS_M: Final = 0.16
"""Distance of an object's side from its handle beyond which the arm has no room to hang."""
MAX_LIFT_M: Final = 1.05
"""Height of a handle up to which an object is lifted by it, and put down."""
BENT_AHEAD_M: Final = 0.42
"""Distance ahead of the bearer to which both hands of one that bends to a handle reach."""


def is_hung(carried: InteractionObject) -> bool:
    """Return whether an object is carried by its handle."""
    return carried.grips is not None and carried.grips.is_handle


def bearer_position(target: InteractionObject) -> Array:
    """Return the root (2), meters, world, of the bearer beside an object with the side of the approach as its front."""
    return _handle(target)[:2] + _aside(target) * target.front_direction


def bearer_facing(target: InteractionObject) -> Array:
    """Return the facing (2) of the bearer beside an object with the side of the approach as its front."""
    return np.array([target.front_direction[1], -target.front_direction[0]])


def bent_to(target: InteractionObject) -> InteractionObject:
    """Return a box ahead of the bearer, which bends to a handle as it would to the box."""
    facing = bearer_facing(target)
    place = bearer_position(target) + BENT_AHEAD_M * facing
    box = InteractionObject(target.name, "box", _BENT_TO, np.zeros(3), target.rotation)
    return box.place_at(np.append(place, target.position[2]), -facing)


def holding_points(target: InteractionObject) -> Array:
    """Return the points (2, 3) to the left and the right of a handle between which its object is held."""
    return _beside(_handle(target), bearer_facing(target))


def hanging_points(target: InteractionObject, hips: Array, yaw: Array, leg_length: float, lowest: float) -> Array:
    """Return these points of an object that hangs beside a bearer, and rises and sinks with its hips.

    Args:
        target: the object, with the side of the approach as its front.
        hips: (3) of the bearer, meters, world.
        yaw: of its root, radians.
        leg_length: of the bearer, meters.
        lowest: height of the handle where the object stands, meters.
    """
    facing = facing_direction(yaw)
    right = np.array([facing[1], -facing[0]])
    scale = leg_length / ADULT_LEG_LENGTH_M
    height = scale * (HANGING_HEIGHT_M - UPRIGHT_HIPS_M) + float(hips[2])
    height = max(min(height, scale * HANGING_HEIGHT_M), lowest)
    return _beside(np.append(hips[:2] + _aside(target) * right, height), facing)


def _handle(target: InteractionObject) -> Array:
    """Return the middle (3) of a handle, meters, world."""
    return target.posed_collider.to_world(target.grip_centre[None])[0]


def _aside(target: InteractionObject) -> float:
    """Return the distance of a handle from the middle of its bearer, meters."""
    return LEG_ASIDE_M + float(target.collider.bounds[1][1] - target.grip_centre[1])


def _beside(middle: Array, facing: Array) -> Array:
    """Return points (2, 3) to the left and the right of a point (3), seen in a direction (2)."""
    left = 0.1 * np.array([-facing[1], facing[0], 0.0])
    return np.stack([middle + left, middle - left])


_BENT_TO: Final = Collider(np.array([[-0.17, -0.15, 0.0]]), np.array([[0.17, 0.15, 0.5]]))
