"""Pushing an object along the floor to a destination, with both palms on its face."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array, rotate, rotation_about_up
from ....scene.interaction_object import InteractionObject
from ....scene.push_face import MIN_HEIGHT_M, MIN_WIDTH_M, find_push_face
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..pushing import TUNING as PUSHING_TUNING
from ..pushing import Pushing, is_blocked, pushing_side
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from ..wrist_targets import hand_on_face, palm_offset, wrists_on_face
from .base import ActionSpec, HandHold, TouchedSurface, told_to_begin


@dataclass(frozen=True, slots=True)
class PushTuning(Tuning):
    beginning_distance: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance from its position behind the object within which a character begins to push."""
    facing: float = tuned(0.5, "rad", 0.05, np.pi / 2)
    """Largest error of its facing at which a character begins to push."""
    long_stall: float = tuned(3.0, "s", 0.5, 20.0)
    """Time without progress after which a character pushes even if its hands do not touch the face."""
    min_distance: float = tuned(0.1, "m", 0.01, 1.0)
    """Smallest distance over which an object can be pushed."""
    max_short: float = tuned(0.3, "m", 0.0, 1.0)
    """Largest distance from its destination at which an object that no longer advances is released."""
    max_floor_gap: float = tuned(0.1, "m", 0.0, 0.5)
    """Largest gap between an object and the floor at which the object can be pushed."""
    path_step: float = tuned(0.1, "m", 0.01, 0.5)
    """Spacing of the points along an object's path that are checked for obstacles."""


TUNING: Final = PushTuning()


class Push(ActionSpec):
    """The action *push*: pushing an object straight to the task's position."""

    name = "push"
    needs_object = True
    uses_hands = True
    ends_in_motion = True

    def validate(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
        """Raise :class:`FootfallError` unless the object can be pushed to its destination past all obstacles.

        Raises:
            FootfallError: the object cannot be pushed there; the message says why.
        """
        super().validate(task, objects)
        target = objects[task.object_index]
        assert task.position is not None
        pushing = Pushing(task.object_index, target, task.position, target.position[:2])
        for one in objects:
            # Boxes may have been carried away, or pushed, by then.
            if one is target or one.kind == "box":
                continue
            for progress in np.arange(TUNING.path_step, pushing.distance, TUNING.path_step):
                if is_blocked(pushing.object_at(float(progress)), [one.posed_collider]):
                    raise FootfallError(
                        "'{obstacle}' is in the way of the pushed '{object}': move one of them, or choose "
                        "another target",
                        obstacle=one.name,
                        object=target.name,
                    )

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` unless the object can be pushed straight to the task's position.

        It must stand on the floor, have a face for two palms, and move straight away from one of its sides.

        Raises:
            FootfallError: one of these conditions fails.
        """
        if task.position is None:
            raise FootfallError("'{name}' has no target: choose a target to which to push the object", name=target.name)
        if target.position[2] + target.collider.bounds[0][2] > TUNING.max_floor_gap:
            raise FootfallError(
                "'{name}' does not stand on the floor: put it on the floor to push it", name=target.name
            )
        if np.linalg.norm((task.position - target.position)[:2]) < TUNING.min_distance:
            raise FootfallError("'{name}' is already at its target: choose another target", name=target.name)
        side, slant = pushing_side(target, task.position)
        if slant > PUSHING_TUNING.max_slant:
            raise FootfallError(
                "'{name}' can only be pushed straight ahead: move the target in front of the middle of one of its "
                "sides, or rotate the target",
                name=target.name,
            )
        if find_push_face(target.facing_side(side).collider) is None:
            raise FootfallError(
                "'{name}' has no face that two palms could push: it needs a face without gaps, {height} m high "
                "and {width} m wide",
                name=target.name,
                height=MIN_HEIGHT_M,
                width=MIN_WIDTH_M,
            )

    def sides(self, run: TaskRun) -> tuple[int, ...]:
        """Return the only side, in quarter turns from the front, from which to push: away from the destination."""
        assert run.task.position is not None
        return (pushing_side(run.task_object, run.task.position)[0],)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the side to push or, during the push, to walk the object to its destination."""
        pushing = run.scene.pushing
        target = run.task_object if pushing is None else pushing.placed_object
        target = target.facing_side(run.approach_side)
        stand, distance = _stand(target)
        command = GoalCommand(
            self.name,
            target.position,
            target.front_direction,
            target.interaction_volume,
            run.flow_field_to(stand),
            distance,
        )
        return told_to_begin(command, run, stand)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Begin to push when ready, and release the object at its destination; return whether it has been released."""
        pushing = run.scene.pushing
        if pushing is None:
            self._try_begin(run)
            return False
        left = pushing.distance - pushing.progress
        if pushing.is_stopped or run.has_settled(left, TUNING.max_short):
            return self._let_go(run)
        return False

    def give_up(self, run: TaskRun) -> bool:
        """Release the object at its current position, and return whether the task is over."""
        run.scene.pushing = None
        return True

    def enters_object(self, run: TaskRun) -> bool:
        """Return false: the root never enters the object."""
        return False

    def push_object(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Move the object with the body until an obstacle stops it; return whether the body pushes it."""
        pushing = run.scene.pushing
        if pushing is None:
            return False
        others = run.scene.colliders({pushing.object_index})
        run.scene.push(pushing.advanced(frame.position[0], others, run.recording.model.rate))
        return True

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the holds of both palms on the pushed face, for the duration of the push.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        _, stop, task_index = interval
        took, put = (recording.event_frame(kind, task_index) for kind in ("took", "put"))
        if took is None:
            return
        stop, side = stop if put is None else put, recording.approach_sides[task_index]
        face = find_push_face(recording.task_object(task_index).facing_side(side).collider)
        assert face is not None
        back = rotation_about_up(np.array(side * np.pi / 2))
        wrists = rotate(back, wrists_on_face(face, palm_offset(recording.model.skeleton.leg_length)))
        for hand, wrist, palm in zip("LR", wrists, face.palms, strict=True):
            surface = TouchedSurface(palm, np.array([0.0, -1.0, 0.0])).turned(back)
            yield HandHold(hand, took, max(stop, took + 1), wrist, rotate(back, hand_on_face()), surface)

    @staticmethod
    def _try_begin(run: TaskRun) -> None:
        """Begin to push once the character stands before the face and touches it."""
        target = run.task_object.facing_side(run.approach_side)
        distance = float(np.linalg.norm(_stand(target)[0] - run.position))
        facing = float(np.arccos(np.clip(-facing_direction(run.yaw) @ target.front_direction, -1.0, 1.0)))
        has_arrived = run.has_settled(distance, TUNING.beginning_distance) and facing < TUNING.facing
        stalled = run.seconds_since(run.closest_approach[1]) > TUNING.long_stall
        if has_arrived and (run.hands_touch or stalled):
            assert run.task.position is not None
            run.record("took")
            run.scene.push(Pushing(run.task.object_index, run.task_object, run.task.position, run.position.copy()))
            run.start_frame = len(run.recording)
            run.restart_approach()

    @staticmethod
    def _let_go(run: TaskRun) -> bool:
        """Release the object, and return true, since the task is then done."""
        run.record("put")
        run.scene.pushing = None
        return True


def _stand(target: InteractionObject) -> tuple[Array, float]:
    """Return the root position (2), meters, world, for pushing an object's front, and its distance from the origin."""
    face = find_push_face(target.collider)
    assert face is not None
    distance = face.distance + PUSHING_TUNING.face_distance
    return target.position[:2] + distance * target.front_direction, distance
