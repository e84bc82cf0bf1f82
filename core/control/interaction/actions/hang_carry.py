"""Carrying an object by its handle: stand beside it, bend to the handle, walk upright with it, and bend again.

The network only knows boxes held between two hands. It is commanded to take a box ahead of it, to walk, and to take
another box at the destination; refinement brings one hand to the handle, and the object hangs from that hand.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ..hanging import HANDLE_HAND, bearer_facing, bearer_position, bent_to
from ..hanging import TUNING as HANGING_TUNING
from ..recording import InteractionRecording
from ..task_run import TaskRun
from ..wrist_targets import palm_offset, wrist_over_handle
from .base import ActionSpec, HandHold, command_for_object, told_to_begin


@dataclass(frozen=True, slots=True)
class HangCarryTuning(Tuning):
    beside_distance: float = tuned(0.25, "m", 0.05, 1.0)
    """Largest distance of the bearer from its position beside an object at which it is commanded to bend."""
    beside_facing: float = tuned(0.5, "rad", 0.05, np.pi / 2)
    """Largest error of its facing at which a bearer is commanded to bend to a handle."""


TUNING: Final = HangCarryTuning()

DOWN: Final = np.array([0.0, 0.0, -1.0])
"""Direction from wrist to fingers of a hand that holds a handle from above, in the object's space."""


def require_hangable(target: InteractionObject, put_height: float) -> None:
    """Raise :class:`FootfallError` unless an object can be lifted by its handle and hang beside the leg.

    Args:
        target: the object.
        put_height: height of its destination, meters.

    Raises:
        FootfallError: the object is too thick, too tall, or its handle too high.
    """
    lower, upper = target.collider.bounds
    handle = target.grip_centre
    thickness = float(max(upper[1] - handle[1], handle[1] - lower[1]))
    if thickness > HANGING_TUNING.max_half_thickness:
        raise FootfallError(
            "'{name}' is {width} m thick beside its handle, too thick to carry in one hand: choose an object up "
            "to {most} m thick",
            name=target.name,
            width=f"{2 * thickness:.2f}",
            most=f"{2 * HANGING_TUNING.max_half_thickness:.2f}",
        )
    most = HANGING_TUNING.hanging_height - HANGING_TUNING.ground_clearance
    if handle[2] > most:
        raise FootfallError(
            "'{name}' extends {height} m below its handle and would drag on the ground: choose an object that "
            "extends at most {most} m below its handle",
            name=target.name,
            height=f"{handle[2]:.2f}",
            most=f"{most:.2f}",
        )
    highest = float(handle[2]) + max(float(target.position[2]), put_height)
    if highest > HANGING_TUNING.max_lift:
        raise FootfallError(
            "'{name}' would be lifted {height} m high by its handle, too high for one hand: choose a place at "
            "least {excess} m lower",
            name=target.name,
            height=f"{highest:.1f}",
            excess=f"{highest - HANGING_TUNING.max_lift + 0.05:.1f}",
        )


def hanging_command(spec: ActionSpec, run: TaskRun, target: InteractionObject) -> GoalCommand:
    """Return the command to stand beside an object, or beside its destination, and to bend down to its handle.

    Args:
        spec: the action.
        run: the task in progress.
        target: the object at its current position, or at its destination once it is carried, with the side of the
            approach as its front.
    """
    stand, facing = bearer_position(target), bearer_facing(target)
    if not run.is_aligned:
        error = float(np.arccos(np.clip(facing_direction(run.yaw) @ facing, -1.0, 1.0)))
        is_there = float(np.linalg.norm(run.position - stand)) < TUNING.beside_distance and error < TUNING.beside_facing
        # The body straightens first: with a box, it would walk on with both arms around it.
        run.is_aligned = is_there and run.action_weight == 0.0
        return GoalCommand("walk", np.append(stand, 0.0), facing, flow_field=run.flow_field_to(stand))
    return told_to_begin(command_for_object(spec, run, bent_to(target), stand), run, stand)


def beside_bearer(recording: InteractionRecording, frame: int, target: InteractionObject) -> Array:
    """Return the root's offset (2), meters, world, in a frame, from the place of a bearer beside an object."""
    return recording.frames[frame].position[0] - bearer_position(target)


def hanging_hold(recording: InteractionRecording, task_index: int, start: int, stop: int) -> HandHold:
    """Return the hold of the hand that carries a task's object by its handle, from frame `start` to before `stop`."""
    held = recording.task_object(task_index)
    assert held.grips is not None
    wrist = wrist_over_handle(held.grips, palm_offset(recording.model.skeleton.leg_length))
    return HandHold(HANDLE_HAND, start, stop, wrist, DOWN)
