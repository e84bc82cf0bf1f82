"""Boxes on their way into somebody's hands, in them, and out of them."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, about_up, multiply, rotate, slerp
from ...scene.interaction_object import InteractionObject

HANDOVER_S: Final = 0.5
"""Seconds in which a box goes over into the hands, and from them to its place (NSM's released code)."""


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """A box in somebody's hands: where it was when they took it, and where it is to be in them."""

    object_index: int
    grasped_object: InteractionObject
    local_position: Array
    local_rotation: Array
    start_frame: int

    @staticmethod
    def attach(object_index: int, grasped_object: InteractionObject, hand_positions: Array, frame: int) -> "Attachment":
        turn = about_up(-_carrier_yaw(hand_positions))
        position = rotate(turn, grasped_object.position - hand_positions.mean(axis=0))
        return Attachment(object_index, grasped_object, position, multiply(turn, grasped_object.rotation), frame)

    def object_at(self, hand_positions: Array, seconds: float) -> InteractionObject:
        """The box in the hands (2, 3): after half a second its grips are where the hands are."""
        share = _smoothstep(seconds / HANDOVER_S)
        turn = about_up(_carrier_yaw(hand_positions))
        # The box comes to the hands' middle; it turns with them as it was taken, upright.
        centred = -rotate(self.local_rotation, self.grasped_object.grip_centre)
        position = hand_positions.mean(axis=0) + rotate(turn, (1 - share) * self.local_position + share * centred)
        upright = about_up(yaw_of(rotate(self.local_rotation, np.array([0.0, 1.0, 0.0]))[:2]))
        rotation = multiply(turn, slerp(self.local_rotation, upright, np.array(share)))
        return InteractionObject(
            self.grasped_object.name,
            self.grasped_object.kind,
            self.grasped_object.collider,
            position,
            rotation,
            self.grasped_object.seat_override,
            self.grasped_object.grips_override,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A box on its way out of somebody's hands to where it is put."""

    object_index: int
    held_object: InteractionObject
    placed_object: InteractionObject
    start_frame: int

    def object_at(self, seconds: float) -> InteractionObject:
        """The box so many seconds later; after half a second it lies still."""
        share = _smoothstep(seconds / HANDOVER_S)
        position = self.held_object.position + share * (self.placed_object.position - self.held_object.position)
        return replace(
            self.placed_object,
            position=position,
            rotation=slerp(self.held_object.rotation, self.placed_object.rotation, np.array(share)),
        )


def _smoothstep(fraction: float) -> float:
    """From 0 to 1 without a jerk at either end."""
    fraction = min(max(fraction, 0.0), 1.0)
    return fraction * fraction * (3 - 2 * fraction)


def _carrier_yaw(hand_positions: Array) -> Array:
    """The yaw of who holds something between their hands (2, 3), left and right."""
    line = hand_positions[1] - hand_positions[0]
    return yaw_of(np.array([-line[1], line[0]]))
