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
from .path_events import Cues, CueSpan, Facing
from .terrain_profile import TerrainProfile

# What walking people do: metres a second squared gained and lost, and how hard they turn.
MAX_ACCELERATION_M_S2 = 1.2
MAX_BRAKING_M_S2 = 1.0
MAX_LATERAL_ACCELERATION_M_S2 = 1.6
MAX_TURN_RATE_RAD_S = 2.2
MIN_CORNER_SPEED_M_S = 0.35
# Rise, metres a metre, at which people are slowest, stairs among it, and by what share they are slower there.
STEEPEST_SLOPE_RATIO = 0.6
SLOPE_SLOWDOWN_SHARE = 0.45
# And under a ceiling that is as low as anybody gets under.
DUCK_SLOWDOWN_SHARE = 0.4
STAND_BEFORE_S: Final = 0.5
"""Seconds of standing before the first step, ..."""
STAND_AFTER_S: Final = 1.0
"""... and after the last."""
MAX_STRAFE_SPEED_M_S: Final = 1.3
"""Metres a second at which people go at most who do not face where they go."""
FACING_SMOOTHING_S: Final = 0.25
"""Seconds over which turning the body to another side is spread (a standard deviation), ..."""
STYLE_SMOOTHING_S: Final = 0.15
"""... and changing to another style."""
MAX_CUE_ITERATIONS: Final = 8
"""How often times are put into metres by the plan that they change."""

FrameIndices = NDArray[np.integer]


def plan_speeds(
    path: Path,
    speed: float,
    profile: TerrainProfile | None = None,
    body_height: float = 0.0,
    commanded_speeds: Array | None = None,
    stop_indices: Sequence[int] = (),
) -> Array:
    """The planned speed (M) at each of the path's points, m/s.

    The commanded speed, less up and down steep ground and under ceilings lower than ``body_height`` metres, and where a
    curve would take more than ``MAX_LATERAL_ACCELERATION_M_S2`` m/s^2 or ``MAX_TURN_RATE_RAD_S`` rad/s, reached and left at no more than
    ``MAX_ACCELERATION_M_S2`` and ``MAX_BRAKING_M_S2``: grown with the commanded speed, since runners start harder.

    Args:
        path: where to go.
        speed: commanded, m/s.
        profile: what is along the path.
        body_height: the height of the body, metres; ceilings do not count where it is 0.
        commanded_speeds: (M) commanded at each point, where it is not the same everywhere.
        stop_indices: points at which one comes to stand.
    """
    commanded_speeds = np.full(len(path.arc_lengths), speed) if commanded_speeds is None else commanded_speeds
    hardness = np.maximum(1.0, commanded_speeds / 1.5)
    slowest = np.minimum(MIN_CORNER_SPEED_M_S, commanded_speeds)
    corner = np.minimum(
        np.sqrt(MAX_LATERAL_ACCELERATION_M_S2 * hardness / path.curvatures), MAX_TURN_RATE_RAD_S / path.curvatures
    )
    limit = np.minimum(commanded_speeds, np.maximum(corner, slowest))
    if profile is not None:
        steep = np.minimum(np.abs(profile.slope_at(path.arc_lengths)) / STEEPEST_SLOPE_RATIO, 1.0)
        ducking = DUCK_SLOWDOWN_SHARE * profile.duck_share_at(path.arc_lengths, body_height) if body_height else 0.0
        limit = np.maximum(limit * (1 - SLOPE_SLOWDOWN_SHARE * steep) * (1 - ducking), slowest)
    squares = limit**2
    squares[[0, -1, *stop_indices]] = 0.0
    steps = 2 * np.diff(path.arc_lengths)
    # What is lost and gained is summed from the start on, so that another end changes nothing before it braked for it.
    lost = np.concatenate([[0.0], np.cumsum(MAX_BRAKING_M_S2 * hardness[:-1] * steps)])
    left = np.minimum.accumulate((squares + lost)[::-1])[::-1] - lost
    squares = np.clip(left, 0.0, squares)
    gained = np.concatenate([[0.0], np.cumsum(MAX_ACCELERATION_M_S2 * hardness[1:] * steps)])
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
    yaw_offsets: Array
    phase_offsets: Array
    style_weights: Array

    @staticmethod
    def without_cues(distances: Array, speeds: Array, gaits: int = 0) -> "Timing":
        """A plan in which one faces ahead and moves in no style."""
        none = np.zeros(len(distances))
        return Timing(distances, speeds, none, none, np.zeros((len(distances), gaits)))

    def __len__(self) -> int:
        return len(self.distances)

    @overload
    def distance_at(self, frame: int) -> float: ...
    @overload
    def distance_at(self, frame: NDArray[np.integer]) -> Array: ...
    def distance_at(self, frame: int | NDArray[np.integer]) -> float | Array:
        """Planned arc lengths at frames (...); before the start 0, after the end the path's length."""
        return self.distances[np.clip(frame, 0, len(self.distances) - 1)]

    def speed_at(self, frame: int | NDArray[np.integer]) -> Array:
        """Planned speeds at frames (...); zero outside the plan."""
        frame = np.asarray(frame)
        inside = (frame >= 0) & (frame < len(self.distances))
        return np.where(inside, self.speeds[np.clip(frame, 0, len(self.speeds) - 1)], 0.0)


