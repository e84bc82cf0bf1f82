"""Carrying an object between both hands to another place."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array, rotate, rotation_about_up
from ....scene.body_size import CONTACT_RADIUS_M
from ....scene.interaction_object import InteractionObject
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..attachment import HANDOVER_S
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import NUDGE_DELAY_S, SETTLED_DISTANCE_M, TaskRun
from ..wrist_targets import palm_offset, wrist_on_object
from .base import ActionSpec, HandHold, command_for_object

START_DISTANCE_M: Final = 0.42
"""Distance before the middle of the object at which grasping or placing begins."""
GRASP_DISTANCE_M: Final = 0.35
"""Distance between the middles of hands and object at which it can be grasped."""
STALLED_GRASP_DISTANCE_M, LONG_STALL_S = 0.5, 3.0
"""The same for hands that have come no nearer for some seconds; refinement brings them to the object."""
TOUCHING_DISTANCE_M: Final = 0.2
"""Distance between the middles of hands and object at which hands are at its sides, whatever the network says."""
NO_GRASP_DISTANCE_M: Final = 0.8
"""Distance between them from which the object cannot be in the hands."""
WAITING_HAND_HEIGHT_M: Final = 0.97
"""Height of the hands of a character that stands before an object and does not bend yet."""
BEGINNING_DISTANCE_M: Final = 0.1
"""Distance by which the hands may be farther from an object than those of a character that stands before it."""
GRASP_RAMP_S: Final = 0.9
"""Time from the beginning of the grasp to the contact of the hands."""
OFFSET_RANGE_M: Final = (0.1, 0.25)
"""Lateral offsets before the object up to which alignment is full and from which there is none."""
FACING_RANGE_RAD: Final = (0.35, 0.8)
"""Facing errors up to which alignment is full and from which there is none."""
HAND_HEIGHT_RANGE_M: Final = (0.05, 0.2)
"""Heights of the hands over the object at which the body is fully bent for it, and not at all."""
RELEASE_DISTANCE_M: Final = 0.45
"""Distance of the object from its destination at which it may be put down."""
STALLED_RELEASE_DISTANCE_M: Final = 0.55
"""The same for a character that has come no nearer for some seconds."""
DROP_DIRECTIONS_RAD: Final = tuple(np.radians((0.0, 45.0, -45.0, 90.0, -90.0)))
"""Directions from ahead in which a place for an object that is let go of is looked for."""
MAX_GRIP_HEIGHT_M: Final = 1.45
"""Height of the hands up to which an object is taken from a shelf, or put on it."""
FACING_TIMEOUT_S: Final = 4.0
"""Time after which an object is put down although the character does not face its destination."""


class Carry(ActionSpec):
    """Taking an object with both hands, carrying it, and putting it down at the task's position."""

    name = "carry"
    needs_object = True
    approach_distance = 0.5
    approach_sides = (0, 1, 2, 3)
    uses_hands = True
    ends_in_motion = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Check that the object can be held between two hands and that a destination is given.

        Raises:
            FootfallError: one of them is missing.
        """
        if target.grips is None:
            raise FootfallError("'{name}' is too wide to be held between two hands.", name=target.name)
        if task.position is None:
            raise FootfallError("It is not said where '{name}' is to be put: choose a place for it.", name=target.name)
        lies = float(target.posed_collider.to_world(target.grip_centre[None])[0, 2])
        put = lies + float(task.position[2] - target.position[2])
        if max(lies, put) > MAX_GRIP_HEIGHT_M:
            raise FootfallError(
                "'{name}' would be held {height} m high, which two bent arms do not reach: choose a place that is "
                "lower by {excess} m.",
                name=target.name,
                height=f"{max(lies, put):.1f}",
                excess=f"{max(lies, put) - MAX_GRIP_HEIGHT_M + 0.05:.1f}",
            )

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the object and grasp it, then to go to its destination and place it."""
        target = _goal_object(run).facing_side(run.approach_side)
        path_end = target.position[:2] + self.approach_distance * target.front_direction
        command = command_for_object(self, run, target, path_end, _root_target(run, target))
        # Takes lift what hands touch; a phase that ran on would be past the lift when it begins.
        return replace(command, holds_phase=run.scene.attachment is None and run.hands_touch)

    def carry_limits(self, run: TaskRun) -> tuple[float, float]:
        """Return bounds of the *carry* action from the distance between hands and object, or its destination.

        The nearer the hands are to the object, the more the character may carry; the farther a held object is from its
        destination, or the worse the character is aligned with it, the more it has to.
        """
        if not run.recording.frames:
            return 0.0, 1.0
        target, hands = run.task_object, run.wrist_positions().mean(axis=0)
        if run.scene.attachment is not None:
            target = _goal_object(run)
        grip = target.posed_collider.to_world(target.grip_centre[None])[0]
        # From the ground hands are farther than from a table, however near the character stands.
        reach = float(np.hypot(START_DISTANCE_M, WAITING_HAND_HEIGHT_M - grip[2])) + BEGINNING_DISTANCE_M
        farthest = max(NO_GRASP_DISTANCE_M, reach)
        far = float(np.interp(np.linalg.norm(grip - hands), (GRASP_DISTANCE_M, farthest), (0.0, 1.0)))
        alignment = _alignment(run, target.facing_side(run.approach_side))
        if run.scene.attachment is not None:
            return max(far, 1.0 - alignment), 1.0
        # An aligned character that stands still is made to begin; one that is not aligned is kept from it.
        upper = min(1.0 - far, alignment)
        if not run.runtime.assistance.begins_actions:
            return 0.0, upper
        waited = run.seconds_since(run.near_frame) - 2 * NUDGE_DELAY_S
        return float(np.clip(min(waited / GRASP_RAMP_S, upper), 0.0, 1.0)), upper

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Grasp and release the object; return whether the release has ended."""
        scene = run.scene
        if scene.attachment is None:
            self._try_grasp(run, frame)
            return False
        if scene.release is not None:
            if run.seconds_since(scene.release.start_frame) >= HANDOVER_S:
                scene.end_release()
                return True
            return False
        assert run.task.position is not None
        distance = float(np.linalg.norm(run.task_object.position - run.task.position))
        placed = _placed_object(run)
        is_aligned = _alignment(run, placed.facing_side(run.approach_side)) > 0.0
        stalled_s = run.seconds_since(run.closest_approach[1])
        # A character that still steps comes nearer.
        rests = run.is_still or distance < SETTLED_DISTANCE_M or stalled_s > LONG_STALL_S
        farthest = STALLED_RELEASE_DISTANCE_M if stalled_s > LONG_STALL_S else RELEASE_DISTANCE_M
        if run.has_settled(distance, farthest) and rests and (is_aligned or stalled_s > FACING_TIMEOUT_S):
            run.record("put")
            scene.begin_release(run.task.object_index, placed)
        return False

    def give_up(self, run: TaskRun) -> bool:
        """Let go of a held object beside the character; return whether nothing is held."""
        if run.scene.attachment is None:
            return True
        if run.scene.release is None:
            run.scene.begin_release(run.task.object_index, _dropped_object(run))
        return False

    @staticmethod
    def _try_grasp(run: TaskRun, frame: InteractionFrame) -> None:
        """Attach the object once both hands are in contact, or at its sides, and as near as they get."""
        hands = run.recording.wrist_positions(frame)
        stalled = run.seconds_since(run.closest_approach[1]) > LONG_STALL_S
        farthest = STALLED_GRASP_DISTANCE_M if stalled else GRASP_DISTANCE_M
        distance = _grip_distance(run.task_object, hands.mean(axis=0))
        if run.has_settled(distance, farthest) and (run.hands_touch or distance < TOUCHING_DISTANCE_M):
            run.record("took")
            run.scene.attach(run.task.object_index, hands)
            run.start_frame = len(run.recording)
            run.restart_approach()

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield both hands on the grips from the grasp to the end of the task."""
        _, stop, task_index = interval
        grasped = recording.event_frame("took", task_index)
        if grasped is None:
            return
        given_up = recording.event_frame("gave up", task_index)
        # Hands do not follow to the ground what they drop.
        stop = stop if given_up is None else max(given_up, grasped + 1)
        held, side = recording.task_object(task_index), recording.approach_sides[task_index]
        for hand in "LR":
            wrist = wrist_on_object(held, side, hand, palm_offset(recording.model.skeleton.leg_length))
            yield HandHold(hand, grasped, stop, wrist)


