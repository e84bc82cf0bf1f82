"""Facing of seated bodies: a body that sits down at an angle to its seat is turned to face along the seat."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...features.interaction import ACTIONS
from ...motion import Clip
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import Array, multiply, rotation_about_up, wrap_angle
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording


@dataclass(frozen=True, slots=True)
class SeatFacing(Tuning):
    """Tuned numbers of the facing of seated bodies."""

    max_turn: float = tuned(np.radians(25.0), "rad", 0.0, 1.6)
    """Largest angle by which a body is turned to face along its seat; one that would need more is left alone."""
    turn_smoothing: float = tuned(0.15, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths this turn over time."""
    leaving: float = tuned(2.0, "s", 0.1, 5.0)
    """Least time after a task in which corrections of a seated body fade with the weight of the action *sit*."""
    left_weight: float = tuned(0.02, "1", 0.0, 0.5)
    """Weight of the action *sit* below which the body counts as having left its seat."""


TUNING: Final = SeatFacing()


def leaving_end(sitting: Array, stop: int, rate: float) -> int:
    """Return the first frame at which the body has left its seat, perhaps a while after the command to get up.

    Args:
        sitting: (F) weights of the action *sit*, 0 to 1.
        stop: frame after the last frame of the task that sits.
        rate: frames per second.
    """
    earliest = min(stop + round(TUNING.leaving * rate), len(sitting))
    left = np.flatnonzero(sitting[earliest:] < TUNING.left_weight)
    return earliest + int(left[0]) if len(left) else len(sitting)


def face_seats(recording: InteractionRecording, clip: Clip, actions: Array) -> Clip:
    """Return a clip whose body is turned about the hips, while it sits down, to face along its seat.

    Args:
        recording: the recorded interaction.
        clip: the interaction's motion, F frames, on the controller's body or another.
        actions: (F, A) weights of the actions, 0 to 1; the weight of *sit* scales the turn.
    """
    turns, weights = np.zeros(len(clip)), np.clip(actions[:, ACTIONS.index("sit")], 0.0, 1.0)
    for interval in recording.task_intervals():
        start, stop, task_index = interval
        contact = ACTION_SPECS[recording.tasks[task_index].action].seat_contact(recording, interval)
        if contact is None:
            continue
        own = np.unwrap(root_track(clip).yaws[contact.start : stop])
        turn = float(wrap_angle(float(yaw_of(contact.direction)) - float(np.median(own))))
        if abs(turn) < TUNING.max_turn:
            turns[start : leaving_end(weights, stop, clip.rate)] = turn
    if not turns.any():
        return clip
    turns = scipy.ndimage.gaussian_filter1d(turns * weights, TUNING.turn_smoothing * clip.rate, mode="nearest")
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(turns), rotations[:, 0])
    return replace(clip, rotations=rotations)
