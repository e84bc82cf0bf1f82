"""Sitting down on a seat and staying there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....features.interaction import ACTIONS, CONTACT_JOINTS
from ....motion.contacts import CONTACT_THRESHOLD
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array, rotate
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...navigation.approach_pose import approach_position
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ...runtime.root_correction import shift_clear_of
from ..placing import TUNING as PLACING_TUNING
from ..placing import staying_weights
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from .base import ActionSpec, SeatContact, command_for_object, told_to_begin


@dataclass(frozen=True, slots=True)
class SitTuning(Tuning):
    start_distance: float = tuned(0.36, "m", 0.1, 1.0)
    """Distance of the root from the middle of the seat at which a character begins to sit down."""
    begun_weight: float = tuned(0.1, "1", 0.0, 1.0)
    """Weight of the action *sit* from which a body counts as sitting down."""
    done_weight: float = tuned(0.8, "1", 0.0, 1.0)
    """Weight of the action *sit* above which the character counts as seated."""
    over_seat: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance from the middle of the seat within which a character with its back to the seat may stand beside it."""
    turn_choice: float = tuned(1.7, "m", 0.5, 3.0)
    """Distance from the starting position in front of the seat at which the side to turn to is chosen."""
    sitting_reach: float = tuned(0.4, "m", 0.1, 1.0)
    """Limit in place of ``over_seat`` for a character that has begun to sit down, which the seat no longer pushes away.
    """
    armrest_heights: tuple[float, float] = tuned((0.08, 0.4), "m", 0.0, 1.0)
    """Range of heights above the seat in which armrests and other parts of the object are in the way of the hips."""
    armrest_clearance: float = tuned(0.02, "m", 0.0, 0.2)
    """Smallest distance between the hips and armrests."""
    way_samples: int = tuned(6, "1", 2, 100)
    """Number of points between the character and the seat at which armrests are searched."""
    raised: float = tuned(0.06, "m", 0.0, 0.5)
    """Height above the floor from which an object under a seat counts as a platform; a rug does not."""
    back_turned: float = tuned(float(np.cos(np.radians(75.0))), "1", -1.0, 1.0)
    """Smallest cosine of the angle from the character's facing to the seat's front at which it may sit down."""
    back_turned_again: float = tuned(float(np.cos(np.radians(120.0))), "1", -1.0, 1.0)
    """The limit that replaces ``back_turned`` for a character that already had its back to the seat."""


TUNING: Final = SitTuning()


