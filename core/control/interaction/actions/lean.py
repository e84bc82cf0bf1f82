"""Leaning on an object with both palms: on the edge of a table, a counter or a rail, or on a wall."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....features.interaction import CONTACT_JOINTS
from ....motion.contacts import CONTACT_THRESHOLD
from ....motion.rotations import Array, inverse, rotate, rotation_about_up
from ....scene.interaction_object import InteractionObject
from ....scene.lean_place import LeanPlace, find_lean_place, lean_sides, no_lean_place
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..placing import TUNING as PLACING_TUNING
from ..placing import staying_weights
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from ..wrist_targets import palm_offset, wrists_on_lean_place
from .base import ActionSpec, HandHold, TouchedSurface, told_to_begin


@dataclass(frozen=True, slots=True)
class LeanTuning(Tuning):
    done_weight: float = tuned(0.8, "1", 0.0, 1.0)
    """Weight of the action *lean* above which the character counts as leaning."""
    max_floor_gap: float = tuned(0.1, "m", 0.0, 0.5)
    """Largest gap between the floor and the bottom of an object to lean on."""
    nearby: float = tuned(0.7, "m", 0.2, 2.0)
    """Distance from the standing position within which the palms are repositioned straight ahead of the character."""


TUNING: Final = LeanTuning()

HANDS: Final = tuple(CONTACT_JOINTS.index(f"hand.{side}") for side in "LR")
"""Columns of the left and the right hand among the contacts."""


class Lean(ActionSpec):
    """The action *lean*: leaning on the nearest side of an object, at the spot nearest to the character."""

    name = "lean"
    needs_object = True
    approach_sides = (0, 1, 2, 3)
    uses_hands = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` unless the object stands on the floor and has a side to lean on.

        Raises:
            FootfallError: the object does not stand on the floor, or has no such side.
        """
        if target.position[2] + target.collider.bounds[0][2] > TUNING.max_floor_gap:
            raise FootfallError(
                "'{name}' does not stand on the floor: put it on the floor to lean on it", name=target.name
            )
        if not lean_sides(target.collider):
            raise no_lean_place(target.name)

    def sides(self, run: TaskRun) -> tuple[int, ...]:
        """Return the sides of the object, in quarter turns from its front, that have room for two palms."""
        return lean_sides(run.task_object.collider)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the chosen side of the object, and to lean on it."""
        target = run.task_object.facing_side(run.approach_side)
        place = _place(target, run.approach_position)
        if (
            not run.came_near
            and np.linalg.norm(_body_at(target, place, place.stand_distance) - run.position) < TUNING.nearby
        ):
            run.approach_position, run.came_near = run.position.copy(), True
            place = _place(target, run.approach_position)
        middle, stand = _world(target, place.middle), _body_at(target, place, place.stand_distance)
        command = GoalCommand(
            self.name, middle, -target.front_direction, None, run.flow_field_to(stand), place.stand_distance
        )
        return told_to_begin(command, run, stand, aims=True)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has leaned still on both hands for the task's duration."""
        return run.stay(bool(run.is_still and run.action_weight > TUNING.done_weight and run.hands_touch))

    def enters_object(self, run: TaskRun) -> bool:
        """Return false: the root never enters the object."""
        return False

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the holds of both palms on the object, from the first touch until the end of the task.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        start, stop, task_index = interval
        reached = recording.event_frame("reached", task_index)
        if reached is None:
            return
        free = np.flatnonzero(recording.contacts[start:reached, HANDS].min(axis=1) < CONTACT_THRESHOLD)
        touch = start + int(free[-1]) + 1 if len(free) else start
        _, place, side = _recorded_place(recording, interval, reached)
        back = rotation_about_up(np.array(side * np.pi / 2))
        wrists = rotate(back, wrists_on_lean_place(place, palm_offset(recording.model.skeleton.leg_length)))
        for hand, wrist, fingers, palm in zip("LR", wrists, rotate(back, place.fingers), place.palms, strict=True):
            surface = TouchedSurface(palm, place.into).turned(back)
            yield HandHold(hand, touch, max(stop, touch + 1), wrist, fingers, surface)

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return the body's offset (N, 2), constant, from its leaning position, meters, world, and weights (N).

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.
        """
        start, stop, task_index = interval
        reached = recording.event_frame("reached", task_index)
        if reached is None:
            return None
        frame, left = min(reached - start, len(track) - 1), min(stop - start, len(track)) - 1
        target, place, _ = _recorded_place(recording, interval, reached)
        beside = track[frame] - _body_at(target, place, place.lean_distance)
        if np.linalg.norm(beside) > PLACING_TUNING.max_misplacement:
            return None
        weights = staying_weights(recording.stands[start:], frame, left, recording.model.rate)
        return np.tile(beside, (len(track), 1)), weights


def _place(target: InteractionObject, root: Array) -> LeanPlace:
    """Return the place to lean on at an object's front that is nearest to a root (2), meters, world."""
    offset = np.append(root - target.position[:2], 0.0)
    own = rotate(inverse(target.rotation), offset)
    place = find_lean_place(target.collider, float(own[0])) or find_lean_place(target.collider)
    assert place is not None
    return place


def _recorded_place(
    recording: InteractionRecording, interval: tuple[int, int, int], reached: int
) -> tuple[InteractionObject, LeanPlace, int]:
    """Return a recorded task's object turned to the used side, the place of the palms, and the side's index."""
    start, _, task_index = interval
    side = recording.approach_sides[task_index]
    target = recording.object_states[start][recording.tasks[task_index].object_index].facing_side(side)
    return target, _place(target, recording.frames[min(reached, len(recording) - 1)].position[0]), side


def _body_at(target: InteractionObject, place: LeanPlace, distance: float) -> Array:
    """Return the root position (2), meters, world, of a body at a distance, meters, in front of the palms' place."""
    return _world(target, place.middle)[:2] + distance * target.front_direction


def _world(target: InteractionObject, point: Array) -> Array:
    """Return a point (3) of an object's space in world space, meters."""
    return target.posed_collider.to_world(point[None])[0]
