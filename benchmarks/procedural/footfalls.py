"""Times and places of a foot's stances: the plan that determines everything else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.motion.rotations import Array
from .ways import Way


@dataclass(frozen=True, slots=True)
class Style:
    """The style of putting down, lifting and swinging a foot. Angles are radians of pitch, positive with the heel up.

    Attributes:
        strike: pitch at the strike: negative on the heel, positive on the ball, zero flat.
        flat: share of the stance at which the whole foot is down.
        rise: share of the stance at which the heel begins to rise.
        push: pitch at toe-off.
        lift: clearance of the swinging ball of the foot, meters.
        early: share of the swing at its highest lift.
        landing: landing speed of the foot, m/s: horizontal and downward. It stops at once, like real feet.
    """

    strike: float = -0.3
    flat: float = 0.13
    rise: float = 0.58
    push: float = 0.95
    lift: float = 0.03
    early: float = 0.5
    landing: tuple[float, float] = (0.7, 0.4)


@dataclass(frozen=True, eq=False)
class Footfalls:
    """The stances (N) of one foot in time. Times are seconds.

    Attributes:
        starts: strikes.
        flats: times at which heel and ball are both down.
        rises: times at which the heel leaves the ground.
        stops: when the ball does.
        places: (N, 3) places on the ground under the resting foot joint, meters.
        yaws: directions of the toes.
        tilt: the ground's slope along the toes, radians, positive uphill.
        style: style of the foot's motion.
    """

    starts: Array
    flats: Array
    rises: Array
    stops: Array
    places: Array
    yaws: Array
    tilt: float
    style: Style

    @staticmethod
    def of(starts: Array, stops: Array, way: Way, aside: float, along: float, style: Style) -> "Footfalls":
        """Return the stances at the body's position at mid-stance, ``aside`` to its right, ``along`` ahead."""
        places, yaws = way.at((starts + stops) / 2)
        across = np.stack([np.cos(yaws), np.sin(yaws)], axis=1)
        ahead = np.stack([-np.sin(yaws), np.cos(yaws)], axis=1)
        ground = np.concatenate([places + aside * across + along * ahead, np.zeros((len(places), 1))], axis=1)
        lasts = stops - starts
        flats = starts + (style.flat * lasts if style.strike else 0.0)
        return Footfalls(starts, flats, starts + style.rise * lasts, stops, ground, yaws, 0.0, style)

    def heel_down(self, times: Array) -> NDArray[np.bool_]:
        """Return whether the heel rests on the ground (T)."""
        return self._between(times, self.flats if self.style.strike > 0 else self.starts, self.rises)

    def ball_down(self, times: Array) -> NDArray[np.bool_]:
        """Return whether the ball of the foot rests on the ground (T)."""
        return self._between(times, self.starts if self.style.strike > 0 else self.flats, self.stops)

    def planted(self, times: Array) -> NDArray[np.bool_]:
        """Return whether the whole foot rests on the ground (T)."""
        return self._between(times, self.flats, self.rises)

    def _between(self, times: Array, begins: Array, ends: Array) -> NDArray[np.bool_]:
        last = np.searchsorted(begins, times, side="right") - 1
        return (last >= 0) & (times < ends[np.maximum(last, 0)])
