"""Opening a hinged door and walking through it; for doors that open toward the character see :mod:`pull_door`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....errors import FootfallError
from ....motion.proportions import ADULT_LEG_LENGTH_M
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array, rotate, rotation_about_up
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..door import TUNING as DOOR_TUNING
from ..door import opening_angle, opening_start, push_door, pushing_joints
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from ..wrist_targets import hand_on_handle, palm_offset, wrist_on_handle
from .base import ActionSpec, HandHold, TouchedSurface
from .pull_door import TUNING as PULL_DOOR_TUNING
from .pull_door import has_pulled, is_pulled, pulled_angle, pulling_command, pulling_hold


@dataclass(frozen=True, slots=True)
class OpenDoorTuning(Tuning):
    approach: float = tuned(1.1, "m", 0.5, 3.0)
    """Distance in front of a door at which a character lines up with the passage."""
    alignment: float = tuned(0.22, "m", 0.05, 1.0)
    """Lateral offset from the middle of a passage below which a character counts as aligned with it."""
    far_goal_offset: float = tuned(1.5, "m", 0.0, 5.0)
    """Distance by which the commanded goal lies beyond the end of the path until the character is aligned."""
    through_offset: float = tuned(0.5, "m", 0.0, 3.0)
    """Distance by which the commanded goal lies beyond the end of the path through the passage."""
    onwards: float = tuned(1.0, "m", 0.2, 5.0)
    """Distance that the character walks on beyond the opened leaf."""
    lateral_range: tuple[float, float] = tuned((0.45, 0.9), "m", 0.0, 3.0)
    """Lateral distances from its line through the passage over which correcting the body fades from full to none."""
    max_reach_ratio: float = tuned(1.3, "1", 0.8, 3.0)
    """Distance from shoulder to handle, in arm lengths, beyond which a hand lets go of the handle."""
    max_lunge_ratio: float = tuned(1.6, "1", 0.8, 3.0)
    """Distance from shoulder to handle, in arm lengths, from which a hand takes the handle."""
    reach_margin_ratio: float = tuned(0.1, "1", 0.0, 1.0)
    """Margin, in arm lengths, over its smallest distance from the handle within which a body out of reach holds it."""
    max_crossing: float = tuned(0.0, "m", -0.2, 0.5)
    """Distance across the middle of the body, toward the other hand, at which a hand lets go of the handle."""
    least_ahead: float = tuned(0.05, "m", -0.3, 0.5)
    """Distance of the handle ahead of the root below which a hand lets go of it."""
    handle_side: float = tuned(0.1, "m", 0.0, 0.5)
    """Lateral offset of the body's line through the passage from its middle, toward the handle."""
    centered_range: tuple[float, float] = tuned((0.7, 1.5), "m", 0.0, 5.0)
    """Distances before and behind a door over which correcting the body to its line fades from full to none."""
    ajar_angle: float = tuned(np.radians(0.5), "rad", 0.0, 0.2)
    """Opening angle at which a hand takes the handle, and angle before the widest one at which it stops pushing."""


TUNING: Final = OpenDoorTuning()


