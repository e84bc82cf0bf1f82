"""Opening a hinged door and walking through it."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....motion.rotations import Array, inverse, multiply, rotate, rotation_about_up
from ....scene.interaction_object import InteractionObject
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..door import MAX_LEAF_SPEED_RAD_S, OPEN_ANGLE_RAD, PASSED_DISTANCE_M, push_door, pushing_joints
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from ..wrist_targets import hand_on_handle, palm_offset, wrist_on_object
from .base import ActionSpec, HandHold

APPROACH_M: Final = 1.1
"""Distance before a door at which a character gets in line with it."""
ALIGNMENT_M: Final = 0.22
"""Lateral offset below which it is in line."""
CENTERING_SHARE: Final = 0.5
"""Largest weight of the pull to the middle of the passage."""
FAR_GOAL_OFFSET_M: Final = 1.5
"""Path length added to a goal that is not yet gone for, so that the character is steered to the passage first."""
AJAR_ANGLE_RAD: Final = np.radians(0.5)
"""Opening angle from which a hand is on the handle, and angle before the widest up to which it is."""


class OpenDoor(ActionSpec):
    """Walking through a door that the body and a hand on its handle push open."""

    name = "open"
    needs_object = True
    approach_distance = -1.5
    approach_sides = (0, 2)
    uses_hands = True
    ends_in_motion = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Check that the object has a handle.

        Raises:
            FootfallError: it has none.
        """
        if target.handle is None:
            raise FootfallError("'{name}' has no handle: say where its handle and its hinge are.", name=target.name)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to get in line with the door, then to go straight through."""
        door = run.initial_object.facing_side(run.approach_side)
        volume = door.interaction_volume
        if not _is_aligned(run, door):
            path = run.flow_field_to(door.position[:2] + APPROACH_M * door.front_direction, passes_object=True)
            return GoalCommand(self.name, door.position, door.front_direction, volume, path, FAR_GOAL_OFFSET_M)
        path = run.flow_field_to(door.position[:2] + self.approach_distance * door.front_direction, passes_object=True)
        return GoalCommand(
            self.name,
            door.position,
            door.front_direction,
            volume,
            path,
            self.approach_distance,
            _root_target(run, door),
            0.0,
        )

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has passed the door."""
        return _has_passed(run, frame)

    def push_object(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Push the door open until it is passed."""
        if _has_passed(run, frame):
            return False
        index, angles = run.task.object_index, run.scene.door_angles
        joints, radii = pushing_joints(run.recording.model)
        body_points = run.recording.joint_positions(frame, joints)
        door = run.initial_object.facing_side(run.approach_side)
        pushed = push_door(door, frame.position[0], body_points, radii, angles[index])
        step = float(MAX_LEAF_SPEED_RAD_S) / run.recording.model.rate
        angles[index] = float(np.clip(pushed, angles[index] - step, angles[index] + step))
        is_recorded = run.recording.event_frame("opened", run.task_index) is not None
        if abs(angles[index]) > OPEN_ANGLE_RAD and not is_recorded:
            run.record("opened")
        return True

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the pushing hand on the handle while the door opens."""
        start, stop, task_index = interval
        index, side = recording.tasks[task_index].object_index, recording.approach_sides[task_index]
        door = recording.objects[index]
        handle = door.facing_side(side).handle
        assert handle is not None
        angles = np.array([_opening_angle(state[index], door) for state in recording.object_states[start:stop]])
        widest = float(angles.max(initial=0.0))
        held = np.flatnonzero((angles > AJAR_ANGLE_RAD) & (np.maximum.accumulate(angles) < widest - AJAR_ANGLE_RAD))
        if len(held):
            hand = handle.pushing_hand
            wrist = wrist_on_object(door, side, hand, palm_offset(recording.model.skeleton.leg_length))
            turned = rotation_about_up(np.array(side * np.pi / 2))
            pointing = rotate(turned, hand_on_handle(handle))
            yield HandHold(hand, start + int(held[0]), start + int(held[-1]) + 1, wrist, pointing)


def _is_aligned(run: TaskRun, door: InteractionObject) -> bool:
    """Return whether the character has been in line with a door, so that it can go straight through."""
    offset = run.position - door.position[:2]
    forward = float(offset @ door.front_direction)
    lateral = abs(float(offset @ np.array([door.front_direction[1], -door.front_direction[0]])))
    run.is_aligned = run.is_aligned or (lateral < ALIGNMENT_M and forward < APPROACH_M + 2 * ALIGNMENT_M)
    return run.is_aligned


def _root_target(run: TaskRun, door: InteractionObject) -> tuple[Array, Array, float]:
    """Return the middle of the passage abreast of the character, its direction, and the weight of the pull."""
    offset = run.position - door.position[:2]
    forward = float(offset @ door.front_direction)
    weight = CENTERING_SHARE * float(np.interp(abs(forward), (APPROACH_M / 2, APPROACH_M), (1.0, 0.0)))
    return door.position[:2] + forward * door.front_direction, -door.front_direction, weight


def _has_passed(run: TaskRun, frame: InteractionFrame) -> bool:
    """Return whether the character is beyond the leaf, seen from where the task began."""
    door = run.initial_object
    now = (frame.position[0] - door.position[:2]) @ door.front_direction
    start = (run.start_position - door.position[:2]) @ door.front_direction
    assert door.handle is not None
    return bool(now * np.sign(start) < -door.handle.hinge_distance - PASSED_DISTANCE_M)


def _opening_angle(current: InteractionObject, closed: InteractionObject) -> float:
    """Return the opening angle of a door, radians."""
    swing = multiply(current.rotation, inverse(closed.rotation))
    return float(2 * np.arctan2(abs(swing[3]), abs(swing[0])))
