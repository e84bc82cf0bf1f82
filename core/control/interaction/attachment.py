"""Attachment of a carried object to the hands, and its release at its destination."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...motion.blending import smooth_step
from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, multiply, rotate, rotation_about_up, slerp
from ...scene.interaction_object import InteractionObject

HANDOVER_S: Final = 0.5
"""Time, seconds, over which an object blends from its place into the hands, or back (as in NSM's released code)."""


@dataclass(frozen=True, eq=False)
class Attachment:
    """A rigid attachment of an object to both hands, blended in from the object's pose at the grasp.

    Attributes:
        object_index: index of the object.
        grasped_object: the object at the frame of the grasp.
        local_position: (3) position of the object in the frame midway between the hands, meters.
        local_rotation: (4) rotation of the object in that frame.
        start_frame: frame of the grasp.
    """

    object_index: int
    grasped_object: InteractionObject
    local_position: Array
    local_rotation: Array
    start_frame: int

    @staticmethod
    def attach(object_index: int, grasped_object: InteractionObject, hand_positions: Array, frame: int) -> "Attachment":
        """Return the attachment to both hands of an object in its current pose.

        Args:
            object_index: index of the object.
            grasped_object: the object at the grasp.
            hand_positions: (2, 3) wrists, left and right, meters, world.
            frame: frame of the grasp.
        """
        turn = rotation_about_up(-_carrier_yaw(hand_positions))
        position = rotate(turn, grasped_object.position - hand_positions.mean(axis=0))
        return Attachment(object_index, grasped_object, position, multiply(turn, grasped_object.rotation), frame)

    def object_at(self, hand_positions: Array, seconds: float) -> InteractionObject:
        """Return the object in the hands; from ``HANDOVER_S`` after the grasp on, its grips are exactly between them.

        Args:
            hand_positions: (2, 3) wrists, left and right, meters, world.
            seconds: time since the grasp.
        """
        share = float(smooth_step(seconds / HANDOVER_S))
        turn = rotation_about_up(_carrier_yaw(hand_positions))
        # The grips move between the hands; the object stays upright and turns with the carrier.
        local = (1 - share) * self.local_position + share * self._gripped_position
        rotation = self._held_rotation if share == 1.0 else self._local_rotation_at(share)
        return replace(
            self.grasped_object,
            position=hand_positions.mean(axis=0) + rotate(turn, local),
            rotation=multiply(turn, rotation),
        )

    @cached_property
    def _gripped_position(self) -> Array:
        """Local position (3) of the object with its grips exactly between the hands, meters."""
        return -rotate(self.local_rotation, self.grasped_object.grip_centre)

    @cached_property
    def _held_rotation(self) -> Array:
        """Local rotation (4) of the object once it is held."""
        return self._local_rotation_at(1.0)

    def _local_rotation_at(self, share: float) -> Array:
        """Return the local rotation (4) of the object after a share of the handover."""
        upright = rotation_about_up(yaw_of(rotate(self.local_rotation, np.array([0.0, 1.0, 0.0]))[:2]))
        return slerp(self.local_rotation, upright, np.array(share))


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """The motion of an object out of the hands to its destination.

    Attributes:
        object_index: index of the object.
        held_object: the object at the frame of the release.
        placed_object: the object at its destination.
        start_frame: frame of the release.
    """

    object_index: int
    held_object: InteractionObject
    placed_object: InteractionObject
    start_frame: int

    def object_at(self, seconds: float) -> InteractionObject:
        """Return the object a number of seconds after the release; after ``HANDOVER_S`` it rests at its destination."""
        share = float(smooth_step(seconds / HANDOVER_S))
        position = self.held_object.position + share * (self.placed_object.position - self.held_object.position)
        return replace(
            self.placed_object,
            position=position,
            rotation=slerp(self.held_object.rotation, self.placed_object.rotation, np.array(share)),
        )


def _carrier_yaw(hand_positions: Array) -> Array:
    """Return the yaw, radians, of a body that holds an object between its hands (2, 3), left and right."""
    line = hand_positions[1] - hand_positions[0]
    return yaw_of(np.array([-line[1], line[0]]))
