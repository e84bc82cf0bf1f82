"""Carrying an object between both hands to a destination."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ....errors import FootfallError
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array, length, normalize, rotate, rotation_about_up
from ....scene.body_size import CONTACT_RADIUS_M
from ....scene.interaction_object import InteractionObject
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ...runtime.root_correction import shift_clear_of
from ..attachment import HANDOVER_S
from ..hanging import bent_to, holding_points, is_hung
from ..placing import placing_weights
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TUNING as TASK_RUN_TUNING
from ..task_run import TaskRun
from ..wrist_targets import palm_offset, wrist_on_object
from .base import ActionSpec, HandHold, TouchedSurface, command_for_object, told_to_begin
from .carry_tuning import TUNING
from .hang_carry import beside_bearer, hanging_command, hanging_hold, require_hangable


class Carry(ActionSpec):
    """The action *carry*: taking an object with both hands, carrying it, and putting it down at the task's position."""

    name = "carry"
    needs_object = True
    approach_distance = TUNING.start_distance
    approach_sides = (0, 1, 2, 3)
    uses_hands = True
    ends_in_motion = True
    turns_away = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` unless the object can be held with two hands and has a destination within reach.

        Raises:
            FootfallError: the object cannot be carried, or its destination is missing or too high.
        """
        if target.grips is None:
            raise FootfallError(
                "'{name}' is too wide to hold between two hands: choose a narrower object", name=target.name
            )
        if task.position is None:
            raise FootfallError(
                "'{name}' has no target: choose a target at which to put the object down", name=target.name
            )
        if is_hung(target):
            require_hangable(target, float(task.position[2]))
            return
        lies = float(target.posed_collider.to_world(target.grip_centre[None])[0, 2])
        put = lies + float(task.position[2] - target.position[2])
        if max(lies, put) > TUNING.max_grip_height:
            highest = TUNING.max_grip_height - (lies - float(target.position[2]))
            raise FootfallError(
                "'{name}' would be held {height} m above the floor, too high for two bent arms: choose a shelf "
                "up to {most} m high",
                name=target.name,
                height=f"{max(lies, put):.2f}",
                most=f"{np.floor(100 * highest) / 100:.2f}",
            )

    def sides(self, run: TaskRun) -> tuple[int, ...]:
        """Return the sides from which to approach: all four for a box, two for an object with a handle."""
        return (0, 2) if is_hung(run.task_object) else self.approach_sides

    def enters_object(self, run: TaskRun) -> bool:
        """Return whether the root may enter the object: true unless it has a handle and stays beside the bearer."""
        return not is_hung(run.task_object)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the object and grasp it or, once it is held, to take it to its destination."""
        target = _goal_object(run).facing_side(run.approach_side)
        if is_hung(target):
            return hanging_command(self, run, target)
        start = _start(target)
        command = command_for_object(self, run, target, start)
        holds = run.scene.attachment is not None
        if not run.came_near and (holds or float(length(run.position - start)) < TUNING.turn_choice):
            run.came_near = True
            run.turn_in_mirror(start - run.position if holds else target.position[:2] - start)
        if holds and _steps_away(run):
            away = TUNING.step_away * normalize(start - target.position[:2])
            farther = replace(target, position=target.position + np.append(away, 0.0))
            return command_for_object(self, run, farther, start + away)
        if holds:
            return replace(command, action="idle" if _puts_down(run, target) else command.action)
        # A network may raise its empty hands and carry nothing to the object.
        is_far = float(length(run.position - start)) > TUNING.far and run.runtime.assistance.tells_actions
        return replace(told_to_begin(command, run, start), barred=command.action if is_far else "")

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Grasp or release the object when the hands are in position; return whether the object has been released."""
        scene = run.scene
        if scene.attachment is None:
            self._try_grasp(run, frame)
            return False
        if scene.release is not None:
            if run.seconds_since(scene.release.start_frame) >= HANDOVER_S:
                scene.end_release()
                return True
            return False
        if self._bends_down_again(run, frame) if is_hung(run.task_object) else self._lets_go(run):
            run.record("put")
            scene.begin_release(run.task.object_index, placed_object(run))
        return False

    def give_up(self, run: TaskRun) -> bool:
        """Put a held object down beside the character; return whether the hands are empty."""
        if run.scene.attachment is None:
            return True
        if run.scene.release is None:
            run.scene.begin_release(run.task.object_index, dropped_object(run))
        return False

    @staticmethod
    def _try_grasp(run: TaskRun, frame: InteractionFrame) -> None:
        """Attach the object to the hands once they have reached it."""
        target, hands = run.task_object, run.recording.wrist_positions(frame)
        if is_hung(target):
            seen = target.facing_side(run.approach_side)
            target, hands = bent_to(seen), holding_points(seen)
            if not run.is_aligned:
                return
        if _is_reached(run, frame, target):
            run.record("took")
            run.scene.attach(run.task.object_index, hands)
            run.start_frame = len(run.recording)
            run.is_aligned = False
            run.restart_approach()

    @staticmethod
    def _bends_down_again(run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the bearer of an object with a handle has bent down at the destination."""
        placed = placed_object(run).facing_side(run.approach_side)
        return run.is_aligned and _is_reached(run, frame, bent_to(placed))

    @staticmethod
    def _lets_go(run: TaskRun) -> bool:
        """Return whether to release a held object: at its destination, just above it, or where it comes no nearer.

        After ``TUNING.facing_timeout``, the character need not face the destination.
        """
        assert run.task.position is not None
        offset = run.task_object.position - run.task.position
        distance = float(np.linalg.norm(offset))
        is_low = abs(float(offset[2])) < TUNING.release_height
        settled = run.has_settled(
            distance, TUNING.release_distance, TUNING.touching_stall if is_low else TASK_RUN_TUNING.stall
        )
        stalled_s = run.seconds_since(run.closest_approach[1])
        # Refinement moves the body so that the hands put the object at its destination.
        arrives = settled and (distance < TASK_RUN_TUNING.settled_distance or is_low)
        stays = distance < TUNING.stalled_release_distance and (stalled_s > TUNING.long_stall or was_lowest(run))
        if not (arrives or stays):
            return False
        placed = placed_object(run).facing_side(run.approach_side)
        return stalled_s > TUNING.facing_timeout or _is_before(run, placed, TUNING.max_lateral_offset)

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return the root's offsets (N, 2) from its places to grasp or put down, meters, world, and weights (N).

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.
        """
        start, _, task_index = interval
        index = recording.tasks[task_index].object_index
        beside, counted = np.zeros((len(track), 2)), np.zeros(len(track))
        stands = recording.stands[start:]
        for kind in ("took", "put"):
            frame = recording.event_frame(kind, task_index)
            if frame is None or frame >= len(recording):
                continue
            # The object rests before the grasp, and at its destination after the hand-over.
            rests = frame - 1 if kind == "took" else frame + round(HANDOVER_S * recording.model.rate)
            resting = recording.object_states[min(rests, len(recording) - 1)]
            placed = resting[index]
            pose = recording.frames[frame]
            hands = recording.wrist_positions(pose).mean(axis=0)
            grip = placed.posed_collider.to_world(placed.grip_centre[None])[0]
            to_place = (grip - hands)[:2]
            if is_hung(placed):
                to_place = -beside_bearer(recording, frame, placed.facing_side(recording.approach_sides[task_index]))
            weights = placing_weights(stands, frame - start, recording.model.rate)
            others = [other.posed_collider for other in resting if other is not placed]
            beside -= weights[:, None] * shift_clear_of(pose.position[0], to_place, others)
            counted += weights
        if not counted.any():
            return None
        return beside / np.maximum(counted, 1e-9)[:, None], np.minimum(counted, 1.0)

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the holds of both hands on the grips, from the grasp to the end of the task.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        _, stop, task_index = interval
        grasped = recording.event_frame("took", task_index)
        if grasped is None:
            return
        given_up = recording.event_frame("gave up", task_index)
        # Hands do not follow a dropped object to the ground.
        stop = stop if given_up is None else max(given_up, grasped + 1)
        held, side = recording.task_object(task_index), recording.approach_sides[task_index]
        if is_hung(held):
            put = recording.event_frame("put", task_index)
            yield hanging_hold(recording, task_index, grasped, stop if put is None else max(put, grasped + 1))
            return
        for hand in "LR":
            wrist = wrist_on_object(held, side, hand, palm_offset(recording.model.skeleton.leg_length))
            yield HandHold(hand, grasped, stop, wrist, surface=_gripped_surface(held, side, hand))


def _gripped_surface(held: InteractionObject, side: int, hand: str) -> TouchedSurface | None:
    """Return the surface that a hand touches on an object held from a side; ``None`` for an object without grips."""
    grips = held.facing_side(side).grips
    if grips is None:
        return None
    left, right = grips.hands
    inward = normalize(right - left if hand == "L" else left - right)
    return TouchedSurface(left if hand == "L" else right, inward).turned(rotation_about_up(np.array(side * np.pi / 2)))


def _goal_object(run: TaskRun) -> InteractionObject:
    """Return the object where it is now or, once it is held, at its destination."""
    return run.task_object if run.scene.attachment is None else placed_object(run)


def _start(target: InteractionObject) -> Array:
    """Return the root position (2) in front of an object from which grasping or placing begins, meters, world."""
    return target.position[:2] + TUNING.start_distance * target.front_direction


def _puts_down(run: TaskRun, placed: InteractionObject) -> bool:
    """Return whether to command the character, which stands at the destination with the object, to put it down.

    `placed` is the object at its destination, with the side of approach as its front.
    """
    if not run.runtime.assistance.tells_actions:
        return False
    farthest = TUNING.max_lateral_offset if run.has_stood_long else TUNING.lateral_offset
    return (
        run.seconds_there(run.stands_near(_start(placed)) and _is_before(run, placed, farthest))
        < TASK_RUN_TUNING.telling
    )


def _steps_away(run: TaskRun) -> bool:
    """Return whether a bearer walks away from a destination that is too near to its feet, to come back to it."""
    if run.back_frame is not None:
        if run.seconds_since(run.back_frame) > TASK_RUN_TUNING.going_back:
            run.restart_approach()
    elif run.runtime.assistance.tells_actions:
        assert run.task.position is not None
        distance = float(length(run.task_object.position - run.task.position))
        is_stuck = run.seconds_since(run.closest_approach[1]) > TUNING.long_stall
        has_just_taken = run.start_frame == len(run.recording) and distance < TUNING.too_near
        if distance > TUNING.stalled_release_distance and (is_stuck or has_just_taken):
            run.back_frame = len(run.recording)
    return run.back_frame is not None


def was_lowest(run: TaskRun) -> bool:
    """Return whether a character that is to put an object down has bent over and now straightens again."""
    assert run.task.position is not None
    if run.there_frame is None:
        return False
    latest = run.recording.object_states[-round(TUNING.bending * run.recording.model.rate) :]
    heights = [float(objects[run.task.object_index].position[2]) for objects in latest]
    lowest = int(np.argmin(heights))
    return (
        max(heights[: lowest + 1]) - heights[lowest] > TUNING.lowered
        and heights[-1] - heights[lowest] > TUNING.risen
        and heights[lowest] - float(run.task.position[2]) < TUNING.lowest_height
    )


def placed_object(run: TaskRun) -> InteractionObject:
    """Return the task's object at its destination."""
    task, held = run.task, run.task_object
    assert task.position is not None
    front = held.front_direction if task.direction is None else task.direction
    if task.direction is None and task.stand_direction is not None:
        to_front = rotation_about_up(np.array(-run.approach_side * np.pi / 2))
        front = rotate(to_front, np.append(task.stand_direction, 0.0))[:2]
    return held.place_at(task.position, front)


def dropped_object(run: TaskRun) -> InteractionObject:
    """Return the held object on the ground ahead of the character, or to its side if an obstacle is ahead."""
    held, others = run.task_object, run.scene.colliders({run.task.object_index})
    lower, upper = held.collider.bounds
    radius = float(np.linalg.norm((upper - lower)[:2])) / 2
    away = max(TUNING.start_distance, radius + CONTACT_RADIUS_M)
    places = [run.position + away * facing_direction(run.yaw + turn) for turn in TUNING.drop_directions]
    blocked = [
        any(float(other.horizontal_distances(place[None], 0.0, 2.0 * radius)[0]) < radius for other in others)
        for place in places
    ]
    return held.place_at(np.append(places[int(np.argmin(blocked))], 0.0), held.front_direction)


def _is_reached(run: TaskRun, frame: InteractionFrame, target: InteractionObject) -> bool:
    """Return whether the hands have reached an object: they are near enough to its grips and no longer approach."""
    hands = run.recording.wrist_positions(frame)
    is_bent = run.action_weight > TUNING.bent_weight or run.hip_descent(frame) > TUNING.bent_hips
    distance = _grip_distance(target, hands.mean(axis=0))
    # Refinement moves the body so that the hands reach the object; a bent body that waited would bob over it.
    farthest = TUNING.grasp_distance if run.hands_touch else TUNING.touching_distance
    return run.has_settled(
        distance,
        TUNING.bent_grasp_distance if is_bent else farthest,
        TUNING.touching_stall if run.hands_touch or is_bent else TASK_RUN_TUNING.stall,
    )


def _grip_distance(target: InteractionObject, hands: Array) -> float:
    """Return the distance from the middle of the hands (3) to the middle of an object's grips, meters."""
    return float(np.linalg.norm(target.posed_collider.to_world(target.grip_centre[None])[0] - hands))


def _is_before(run: TaskRun, target: InteractionObject, farthest: float) -> bool:
    """Return whether the character faces an object's front with a lateral offset of less than `farthest`, meters."""
    offset = run.position - target.position[:2]
    lateral = abs(float(offset @ np.array([target.front_direction[1], -target.front_direction[0]])))
    facing_error = float(np.arccos(np.clip(-facing_direction(run.yaw) @ target.front_direction, -1.0, 1.0)))
    return lateral < farthest and facing_error < TUNING.max_facing_error