def _goal_object(run: TaskRun) -> InteractionObject:
    """Return the object where it is, or at its destination once an object is held."""
    return run.task_object if run.scene.attachment is None else _placed_object(run)


def _placed_object(run: TaskRun) -> InteractionObject:
    """Return the object at its destination."""
    task, held = run.task, run.task_object
    assert task.position is not None
    front = held.front_direction if task.direction is None else task.direction
    if task.direction is None and task.stand_direction is not None:
        to_front = rotation_about_up(np.array(-run.approach_side * np.pi / 2))
        front = rotate(to_front, np.append(task.stand_direction, 0.0))[:2]
    return held.place_at(task.position, front)


def _dropped_object(run: TaskRun) -> InteractionObject:
    """Return the held object on the ground before the character, or beside it where something else is."""
    held, others = run.task_object, run.scene.colliders({run.task.object_index})
    lower, upper = held.collider.bounds
    radius = float(np.linalg.norm((upper - lower)[:2])) / 2
    away = max(START_DISTANCE_M, radius + CONTACT_RADIUS_M)
    places = [run.position + away * facing_direction(run.yaw + turn) for turn in DROP_DIRECTIONS_RAD]
    blocked = [
        any(float(other.horizontal_distances(place[None], 0.0, 2.0 * radius)[0]) < radius for other in others)
        for place in places
    ]
    return held.place_at(np.append(places[int(np.argmin(blocked))], 0.0), held.front_direction)


