"""The objects of an interaction in their current states: at rest, held, being put down, pushed or swinging."""

from collections.abc import Collection
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider
from ...scene.interaction_object import InteractionObject
from ..navigation.flow_field import FlowField
from ..runtime.root_correction import is_clear
from .attachment import Attachment, Release
from .door import TUNING as DOOR_TUNING
from .pushing import Pushing
from .recording import InteractionRecording, replace_at

REPLANNING_TOLERANCE: Final = 0.1
"""Least change of an object's position, meters, or of a quaternion's component, after which paths are planned again."""


class SceneState:
    """The current states of all objects, with the held object, the angles of doors, and the flow field among them.

    Args:
        recording: the recording so far, which holds the objects at the start; its length is the current frame.

    Attributes:
        current_objects: all objects in their current states.
        attachment: the attachment of the held object, from the grasp to the end of its release; ``None`` without one.
        release: the release of the held object, once it has begun.
        pushing: the object that is pushed along the floor; ``None`` if there is none.
        door_angles: opening angle of each object, radians; 0 for objects without a handle.
        used_indices: indices of objects of earlier tasks that the character still touches, and that are not solid yet.
    """

    def __init__(self, recording: InteractionRecording) -> None:
        self._recording = recording
        self.current_objects = recording.objects
        self.attachment: Attachment | None = None
        self.release: Release | None = None
        self.pushing: Pushing | None = None
        self.door_angles = dict.fromkeys(range(len(recording.objects)), 0.0)
        self.used_indices: set[int] = set()
        self._flow_field: tuple[Array, FlowField] | None = None

    @property
    def held_indices(self) -> set[int]:
        """Indices of the carried and the pushed object, if there are any."""
        return {one.object_index for one in (self.attachment, self.pushing) if one is not None}

    def begin_leaving(self, object_index: int) -> None:
        """Mark the object of an ended task as left: it becomes solid once the character no longer touches it."""
        if object_index >= 0:
            self.used_indices.add(object_index)

    def leave_objects(self, position: Array) -> None:
        """Make used objects solid again that a root at `position` (2), meters, world, no longer touches."""
        self.used_indices = {
            index for index in self.used_indices if not is_clear(position, self.current_objects[index].posed_collider)
        }

    def colliders(self, excluded: Collection[int] = ()) -> list[PosedCollider]:
        """Return the current colliders of all objects except the excluded ones."""
        return [one.posed_collider for index, one in enumerate(self.current_objects) if index not in excluded]

    def flow_field(self, goal_position: Array, start: Array, excluded: Collection[int] = ()) -> FlowField:
        """Return the flow field to a goal among the objects; it is rebuilt only when goal or obstacles have moved.

        Args:
            goal_position: (2) goal position, meters, world.
            start: (2) position of the character, meters, world.
            excluded: indices of objects that are not obstacles; a held object never is one.
        """
        obstacles = self.colliders({*self.held_indices, *excluded})
        poses = (part for collider in obstacles for part in (collider.position, collider.rotation))
        key = np.concatenate([goal_position, *poses])
        known = self._flow_field
        if known is None or len(known[0]) != len(key) or np.abs(known[0] - key).max() > REPLANNING_TOLERANCE:
            known = self._flow_field = key, FlowField.build(goal_position, start, obstacles)
        return known[1]

    def replace_object(self, object_index: int, new_object: InteractionObject) -> None:
        """Replace an object's state from the current frame on."""
        self.current_objects = replace_at(self.current_objects, object_index, new_object)

    def attach(self, object_index: int, hands: Array) -> None:
        """Attach an object to the hands (2, 3), left and right, meters, world."""
        held = self.current_objects[object_index]
        self.attachment = Attachment.attach(object_index, held, hands, len(self._recording))

    def begin_release(self, object_index: int, placed_object: InteractionObject) -> None:
        """Begin to move the held object from the hands to its destination."""
        held = self.current_objects[object_index]
        self.release = Release(object_index, held, placed_object, len(self._recording) - 1)

    def end_release(self) -> None:
        """Detach the held object from the hands."""
        self.attachment = self.release = None

    def move_held_object(self, hands: Array) -> None:
        """Move the held object with the hands (2, 3), left and right, meters, world, or along its release path."""
        if self.release is not None:
            seconds = self._recording.seconds_since(self.release.start_frame)
            self.replace_object(self.release.object_index, self.release.object_at(seconds))
        elif self.attachment is not None:
            seconds = self._recording.seconds_since(self.attachment.start_frame)
            self.replace_object(self.attachment.object_index, self.attachment.object_at(hands, seconds))

    def push(self, pushing: Pushing) -> None:
        """Move a pushed object to its current position on its line, and keep the state of the push."""
        self.pushing = pushing
        self.replace_object(pushing.object_index, pushing.pushed_object)

    def swing_doors(self, pushed_index: int | None) -> None:
        """Advance all doors by a frame; every door except the pushed one falls shut.

        Args:
            pushed_index: index of the pushed door; ``None`` if there is none.
        """
        for index, door in enumerate(self._recording.objects):
            if door.handle is None:
                continue
            if index != pushed_index:
                angle, rate = self.door_angles[index], self._recording.model.rate
                step = float(DOOR_TUNING.max_leaf_speed) / rate
                self.door_angles[index] = max(
                    abs(angle) * 0.1 ** (1 / (DOOR_TUNING.closing * rate)), abs(angle) - step
                ) * (-1.0 if angle < 0 else 1.0)
            self.replace_object(index, door.swing_open(self.door_angles[index]))
