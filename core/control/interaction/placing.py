"""Weights of the refinement that moves a body to its place of action, and away from it, during its steps."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class PlacingTuning(Tuning):
    """Tuned numbers of bodies that refinement moves to their place; a standing body does not glide."""

    placed: float = tuned(0.4, "s", 0.0, 2.0)
    """Stepping time before and after an action in which the body is exactly at its place."""
    placing: float = tuned(1.2, "s", 0.1, 5.0)
    """Stepping time in which the body approaches its place, and leaves it."""
    max_misplacement: float = tuned(0.5, "m", 0.0, 2.0)
    """Largest distance from its place over which a body is moved there."""


TUNING: Final = PlacingTuning()


def placing_weights(stands: NDArray[np.bool_], frame: int, rate: float) -> Array:
    """Return weights (N), 0 to 1, of moving a body to its place for an action in one frame.

    Args:
        stands: (N) whether both feet are on the ground.
        frame: frame of the action.
        rate: frames per second.
    """
    away = stepping_time_from(stands, frame, rate) - TUNING.placed
    return smooth_falloff(np.clip(away / TUNING.placing, 0.0, 1.0))


def staying_weights(stands: NDArray[np.bool_], begins: int, left: int, rate: float) -> Array:
    """Return weights (N), 0 to 1, of moving a body to its place for a stay.

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
    """Return the stepping time (N), seconds, between each frame and a given one: the time with a foot in the air.

    Where the steps from the first frame to `frame`, or from it to the last one, are too few for a whole displacement, a
    share of the standing time counts, too, just enough to complete it.
    """
    result = np.zeros(len(stands))
    for rows in (slice(frame, None, -1), slice(frame, None)):
        steps, rests = (np.cumsum(state[rows]) / rate for state in (~stands, stands))
        missing = TUNING.placed + TUNING.placing - steps[-1]
        result[rows] = steps + np.clip(missing / max(rests[-1], 1e-9), 0.0, 1.0) * rests
    return result