def _grip_distance(target: InteractionObject, hands: Array) -> float:
    """Return the distance of the middle of the hands (3) from the middle of an object's grips, meters."""
    return float(np.linalg.norm(target.posed_collider.to_world(target.grip_centre[None])[0] - hands))


def _alignment(run: TaskRun, target: InteractionObject) -> float:
    """Return how well, 0 to 1, the character stands before the front of an object and faces it."""
    offset = run.position - target.position[:2]
    lateral = abs(float(offset @ np.array([target.front_direction[1], -target.front_direction[0]])))
    facing_error = float(np.arccos(np.clip(-facing_direction(run.yaw) @ target.front_direction, -1.0, 1.0)))
    return float(
        min(np.interp(lateral, OFFSET_RANGE_M, (1.0, 0.0)), np.interp(facing_error, FACING_RANGE_RAD, (1.0, 0.0)))
    )


def _root_target(run: TaskRun, target: InteractionObject) -> tuple[Array, Array, float]:
    """Return root position (2), direction (2) and weight for grasping or placing; see :class:`GoalCommand`."""
    start = target.position[:2] + START_DISTANCE_M * target.front_direction
    if run.action_weight == 0.0:
        return start, -target.front_direction, run.nudge_weight(target.position[:2])
    offset = target.posed_collider.to_world(target.grip_centre[None])[0] - run.wrist_positions().mean(axis=0)
    near = float(np.interp(np.linalg.norm(offset[:2]), (GRASP_DISTANCE_M, NO_GRASP_DISTANCE_M), (1.0, 0.0)))
    # A body that is not bent yet comes to where bending begins.
    bent = float(np.interp(-offset[2], HAND_HEIGHT_RANGE_M, (1.0, 0.0)))
    position = bent * (run.position + offset[:2]) + (1 - bent) * start
    return position, -target.front_direction, near * run.action_weight
