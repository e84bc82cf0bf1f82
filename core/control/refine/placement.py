"""Placement of bodies at the positions that their tasks require.

It moves a body that passes a door off its middle, lies beside its destination, or handles an object from the side.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.root_frame import root_track
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording


@dataclass(frozen=True, slots=True)
class Placement(Tuning):
    """Tuned numbers of the placement of bodies."""

    shift_smoothing: float = tuned(0.3, "s", 0.02, 2.0)
    """Standard deviation of the Gaussian that smooths the body's displacement, so that the sway of steps is kept."""


TUNING: Final = Placement()


def place_body(recording: InteractionRecording, clip: Clip, scale: float) -> Clip:
    """Return a clip with its root moved to the positions that its tasks require; lock its feet again afterward.

    Args:
        recording: the recorded interaction.
        clip: the interaction's motion, F frames, on the controller's body or another.
        scale: clip meters per meter at the controller's scale.
    """
    shift, counted = np.zeros((len(clip), 2)), np.zeros(len(clip))
    track = root_track(clip).positions / scale
    for interval in recording.task_intervals():
        start, _, task_index = interval
        spec = ACTION_SPECS[recording.tasks[task_index].action]
        misplaced = spec.misplacement(recording, interval, track[start:])
        if misplaced is not None:
            offset, weights = misplaced
            shift[start:] -= weights[:, None] * offset
            counted[start:] += weights
    # A passage used twice counts once.
    shift /= np.maximum(counted, 1.0)[:, None]
    if not shift.any():
        return clip
    shift = scipy.ndimage.gaussian_filter1d(shift, TUNING.shift_smoothing * clip.rate, axis=0, mode="nearest")
    return replace(clip, root_positions=clip.root_positions + scale * np.column_stack([shift, np.zeros(len(clip))]))