class OpenDoor(ActionSpec):
    """The action *open*: walking through a door that body and hand push open, or that a hand pulls open."""

    name = "open"
    needs_object = True
    approach_distance = -1.5
    approach_sides = (0, 2)
    uses_hands = True
    ends_in_motion = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` if the object has no handle.

        Raises:
            FootfallError: the object has no handle.
        """
        if target.handle is None:
            raise FootfallError("'{name}' has no handle: set the handle and the hinge of the door", name=target.name)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to line up with the door and walk straight through it, or to pull it open first."""
        door = run.initial_object.facing_side(run.approach_side)
        if is_pulled(door):
            return pulling_command(run, door)
        volume = door.interaction_volume
        if not _is_aligned(run, door):
            path = run.flow_field_to(door.position[:2] + TUNING.approach * door.front_direction, passes_object=True)
            return GoalCommand(self.name, door.position, door.front_direction, volume, path, TUNING.far_goal_offset)
        path = run.flow_field_to(door.position[:2] + self.approach_distance * door.front_direction, passes_object=True)
        if float((run.position - door.position[:2]) @ door.front_direction) < -DOOR_TUNING.passed_distance:
            return _onward_command(run, door)
        return GoalCommand(
            self.name,
            door.position,
            door.front_direction,
            volume,
            path,
            TUNING.through_offset,
        )

    def enters_object(self, run: TaskRun) -> bool:
        """Return whether the root may enter the leaf: true for a door that is pushed, false for one that is pulled."""
        return not is_pulled(run.initial_object.facing_side(run.approach_side))

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has passed through the door."""
        return _has_passed(run, frame)

    def push_object(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Swing the leaf ahead of the body until the character has passed; return whether the body still moves it."""
        if _has_passed(run, frame):
            return False
        index, angles = run.task.object_index, run.scene.door_angles
        door = run.initial_object.facing_side(run.approach_side)
        if is_pulled(door):
            moved, speed = pulled_angle(run, door, angles[index]), PULL_DOOR_TUNING.pulling_speed
        else:
            joints, radii = pushing_joints(run.recording.model)
            body_points = run.recording.joint_positions(frame, joints)
            moved = push_door(door, frame.position[0], body_points, radii, angles[index])
            speed = DOOR_TUNING.max_leaf_speed
        step = float(speed) / run.recording.model.rate
        angles[index] = float(np.clip(moved, angles[index] - step, angles[index] + step))
        is_recorded = run.recording.event_frame("opened", run.task_index) is not None
        if abs(angles[index]) > DOOR_TUNING.open_angle and not is_recorded:
            run.record("opened")
        return True

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return the root's offsets (N, 2) from a straight line through a pushed door, meters, and weights (N).

        The line passes the middle of the passage on the handle's side. ``None`` for a pulled door, since the character
        steps around its leaf. Offsets are in the world; weights are 0 to 1.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.
        """
        _, _, task_index = interval
        door = recording.task_object(task_index).facing_side(recording.approach_sides[task_index])
        if is_pulled(door) or recording.event_frame("opened", task_index) is None:
            return None
        handle, front = door.handle, door.front_direction
        assert handle is not None
        across = np.array([front[1], -front[0]])
        to_handle = float(np.sign(handle.position[0] - handle.hinge[0]))
        offset = track - door.position[:2]
        beside = offset @ across - to_handle * TUNING.handle_side
        weights = np.interp(np.abs(offset @ front), TUNING.centered_range, (1.0, 0.0))
        weights *= np.interp(np.abs(beside), TUNING.lateral_range, (1.0, 0.0))
        return beside[:, None] * across, weights

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the interval in which a hand holds the handle while the door opens.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        start, stop, task_index = interval
        index, side = recording.tasks[task_index].object_index, recording.approach_sides[task_index]
        door = recording.objects[index]
        handle = door.facing_side(side).handle
        assert handle is not None
        angles = np.array([opening_angle(state[index], door) for state in recording.object_states[start:stop]])
        angles[: opening_start(angles)] = 0.0
        widest = float(
            angles.max(initial=0.0) - (PULL_DOOR_TUNING.release_angle if handle.is_pulled else TUNING.ajar_angle)
        )
        held = np.flatnonzero((angles > TUNING.ajar_angle) & (np.maximum.accumulate(angles) < widest))
        if len(held):
            first, last = int(held[0]), int(held[-1]) + 1
            palm, rate = palm_offset(recording.model.skeleton.leg_length), recording.model.rate
            hold = HandHold(handle.pushing_hand, first, last, wrist_on_handle(handle, palm), hand_on_handle(handle))
            if handle.is_pulled:
                hold = pulling_hold(handle, palm, angles, (first, last), rate)
            assert hold.pointing is not None
            turned = rotation_about_up(np.array(side * np.pi / 2))
            wrist, pointing = rotate(turned, hold.wrist), rotate(turned, hold.pointing)
            surface = TouchedSurface(handle.position, np.append(handle.direction, 0.0)).turned(turned)
            held = HandHold(hold.hand, start + hold.start, start + hold.stop, wrist, pointing, surface)
            yield held if handle.is_pulled else _while_in_reach(recording, held, index)


def _while_in_reach(recording: InteractionRecording, hold: HandHold, object_index: int) -> HandHold:
    """Return the hold of a handle, shortened to the frames in which the arm can reach the handle.

    A handle that is never within reach is held throughout, since a leaf does not open by itself.
    """
    skeleton, frames = recording.model.skeleton, range(hold.start, hold.stop)
    upper, *lower = (skeleton.joint(f"{part}.{hold.hand}") for part in ("upper_arm", "forearm", "hand"))
    arm = float(np.linalg.norm(skeleton.offsets[lower], axis=1).sum())
    shoulder = recording.model.joints.index(skeleton.names[upper])
    leaves = [recording.object_states[frame][object_index] for frame in frames]
    wrists = np.concatenate([leaf.posed_collider.to_world(hold.wrist[None]) for leaf in leaves])
    shoulders = np.concatenate([recording.joint_positions(recording.frames[frame], [shoulder]) for frame in frames])
    ratios = np.linalg.norm(wrists - shoulders, axis=1) / arm
    if ratios.min() > TUNING.max_lunge_ratio:
        return hold
    taken = int(np.flatnonzero(ratios <= TUNING.max_lunge_ratio)[0])
    nearest = max(TUNING.max_reach_ratio, float(ratios.min()) + TUNING.reach_margin_ratio)
    left = int(np.flatnonzero(ratios < nearest)[-1])
    passed = np.flatnonzero(_is_passed(recording, frames, wrists, hold.hand)[taken:])
    left = min(left, taken + int(passed[0])) if len(passed) else left
    return replace(hold, start=hold.start + taken, stop=hold.start + max(left, taken) + 1)


def _is_passed(recording: InteractionRecording, frames: range, wrists: Array, hand: str) -> NDArray[np.bool_]:
    """Return in which frames (N) a held point (N, 3), meters, world, is beside or behind the body, or across it."""
    roots = np.concatenate([recording.frames[frame].position for frame in frames])
    ahead = facing_direction(np.concatenate([recording.frames[frame].yaw for frame in frames]))
    away, right = wrists[:, :2] - roots, np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    outward = np.sum(away * right, axis=1) * (1.0 if hand == "R" else -1.0)
    scale = recording.model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    near = np.sum(away * ahead, axis=1) < TUNING.least_ahead * scale
    return np.asarray(near | (outward < -TUNING.max_crossing * scale))


def _is_aligned(run: TaskRun, door: InteractionObject) -> bool:
    """Return whether the character has lined up with a door, so that it can walk straight through."""
    offset = run.position - door.position[:2]
    forward = float(offset @ door.front_direction)
    lateral = abs(float(offset @ np.array([door.front_direction[1], -door.front_direction[0]])))
    run.is_aligned = run.is_aligned or (lateral < TUNING.alignment and forward < TUNING.approach + 2 * TUNING.alignment)
    return run.is_aligned


def _onward_command(run: TaskRun, door: InteractionObject) -> GoalCommand:
    """Return the command to walk on beyond the door; with the door as its goal, the character would turn back."""
    assert door.handle is not None
    goal = door.position[:2] - (door.handle.hinge_distance + TUNING.onwards) * door.front_direction
    path = run.flow_field_to(goal, passes_object=True)
    return GoalCommand("walk", np.append(goal, 0.0), -door.front_direction, flow_field=path)


def _has_passed(run: TaskRun, frame: InteractionFrame) -> bool:
    """Return whether the character is past the leaf, seen from where it started, or has gone through a pulled door."""
    door = run.initial_object.facing_side(run.approach_side)
    now = (frame.position[0] - door.position[:2]) @ door.front_direction
    if is_pulled(door):
        return has_pulled(run) and bool(now < -DOOR_TUNING.passed_distance)
    start = (run.start_position - door.position[:2]) @ door.front_direction
    assert door.handle is not None
    return bool(now * np.sign(start) < -door.handle.hinge_distance - DOOR_TUNING.passed_distance)
