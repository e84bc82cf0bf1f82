"""The way of a drive: places without the sway of steps, arc lengths and speeds, frame by frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.root_frame import smooth_positions
from ...motion.rotations import Array, length
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned
from ..path.path import PATH_SPACING_M, unrounded
from .driver import DriveMoment


@dataclass(frozen=True, slots=True)
class DrivenWayTuning(Tuning):
    """Tuned numbers of driven ways."""

    sway: float = tuned(0.25, "s", 0.0, 2.0)
    """Standard deviation of the smoothing that takes the sway of steps out of the way."""
    standing_speed: float = tuned(0.15, "m/s", 0.01, 1.0)
    """Commanded speed, and speed of the body, below which a character stands."""
    standing_share: float = tuned(0.2, "1", 0.0, 1.0)
    """Share of the way of a standing body, which sways and goes nowhere, that counts."""
    start: float = tuned(1.2, "s", 0.0, 5.0)
    """Time in which a character starts or stops."""
    min_speed: float = tuned(0.3, "m/s", 0.05, 2.0)
    """Lowest speed of a part of the way in which a character moves."""


TUNING: Final = DrivenWayTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DrivenWay:
    """The way of a drive over F frames, in meters of the controller.

    Attributes:
        places: (F, 3) on the ground.
        lengths: (F) way since the first frame.
        moves: (F) whether the character moves.
        speeds: (F) m/s, without starting and stopping, which bakes do by themselves.
    """

    places: Array
    lengths: Array
    moves: NDArray[np.bool_]
    speeds: Array

    def dense_frames(self, first: int, stop: int) -> NDArray[np.intp]:
        """Return the frames, of those from `first` to before `stop`, of places every 2 cm of the way, with the last."""
        start, end = self.lengths[first], self.lengths[stop - 1]
        marks = np.append(np.arange(start, end - PATH_SPACING_M / 2, PATH_SPACING_M), end)
        found = np.searchsorted(self.lengths, marks).clip(first, stop - 1)
        return np.unique(found)

    def drawing(self, frames: NDArray[np.intp]) -> Array:
        """Return the points (N, 3) of a drawing whose rounded path leads through the places of dense frames (N)."""
        places = self.places[frames]
        return np.column_stack([unrounded(places[:, :2]), places[:, 2]])


def way_of(moments: Sequence[DriveMoment], rate: float) -> DrivenWay:
    """Return the way of a drive.

    Args:
        moments: the drive, frame by frame, two at least.
        rate: frames per second.
    """
    roots = np.stack([moment.root for moment in moments])
    smooth = smooth_positions(roots[:, :2], TUNING.sway * rate)
    steps = length(np.diff(smooth, axis=0, prepend=smooth[:1]))
    commanded = np.array([moment.speed for moment in moments])
    moves = np.maximum(commanded, steps * rate) >= TUNING.standing_speed
    lengths = np.cumsum(np.where(moves, steps, TUNING.standing_share * steps))
    speeds = scipy.ndimage.gaussian_filter1d(np.gradient(lengths) * rate, TUNING.sway * rate, mode="nearest")
    steady = np.maximum(_steady_speeds(speeds, moves, rate), TUNING.min_speed)
    return DrivenWay(np.column_stack([smooth, roots[:, 2]]), lengths, moves, steady)


def _steady_speeds(speeds: Array, moves: NDArray[np.bool_], rate: float) -> Array:
    """Return speeds (F) in which starts and stops have the speed that they come from or lead to."""
    margin, result = round(TUNING.start * rate), speeds.copy()
    for start, stop in runs_of(moves):
        first, last = min(start + margin, (start + stop) // 2), max(stop - margin, (start + stop) // 2)
        result[start:first], result[last:stop] = speeds[first], speeds[last - 1]
    known = np.flatnonzero(moves)
    return result if not len(known) else np.interp(np.arange(len(speeds)), known, result[known])
