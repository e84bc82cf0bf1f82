"""Objects that hang by their handle from one hand: places of their bearer, and of the hanging handle.

The front of such an object points to its bearer, which has the object at its right hand.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array
from ...scene.collider import Collider
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned

HANDLE_HAND: Final = "R"
"""The hand that carries an object by its handle."""


@dataclass(frozen=True, slots=True)
class HangingTuning(Tuning):
    leg_aside: float = tuned(0.21, "m", 0.1, 0.4)
    """Lateral distance from the middle of an adult's body to the outside of a swinging leg."""
    hanging_height: float = tuned(0.79, "m", 0.5, 1.0)
    """Height above the ground of a handle in the hand of an upright adult."""
    upright_hips: float = tuned(0.96, "m", 0.8, 1.1)
    """Height of the hips of a walking adult above the ground."""
    ground_clearance: float = tuned(0.04, "m", 0.0, 0.2)
    """Smallest clearance of a hanging object above the ground."""
    max_half_thickness: float = tuned(0.16, "m", 0.05, 0.4)
    """Largest distance from the handle to the object's side at which the arm still has room to hang."""
    max_lift: float = tuned(1.05, "m", 0.5, 1.5)
    """Greatest height of a handle above the ground at which an object can be lifted or put down."""
    bent_ahead: float = tuned(0.42, "m", 0.2, 0.8)
    """Distance ahead of its root at which a bearer that bends to a handle has both hands."""


TUNING: Final = HangingTuning()


def is_hung(carried: InteractionObject) -> bool:
    """Return whether an object is carried by its handle."""
    return carried.grips is not None and carried.grips.is_handle


def bearer_position(target: InteractionObject) -> Array:
    """Return the root (2), meters, world, of a bearer that stands beside an object, on its front side."""
    return _handle(target)[:2] + _aside(target) * target.front_direction


def bearer_facing(target: InteractionObject) -> Array:
    """Return the unit direction (2), world, of a bearer that has the object at its right hand."""
    return np.array([target.front_direction[1], -target.front_direction[0]])


def bent_to(target: InteractionObject) -> InteractionObject:
    """Return a fictitious box ahead of the bearer for which the network bends as far as the handle requires."""
    facing = bearer_facing(target)
    place = bearer_position(target) + TUNING.bent_ahead * facing
    box = InteractionObject(target.name, "box", _BENT_TO, np.zeros(3), target.rotation)
    return box.place_at(np.append(place, target.position[2]), -facing)


def holding_points(target: InteractionObject) -> Array:
    """Return points (2, 3), meters, world, left and right of an object's handle, that stand for the two hands."""
    return _beside(_handle(target), bearer_facing(target))


def hanging_points(target: InteractionObject, hips: Array, yaw: Array, leg_length: float, lowest: float) -> Array:
    """Return points (2, 3), meters, world, left and right of the handle of an object that hangs beside its bearer.

    Args:
        target: the object, with the side of the approach as its front.
        hips: (3) hips of the bearer, meters, world.
        yaw: yaw of the bearer's root, radians.
        leg_length: leg length of the bearer, meters.
        lowest: smallest allowed height of the handle, meters: its height when the object stands.
    """
    facing = facing_direction(yaw)
    right = np.array([facing[1], -facing[0]])
    scale = leg_length / ADULT_LEG_LENGTH_M
    height = scale * (TUNING.hanging_height - TUNING.upright_hips) + float(hips[2])
    height = max(min(height, scale * TUNING.hanging_height), lowest)
    return _beside(np.append(hips[:2] + _aside(target) * right, height), facing)


def _handle(target: InteractionObject) -> Array:
    """Return the middle (3) of an object's handle, meters, world."""
    return target.posed_collider.to_world(target.grip_centre[None])[0]


def _aside(target: InteractionObject) -> float:
    """Return the lateral distance of a handle from the middle of its bearer, meters."""
    return TUNING.leg_aside + float(target.collider.bounds[1][1] - target.grip_centre[1])


def _beside(middle: Array, facing: Array) -> Array:
    """Return the points (2, 3) left and right of a point (3), meters, for a character facing a direction (2)."""
    left = 0.1 * np.array([-facing[1], facing[0], 0.0])
    return np.stack([middle + left, middle - left])


_BENT_TO: Final = Collider(np.array([[-0.17, -0.15, 0.0]]), np.array([[0.17, 0.15, 0.5]]))
