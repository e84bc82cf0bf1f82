"""How fast to be where on a path, and when: from standing, slower round corners, as cues say, to standing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, overload

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from .path import Path
from .path_events import Cues, Facing, Stretch
from .terrain_profile import Profile

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
STAND_BEFORE: Final = 0.5
"""Seconds of standing before the first step, ..."""
STAND_AFTER: Final = 1.0
"""... and after the last."""
ASIDE: Final = 1.3
"""Metres a second at which people go at most who do not face where they go."""
TURNED: Final = 0.25
"""Seconds over which turning the body to another side is spread (a standard deviation), ..."""
CHANGED: Final = 0.15
"""... and changing to another style."""
ROUNDS: Final = 8
"""How often times are put into metres by the plan that they change."""

Frames = NDArray[np.integer]


def plan_speeds(
    path: Path,
    speed: float,
    profile: Profile | None = None,
    upright: float = 0.0,
    wanted: Array | None = None,
    stops: Sequence[int] = (),
) -> Array:
    """The planned speed (M) at each of the path's points, m/s.

    The commanded speed, less up and down steep ground and under ceilings lower than ``upright`` metres, and where a
    curve would take more than ``SIDEWAYS`` m/s^2 or ``TURN_RATE`` rad/s, reached and left at no more than
    ``ACCELERATION`` and ``BRAKING``: grown with the commanded speed, since runners start harder.

    Args:
        path: where to go.
        speed: commanded, m/s.
        profile: what is along the path.
        upright: the height of the body, metres; ceilings do not count where it is 0.
        wanted: (M) commanded at each point, where it is not the same everywhere.
        stops: points at which one comes to stand.
    """
    wanted = np.full(len(path.lengths), speed) if wanted is None else wanted
    hardness = np.maximum(1.0, wanted / 1.5)
    slowest = np.minimum(SLOWEST, wanted)
    corner = np.minimum(np.sqrt(SIDEWAYS * hardness / path.curvatures), TURN_RATE / path.curvatures)
    limit = np.minimum(wanted, np.maximum(corner, slowest))
    if profile is not None:
        steep = np.minimum(np.abs(profile.slope(path.lengths)) / STEEPEST, 1.0)
        ducking = CAREFUL * profile.low(path.lengths, upright) if upright else 0.0
        limit = np.maximum(limit * (1 - SLOWER * steep) * (1 - ducking), slowest)
    squares = limit**2
    squares[[0, -1, *stops]] = 0.0
    steps = 2 * np.diff(path.lengths)
    # What is lost and gained is summed from the start on, so that another end changes nothing before it braked for it.
    lost = np.concatenate([[0.0], np.cumsum(BRAKING * hardness[:-1] * steps)])
    left = np.minimum.accumulate((squares + lost)[::-1])[::-1] - lost
    squares = np.clip(left, 0.0, squares)
    gained = np.concatenate([[0.0], np.cumsum(ACCELERATION * hardness[1:] * steps)])
    reached = np.minimum.accumulate(squares - gained) + gained
    return np.sqrt(np.clip(reached, 0.0, squares))


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """The plan by time: where on the path to be at each frame, from the first step to standing at the end.

    Attributes:
        distances: arc length (T) at each frame, metres; the last is the path's length.
        speeds: planned speed (T), m/s.
        turns: (T) radians, to the left of the way ahead: where to face.
        strides: (T) cycles that the phase goes on more than by itself.
        styles: (T, G) how much each gait is the style that one moves in; all zero is plain walking and running.
    """

    distances: Array
    speeds: Array
    turns: Array
    strides: Array
    styles: Array

    @staticmethod
    def plain(distances: Array, speeds: Array, gaits: int = 0) -> "Timing":
        """A plan in which one faces ahead and moves in no style."""
        none = np.zeros(len(distances))
        return Timing(distances, speeds, none, none, np.zeros((len(distances), gaits)))

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


def plan(
    path: Path,
    speed: float,
    rate: float,
    profile: Profile | None = None,
    upright: float = 0.0,
    cues: Cues | None = None,
    gaits: Sequence[str] = (),
    style: str = "",
) -> Timing:
    """The plan of a walk.

    Args:
        path, speed, profile, upright: as of :func:`plan_speeds`.
        rate: frames a second.
        cues: what is told besides, in metres along ``path``.
        gaits: the controller's, of which styles are some.
        style: in which one moves where cues name none.
    """
    cues = cues or Cues()
    profiled = partial(_distances, path, speed, rate, profile, upright)
    placed = cues.placed(float)
    if any(one.unit == "seconds" for one in (*cues.stretches, *cues.waits)):
        distances = profiled(Cues())[0]
        for _ in range(ROUNDS):
            placed = cues.placed(float, partial(_place, distances, rate))
            before, distances = distances, profiled(placed)[0]
            if np.array_equal(before, distances):
                break
    distances, speeds = profiled(placed)
    turns = _turns(path, distances, rate, placed.stretches)
    return Timing(
        distances, speeds, turns, np.zeros(len(distances)), _styles(distances, rate, placed.stretches, gaits, style)
    )


def _place(distances: Array, rate: float, seconds: float) -> float:
    """Where one is so many seconds after a walk's first frame."""
    frame = round((seconds - STAND_BEFORE) * rate)
    return float(distances[np.clip(frame, 0, len(distances) - 1)])


