"""How fast to be where on a path: from standing, slower round corners, to standing."""

from typing import overload

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from .path import Path
from .profile import Profile

# What walking people do: metres a second squared gained and lost, and how hard they turn.
ACCELERATION = 1.2
BRAKING = 1.0
SIDEWAYS = 1.6
TURN_RATE = 2.2
SLOWEST = 0.35
# Rise, metres a metre, at which people are slowest, stairs among it, and by what share they are slower there.
STEEPEST = 0.6
SLOWER = 0.45
# And under a ceiling that is as low as anybody gets under.
CAREFUL = 0.4

Frames = NDArray[np.integer]


def plan_speeds(path: Path, speed: float, profile: Profile | None = None, upright: float = 0.0) -> Array:
    """The planned speed (M) at each of the path's points, m/s.

    The commanded speed, less up and down steep ground and under ceilings lower than ``upright`` metres, and where a
    curve would take more than ``SIDEWAYS`` m/s^2 or ``TURN_RATE`` rad/s, reached and left at no more than
    ``ACCELERATION`` and ``BRAKING``: grown with the commanded speed, since runners start harder.
    """
    hardness = max(1.0, speed / 1.5)
    corner = np.minimum(np.sqrt(SIDEWAYS * hardness / path.curvatures), TURN_RATE / path.curvatures)
    limit = np.minimum(speed, np.maximum(corner, min(SLOWEST, speed)))
    if profile is not None:
        steep = np.minimum(np.abs(profile.slope(path.lengths)) / STEEPEST, 1.0)
        ducking = CAREFUL * profile.low(path.lengths, upright) if upright else 0.0
        limit = np.maximum(limit * (1 - SLOWER * steep) * (1 - ducking), min(SLOWEST, speed))
    steps = np.diff(path.lengths)
    squares = limit**2
    squares[-1] = 0.0
    for index in range(len(squares) - 2, -1, -1):
        squares[index] = min(squares[index], squares[index + 1] + 2 * BRAKING * hardness * steps[index])
    squares[0] = 0.0
    for index in range(1, len(squares)):
        squares[index] = min(squares[index], squares[index - 1] + 2 * ACCELERATION * hardness * steps[index - 1])
    return np.sqrt(squares)


class Timing:
    """The plan by time: where on the path to be at each frame, from the first step to standing at the end.

    Attributes:
        distances: arc length (T) at each frame, metres; the last is the path's length.
        speeds: planned speed (T), m/s.
    """

    def __init__(
        self, path: Path, speed: float, rate: float, profile: Profile | None = None, upright: float = 0.0
    ) -> None:
        speeds = plan_speeds(path, speed, profile, upright)
        steps = np.diff(path.lengths)
        mean = np.maximum((speeds[1:] + speeds[:-1]) / 2, 0.02)
        times = np.concatenate([[0.0], np.cumsum(steps / mean)])
        frames = np.arange(int(np.ceil(times[-1] * rate)) + 1) / rate
        self.distances = np.interp(frames, times, path.lengths)
        self.speeds = np.interp(frames, times, speeds)

    def __len__(self) -> int:
        return len(self.distances)

    @overload
    def at(self, frame: int) -> float: ...
    @overload
    def at(self, frame: NDArray[np.integer]) -> Array: ...
    def at(self, frame: int | NDArray[np.integer]) -> float | Array:
        """Planned arc lengths at frames (...); before the start 0, after the end the path's length."""
        return self.distances[np.clip(frame, 0, len(self.distances) - 1)]

    def speed(self, frame: int | NDArray[np.integer]) -> Array:
        """Planned speeds at frames (...); zero outside the plan."""
        frame = np.asarray(frame)
        inside = (frame >= 0) & (frame < len(self.distances))
        return np.where(inside, self.speeds[np.clip(frame, 0, len(self.speeds) - 1)], 0.0)
