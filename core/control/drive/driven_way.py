"""The path of a drive, frame by frame: ground positions without the sway of steps, arc lengths and speeds."""

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
    """Tuned numbers of driven paths."""

    sway: float = tuned(0.25, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that removes the sway of steps from the path."""
    standing_speed: float = tuned(0.15, "m/s", 0.01, 1.0)
    """Speed below which a character counts as standing, if both the commanded and the actual speed are lower."""
    standing_share: float = tuned(0.2, "1", 0.0, 1.0)
    """Share of a standing body's movement that counts as travel; the rest is sway on the spot."""
    start: float = tuned(1.2, "s", 0.0, 5.0)
    """Time in which a character gets up to speed, or stops."""
    min_speed: float = tuned(0.3, "m/s", 0.05, 2.0)
    """Lowest speed assigned to frames in which the character moves."""


TUNING: Final = DrivenWayTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DrivenWay:
    """The path of a driving session over F frames, in meters at the controller's scale.

    Attributes:
        places: (F, 3) root positions on the ground.
        lengths: (F) arc length traveled since the first frame.
        moves: (F) whether the character moves.
        speeds: (F) cruising speeds, m/s; a bake adds its own acceleration and braking.
    """

    places: Array
    lengths: Array
    moves: NDArray[np.bool_]
    speeds: Array

    def dense_frames(self, first: int, stop: int) -> NDArray[np.intp]:
        """Return the frames from `first` to before `stop`, thinned to one every 2 cm of the path, and the last one."""
        start, end = self.lengths[first], self.lengths[stop - 1]
        marks = np.append(np.arange(start, end - PATH_SPACING_M / 2, PATH_SPACING_M), end)
        found = np.searchsorted(self.lengths, marks).clip(first, stop - 1)
        return np.unique(found)

    def drawing(self, frames: NDArray[np.intp]) -> Array:
        """Return the vertices of a path to draw that, once its corners are rounded, passes through given positions.

        Args:
            frames: (N) frames of the positions.

        Returns:
            Vertices (N, 3), meters at the controller's scale.
        """
        places = self.places[frames]
        return np.column_stack([unrounded(places[:, :2]), places[:, 2]])


def way_of(moments: Sequence[DriveMoment], rate: float) -> DrivenWay:
    """Return the path of a driving session.

    Args:
        moments: the driving session, frame by frame, at least two.
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
    """Return speeds (F) in which starts and stops have the steady speed that they lead to or come from."""
    margin, result = round(TUNING.start * rate), speeds.copy()
    for start, stop in runs_of(moves):
        first, last = min(start + margin, (start + stop) // 2), max(stop - margin, (start + stop) // 2)
        result[start:first], result[last:stop] = speeds[first], speeds[last - 1]
    known = np.flatnonzero(moves)
    return result if not len(known) else np.interp(np.arange(len(speeds)), known, result[known])
