"""Weights with which refinement has a body where it acts: it comes there and leaves while it steps."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class PlacingTuning(Tuning):
    """Tuned numbers of bodies that refinement moves to their place. A body that stands does not glide."""

    placed: float = tuned(0.4, "s", 0.0, 2.0)
    """Time of steps before and after the moment of an action for which the body is at its place."""
    placing: float = tuned(1.2, "s", 0.1, 5.0)
    """Time of steps in which the body comes to its place, and leaves it."""
    max_misplacement: float = tuned(0.5, "m", 0.0, 2.0)
    """Distance beside its place up to which a body is moved there."""


TUNING: Final = PlacingTuning()


def placing_weights(stands: NDArray[np.bool_], frame: int, rate: float) -> Array:
    """Return the weights (N), 0 to 1, with which a body is moved to where it acts in a frame.

    Args:
        stands: (N) whether no foot is in the air.
        frame: frame of the action.
        rate: frames per second.
    """
    away = stepping_time_from(stands, frame, rate) - TUNING.placed
    return smooth_falloff(np.clip(away / TUNING.placing, 0.0, 1.0))


def staying_weights(stands: NDArray[np.bool_], begins: int, left: int, rate: float) -> Array:
    """Return the weights (N), 0 to 1, with which a body is moved to where it stays from a frame to another.

    Args:
        stands: (N) whether no foot is in the air.
        begins: frame from which it stays.
        left: last frame in which it does.
        rate: frames per second.
    """
    weights = np.ones(len(stands))
    weights[: begins + 1] = placing_weights(stands[: begins + 1], begins, rate)
    weights[left:] = placing_weights(stands[left:], 0, rate)
    return weights


def stepping_time_from(stands: NDArray[np.bool_], frame: int, rate: float) -> Array:
    """Return the time (N) between each frame and one frame in which a foot is in the air, seconds.

    Of standing (N) counts as much besides as it takes to come to that frame from the first, and from it to the last.
    """
    result = np.zeros(len(stands))
    for rows in (slice(frame, None, -1), slice(frame, None)):
        steps, rests = (np.cumsum(state[rows]) / rate for state in (~stands, stands))
        missing = TUNING.placed + TUNING.placing - steps[-1]
        result[rows] = steps + np.clip(missing / max(rests[-1], 1e-9), 0.0, 1.0) * rests
    return result
