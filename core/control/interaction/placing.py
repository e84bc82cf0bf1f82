"""Weights by which refinement moves a body to the correct position for an action, and back, only while it steps."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class PlacingTuning(Tuning):
    """Tuned numbers for moving bodies to their correct positions; a standing body must not glide."""

    placed: float = tuned(0.4, "s", 0.0, 2.0)
    """Stepping time (a foot in the air) before and after an action in which the body is exactly at its correct
    position.
    """
    placing: float = tuned(1.2, "s", 0.1, 5.0)
    """Stepping time over which the body is moved to its correct position, and back to its own track."""
    max_misplacement: float = tuned(0.5, "m", 0.0, 2.0)
    """Largest distance from its correct position at which a body is moved there; one farther away is left alone."""


TUNING: Final = PlacingTuning()


def placing_weights(stands: NDArray[np.bool_], frame: int, rate: float) -> Array:
    """Return weights (N), 0 to 1, that move a stepping body to its correct position for an action at one frame.

    Args:
        stands: (N) whether both feet are on the ground.
        frame: frame of the action.
        rate: frames per second.
    """
    away = stepping_time_from(stands, frame, rate) - TUNING.placed
    return smooth_falloff(np.clip(away / TUNING.placing, 0.0, 1.0))


def staying_weights(stands: NDArray[np.bool_], begins: int, left: int, rate: float) -> Array:
    """Return weights (N), 0 to 1, that move a stepping body to its correct position for a stay, and back.

    Args:
        stands: (N) whether both feet are on the ground.
        begins: first frame of the stay.
        left: last frame of the stay.
        rate: frames per second.
    """
    weights = np.ones(len(stands))
    weights[: begins + 1] = placing_weights(stands[: begins + 1], begins, rate)
    weights[left:] = placing_weights(stands[left:], 0, rate)
    return weights


def stepping_time_from(stands: NDArray[np.bool_], frame: int, rate: float) -> Array:
    """Return, for each of N frames, the time, seconds, with a foot in the air between it and `frame`.

    If steps before or after `frame` are too few to complete the move of a body, a share of the standing time counts as
    well, just enough to complete it.

    Args:
        stands: (N) whether both feet are on the ground.
        frame: the given frame.
        rate: frames per second.
    """
    result = np.zeros(len(stands))
    for rows in (slice(frame, None, -1), slice(frame, None)):
        steps, rests = (np.cumsum(state[rows]) / rate for state in (~stands, stands))
        missing = TUNING.placed + TUNING.placing - steps[-1]
        result[rows] = steps + np.clip(missing / max(rests[-1], 1e-9), 0.0, 1.0) * rests
    return result