def plan_timing(
    path: Path,
    speed: float,
    rate: float,
    profile: TerrainProfile | None = None,
    body_height: float = 0.0,
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
    profiled = partial(_parametrize_by_time, path, speed, rate, profile, body_height)
    placed = cues.remapped(float)
    if any(one.unit == "seconds" for one in (*cues.spans, *cues.waits)):
        distances = profiled(Cues())[0]
        for _ in range(MAX_CUE_ITERATIONS):
            placed = cues.remapped(float, partial(_distance_at_time, distances, rate))
            before, distances = distances, profiled(placed)[0]
            if np.array_equal(before, distances):
                break
    distances, speeds = profiled(placed)
    turns = _yaw_offsets(path, distances, rate, placed.spans)
    return Timing(
        distances, speeds, turns, np.zeros(len(distances)), _style_weights(distances, rate, placed.spans, gaits, style)
    )


def _distance_at_time(distances: Array, rate: float, seconds: float) -> float:
    """Where one is so many seconds after a walk's first frame."""
    frame = round((seconds - STAND_BEFORE_S) * rate)
    return float(distances[np.clip(frame, 0, len(distances) - 1)])


def _parametrize_by_time(
    path: Path, speed: float, rate: float, profile: TerrainProfile | None, body_height: float, cues: Cues
) -> tuple[Array, Array]:
    """Planned arc lengths and speeds (T) at each frame."""
    lengths = path.arc_lengths
    places = np.clip(np.searchsorted(lengths, [wait.start for wait in cues.waits]), 0, len(lengths) - 1)
    waits = sorted((int(place), wait.duration) for place, wait in zip(places, cues.waits, strict=True))
    stops = [index for index, _ in waits]
    speeds = plan_speeds(path, speed, profile, body_height, _commanded_speeds(path, speed, cues), stops)
    mean = np.maximum((speeds[1:] + speeds[:-1]) / 2, 0.02)
    taken = np.diff(lengths) / mean
    # One is at a stop twice: when one comes, and when one goes on.
    at = np.insert(np.arange(len(lengths)), [index + 1 for index in stops], stops)
    passed = np.insert(taken, stops, [seconds for _, seconds in waits])
    times = np.concatenate([[0.0], np.cumsum(passed)])
    frames = np.arange(int(np.ceil(times[-1] * rate)) + 1) / rate
    return np.interp(frames, times, lengths[at]), np.interp(frames, times, speeds[at])


def _commanded_speeds(path: Path, speed: float, cues: Cues) -> Array:
    """The commanded speed (M) at each of the path's points."""
    wanted = np.full(len(path.arc_lengths), speed)
    inside = [(path.arc_lengths >= one.start) & (path.arc_lengths <= one.end) for one in cues.spans]
    for one, where in zip(cues.spans, inside, strict=True):
        if one.speed is not None:
            wanted[where] = one.speed
    if cues.speed_factors is not None:
        wanted = wanted * np.interp(path.arc_lengths, *cues.speed_factors.T)
    for one, where in zip(cues.spans, inside, strict=True):
        if one.facing is not None and (one.facing.yaw_offset or one.facing.target is not None):
            wanted[where] = np.minimum(wanted[where], MAX_STRAFE_SPEED_M_S)
    return wanted


def _yaw_offsets(path: Path, distances: Array, rate: float, stretches: Sequence[CueSpan]) -> Array:
    """Where to face (T), radians to the left of the way ahead, changed over :data:`FACING_SMOOTHING_S` seconds."""
    turns = np.zeros(len(distances))
    for one in stretches:
        if one.facing is not None:
            where = (distances >= one.start) & (distances <= one.end)
            turns[where] = _cue_yaw_offsets(path, distances, rate, one.facing)[where]
    return scipy.ndimage.gaussian_filter1d(np.unwrap(turns), FACING_SMOOTHING_S * rate, mode="nearest")


def _cue_yaw_offsets(path: Path, distances: Array, rate: float, facing: Facing) -> Array:
    if facing.target is None:
        return np.full(len(distances), facing.yaw_offset)
    frames = np.arange(len(distances)) + round(STAND_BEFORE_S * rate)
    to = facing.target[np.minimum(frames, len(facing.target) - 1)] - path.position_at(distances)
    return np.arctan2(-to[:, 0], to[:, 1]) - path.yaw_at(distances)


def _style_weights(
    distances: Array, rate: float, stretches: Sequence[CueSpan], gaits: Sequence[str], style: str
) -> Array:
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
    return (
        scipy.ndimage.gaussian_filter1d(styles, STYLE_SMOOTHING_S * rate, axis=0, mode="nearest")
        if styles.any()
        else styles
    )