def _distances(
    path: Path, speed: float, rate: float, profile: Profile | None, upright: float, cues: Cues
) -> tuple[Array, Array]:
    """Planned arc lengths and speeds (T) at each frame."""
    lengths = path.lengths
    places = np.clip(np.searchsorted(lengths, [wait.at for wait in cues.waits]), 0, len(lengths) - 1)
    waits = sorted((int(place), wait.seconds) for place, wait in zip(places, cues.waits, strict=True))
    stops = [index for index, _ in waits]
    speeds = plan_speeds(path, speed, profile, upright, _wanted(path, speed, cues), stops)
    mean = np.maximum((speeds[1:] + speeds[:-1]) / 2, 0.02)
    taken = np.diff(lengths) / mean
    # One is at a stop twice: when one comes, and when one goes on.
    at = np.insert(np.arange(len(lengths)), [index + 1 for index in stops], stops)
    passed = np.insert(taken, stops, [seconds for _, seconds in waits])
    times = np.concatenate([[0.0], np.cumsum(passed)])
    frames = np.arange(int(np.ceil(times[-1] * rate)) + 1) / rate
    return np.interp(frames, times, lengths[at]), np.interp(frames, times, speeds[at])


def _wanted(path: Path, speed: float, cues: Cues) -> Array:
    """The commanded speed (M) at each of the path's points."""
    wanted = np.full(len(path.lengths), speed)
    inside = [(path.lengths >= one.start) & (path.lengths <= one.end) for one in cues.stretches]
    for one, where in zip(cues.stretches, inside, strict=True):
        if one.speed is not None:
            wanted[where] = one.speed
    if cues.paces is not None:
        wanted = wanted * np.interp(path.lengths, *cues.paces.T)
    for one, where in zip(cues.stretches, inside, strict=True):
        if one.facing is not None and (one.facing.turn or one.facing.target is not None):
            wanted[where] = np.minimum(wanted[where], ASIDE)
    return wanted


def _turns(path: Path, distances: Array, rate: float, stretches: Sequence[Stretch]) -> Array:
    """Where to face (T), radians to the left of the way ahead, changed over :data:`TURNED` seconds."""
    turns = np.zeros(len(distances))
    for one in stretches:
        if one.facing is not None:
            where = (distances >= one.start) & (distances <= one.end)
            turns[where] = _turn(path, distances, rate, one.facing)[where]
    return scipy.ndimage.gaussian_filter1d(np.unwrap(turns), TURNED * rate, mode="nearest")


def _turn(path: Path, distances: Array, rate: float, facing: Facing) -> Array:
    if facing.target is None:
        return np.full(len(distances), facing.turn)
    frames = np.arange(len(distances)) + round(STAND_BEFORE * rate)
    to = facing.target[np.minimum(frames, len(facing.target) - 1)] - path.point(distances)
    return np.arctan2(-to[:, 0], to[:, 1]) - path.yaw(distances)


def _styles(distances: Array, rate: float, stretches: Sequence[Stretch], gaits: Sequence[str], style: str) -> Array:
    """How much (T, G) each gait is the style that one moves in."""
    styles = np.zeros((len(distances), len(gaits)))
    told = [(np.ones(len(distances), dtype=bool), style)]
    told += [
        ((distances >= one.start) & (distances <= one.end), one.style) for one in stretches if one.style is not None
    ]
    for where, name in told:
        styles[where] = 0.0
        if name:
            styles[where, list(gaits).index(name)] = 1.0
    return scipy.ndimage.gaussian_filter1d(styles, CHANGED * rate, axis=0, mode="nearest") if styles.any() else styles