class Sit(ActionSpec):
    """The action *sit*: sitting down on an object with a seat, and staying there."""

    name = "sit"
    needs_object = True
    approach_distance = 0.6
    is_seated = True

    def validate(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
        """Raise :class:`FootfallError` unless the object has a seat and stands on the character's floor.

        Raises:
            FootfallError: the object has no seat, or stands on a platform on which the character would have to step up.
        """
        super().validate(task, objects)
        target = objects[task.object_index]
        platform = _platform_under(target, [other for other in objects if other is not target])
        if platform is not None:
            raise FootfallError(
                "Interactions need a level floor, but '{name}' stands on '{platform}': move it down to the floor",
                name=target.name,
                platform=platform.name,
            )

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` unless the object has a seat.

        Raises:
            FootfallError: the object has no seat.
        """
        if target.seat is None:
            raise FootfallError(
                "'{name}' has no seat: it needs a level area about 30 cm wide, 20 cm to 1 m above the floor",
                name=target.name,
            )

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go in front of the seat, or beside it if the front is blocked, and to sit down."""
        target = run.task_object.facing_side(run.approach_side)
        center, front = _seat_place(target)
        center = center[:2]
        others = run.scene.colliders({run.task.object_index})
        path_end = approach_position(center, front, self.approach_distance, TUNING.start_distance, run.position, others)
        command = command_for_object(self, run, target, path_end)
        if run.action_weight == 0:
            command = replace(command, volume=target.seat_volume)
        if not run.came_near and float(np.linalg.norm(run.position - path_end)) < TUNING.turn_choice:
            run.came_near = True
            self._choose_turn(run, center, front)
        return told_to_begin(command, run, center + TUNING.start_distance * front, turns=True)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has sat still for the task's duration."""
        weight = frame.actions[0, ACTIONS.index(self.name)]
        in_contact = frame.contacts[0, CONTACT_JOINTS.index("hips")] > CONTACT_THRESHOLD
        return run.stay(bool(run.is_still and weight > TUNING.done_weight and in_contact and run.has_come_down))

    def _choose_turn(self, run: TaskRun, center: Array, front: Array) -> None:
        """Let the character turn the short way around to sit down, as its mirror image if its network would not.

        Args:
            run: the task in progress.
            center: (2) middle of the seat, meters, world.
            front: (2) front direction of the seat, world.
        """
        if run.runtime.assistance.mirrors:
            turns_right = float((run.position - center) @ [front[1], -front[0]]) > 0.0
            run.runtime.mirror(0, turns_right == run.runtime.model.turns_left)

    def senses_object_alone(self, run: TaskRun) -> bool:
        """Return whether the environment sensor ignores other objects, such as a desk: once sitting down has begun."""
        return run.action_weight > 0

    def enters_object(self, run: TaskRun) -> bool:
        """Return whether the root may enter the seat: true once the character has its back to it, or sits."""
        if run.runtime.state.seated[0]:
            return True
        target = run.task_object.facing_side(run.approach_side)
        center, front = _seat_place(target)
        offset = run.position - center[:2]
        is_over = float(np.linalg.norm(offset)) < (TUNING.sitting_reach if run.action_weight > 0 else TUNING.over_seat)
        limit = TUNING.back_turned_again if run.is_aligned else TUNING.back_turned
        comes_over = (run.is_aligned and is_over) or (
            float(offset @ front) > 0.0 and not _armrest_between(target, center, run.position)
        )
        run.is_aligned = comes_over and float(facing_direction(run.yaw) @ front) > limit
        return run.is_aligned

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return a seated body's constant offset (N, 2) from its seat, meters, world, and weights (N), 0 to 1.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.
        """
        start, stop, task_index = interval
        reached = recording.event_frame("reached", task_index)
        if reached is None:
            return None
        frame = min(reached - start, len(track) - 1)
        place, _ = _seat_place(recording.task_object(task_index))
        beside = track[frame] - place[:2]
        if np.linalg.norm(beside) > PLACING_TUNING.max_misplacement:
            return None
        seat = recording.tasks[task_index].object_index
        others = [state.posed_collider for number, state in enumerate(recording.objects) if number != seat]
        beside = -shift_clear_of(track[frame], -beside, others)
        sits = recording.actions[start : start + frame + 1, ACTIONS.index(self.name)] > TUNING.begun_weight
        begins, left = frame - int(np.argmin(sits[::-1])) if not sits.all() else 0, min(stop - start, len(track)) - 1
        weights = staying_weights(recording.stands[start:], begins, left, recording.model.rate)
        return np.tile(beside, (len(track), 1)), weights

    def seat_contact(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> SeatContact | None:
        """Return the contact of the body with the middle of the seat; ``None`` if the body never settles on it.

        Args:
            recording: the recorded interaction.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        _, stop, task_index = interval
        reached = recording.event_frame("reached", task_index)
        if reached is None:
            return None
        return SeatContact(min(reached, stop - 1), *_seat_place(recording.task_object(task_index)))


def _platform_under(target: InteractionObject, others: Sequence[InteractionObject]) -> InteractionObject | None:
    """Return the platform under both a seat and the feet in front of it; ``None`` if there is none."""
    center, front = _seat_place(target)
    base = float(target.position[2] + target.collider.bounds[0][2])
    if base < TUNING.raised:
        return None
    places = np.array([center[:2], center[:2] + TUNING.start_distance * front])
    for other in others:
        if (other.posed_collider.horizontal_distances(places, TUNING.raised, base) == 0.0).all():
            return other
    return None


def _armrest_between(target: InteractionObject, center: Array, position: Array) -> bool:
    """Return whether an armrest is between a root (2), meters, world, and the middle of the seat (3), meters, world."""
    along = np.linspace(0.5, 1.0, TUNING.way_samples)[:, None]
    low, high = (center[2] + height for height in TUNING.armrest_heights)
    way = center[:2] + along * (position - center[:2])
    return bool(target.posed_collider.horizontal_distances(way, low, high).min() < TUNING.armrest_clearance)


def _seat_place(target: InteractionObject) -> tuple[Array, Array]:
    """Return the middle (3) of an object's seat, meters, world, and the seat's front direction (2), world."""
    seat = target.seat
    assert seat is not None
    front = rotate(target.rotation, np.append(seat.direction, 0.0))[:2]
    return target.posed_collider.to_world(seat.position[None])[0], front
