"""Pulling a door open: the character goes to its handle, steps back around the opening leaf, then goes through."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....motion.blending import smooth_step
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array
from ....scene.affordances import Handle
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ..door import opening_sign
from ..door_pull import DoorPull
from ..task_run import TaskRun
from ..wrist_targets import wrists_on_pulled_handle
from .base import HandHold


@dataclass(frozen=True, slots=True)
class PullDoorTuning(Tuning):
    pulling_speed: float = tuned(np.radians(70.0), "rad/s", 0.2, 5.0)
    """Largest angular speed at which a pulled leaf opens."""
    standing_radius: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance from the position for grasping the handle at which a character stops."""
    grasp_radius: float = tuned(0.15, "m", 0.02, 1.0)
    """Distance from the position for grasping the handle within which a standing character begins to pull."""
    grasp_facing: float = tuned(0.4, "rad", 0.05, np.pi / 2)
    """Largest error of its facing at which a character begins to pull."""
    release: float = tuned(0.3, "s", 0.0, 2.0)
    """Time for the hand to come around the leaf's edge before the character goes through."""
    release_angle: float = tuned(np.radians(0.05), "rad", 0.0, 0.1)
    """Angle before the widest one at which a hand releases the handle, since the leaf then stands still."""
    withdrawal: float = tuned(0.2, "s", 0.02, 1.0)
    """Time in which the hand withdraws from the handle on the far face of the open leaf, around the leaf's edge."""
    withdrawal_distance: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance over which the hand withdraws, along the leaf."""
    through_distance: float = tuned(1.5, "m", 0.5, 5.0)
    """Distance from a door to the end of the path on its far side."""


TUNING: Final = PullDoorTuning()


def is_pulled(door: InteractionObject) -> bool:
    """Return whether a door opens toward a character that approaches the door's front."""
    return door.handle is not None and door.handle.is_pulled


def has_pulled(run: TaskRun) -> bool:
    """Return whether the character has pulled the door open."""
    return run.recording.event_frame("opened", run.task_index) is not None


def pulling_command(run: TaskRun, door: InteractionObject) -> GoalCommand:
    """Return the command for the next frame: to go to the handle, to step back with it, or to go through.

    Args:
        run: the task in progress.
        door: the closed door, with the side of the approach as its front.
    """
    opened = run.recording.event_frame("opened", run.task_index)
    if opened is not None and run.seconds_since(opened) > TUNING.release:
        return _passage_command(run, door)
    pull = DoorPull.of(door)
    run.is_aligned = run.is_aligned or _stands_at_handle(run, pull)
    if run.is_aligned:
        goal = np.append(pull.release, 0.0)
        return GoalCommand("walk", goal, pull.facing)
    distance = float(np.linalg.norm(pull.grasp - run.position))
    return GoalCommand(
        "walk" if distance > TUNING.standing_radius else "idle",
        np.append(pull.grasp, 0.0),
        pull.facing,
        flow_field=run.flow_field_to(pull.grasp),
    )


def pulled_angle(run: TaskRun, door: InteractionObject, angle: float) -> float:
    """Return the opening angle, radians, positive counterclockwise, of a door that a character pulls open.

    The angle stops changing once the door is open.

    Args:
        run: the task in progress.
        door: the closed door, with the side of the approach as its front.
        angle: opening angle in the previous frame, radians.
    """
    if not run.is_aligned or has_pulled(run):
        return angle
    return opening_sign(door) * max(abs(angle), DoorPull.of(door).opening_angle(run.position))


def pulling_hold(handle: Handle, palm: float, angles: Array, held: tuple[int, int], rate: float) -> HandHold:
    """Return the hold of a hand that pulls a handle and then withdraws around the leaf's edge, in the door's space.

    Args:
        handle: the handle.
        palm: distance from the wrist to the middle of the palm, meters.
        angles: (N) absolute opening angle in each frame, radians.
        held: first frame in which the handle is held, and frame after the last, as indices into `angles`.
        rate: frames per second.
    """
    first, released = held
    stop = min(released + round(TUNING.withdrawal * rate), len(angles))
    withdrawal = TUNING.withdrawal_distance * smooth_step(
        (np.arange(first, stop) - released) / (TUNING.withdrawal * rate)
    )
    wrists, pointing = wrists_on_pulled_handle(handle, palm, angles[first:stop], withdrawal)
    return HandHold(handle.pulling_hand, first, stop, wrists, pointing)


def _stands_at_handle(run: TaskRun, pull: DoorPull) -> bool:
    """Return whether the character stands still where it can grasp the handle, facing the right way."""
    error = float(np.arccos(np.clip(facing_direction(run.yaw) @ pull.facing, -1.0, 1.0)))
    return (
        run.is_still
        and float(np.linalg.norm(pull.grasp - run.position)) < TUNING.grasp_radius
        and error < TUNING.grasp_facing
    )


def _passage_command(run: TaskRun, door: InteractionObject) -> GoalCommand:
    """Return the command to go through an open door."""
    goal = door.position[:2] - TUNING.through_distance * door.front_direction
    return GoalCommand(
        "walk",
        np.append(goal, 0.0),
        -door.front_direction,
        flow_field=run.flow_field_to(goal),
    )
