"""Velocity profiles: planned speeds along a path, from standing to standing, slower in corners."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.crouch import FULL_CROUCH_DROP_RATIO
from ...features.rest import REST_GAITS
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import Mask, runs_of
from ...tuning import Tuning, tuned
from .crouch_response import CrouchResponse
from .path import Path
from .path_events import Cues, CueSpan, Facing
from .running import run_shares
from .stair_flights import stair_speeds
from .terrain_profile import TerrainProfile


@dataclass(frozen=True, slots=True)
class VelocityProfileTuning(Tuning):
    max_acceleration: float = tuned(1.2, "m/s^2", 0.1, 10.0)
    """Largest acceleration of walking people."""
    max_braking: float = tuned(1.0, "m/s^2", 0.1, 10.0)
    """Largest deceleration of walking people."""
    max_lateral_acceleration: float = tuned(1.6, "m/s^2", 0.1, 10.0)
    """Largest lateral acceleration of people in a curve."""
    max_turn_rate: float = tuned(2.2, "rad/s", 0.1, 10.0)
    """Largest turn rate of walking people."""
    hard_speed: float = tuned(1.5, "m/s", 0.3, 5.0)
    """Commanded speed above which the limits of acceleration grow with it, since runners start and turn harder."""
    min_corner_speed: float = tuned(0.06, "m/s", 0.01, 1.0)
    """Lowest speed in a corner; at this speed, a U-turn within 10 cm takes more than a second."""
    min_terrain_speed: float = tuned(0.35, "m/s", 0.05, 2.0)
    """Lowest speed to which slopes and ceilings slow a character."""
    steepest_slope: float = tuned(0.6, "1", 0.1, 2.0)
    """Slope, rise over run, from which people walk slowest, as on stairs."""
    slope_slowdown: float = tuned(0.45, "1", 0.0, 1.0)
    """Share of the speed that is lost at ``steepest_slope``."""
    duck_slowdown: float = tuned(0.4, "1", 0.0, 1.0)
    """Share of the speed that is lost under the lowest ceiling that a character can pass."""
    max_strafe_speed: float = tuned(1.3, "m/s", 0.3, 5.0)
    """Highest speed of a character that does not face its direction of travel."""
    facing_smoothing: float = tuned(0.25, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths turns of the body to another facing direction."""
    max_crouch_speed: float = tuned(1.1, "m/s", 0.3, 5.0)
    """Highest speed of crouched walking: the 90th percentile of captured crouched walking."""
    rise: float = tuned(3.0, "s", 0.0, 20.0)
    """Time after a crouch in which the body is commanded to rise."""
    rise_weight: float = tuned(0.2, "1", 0.0, 1.0)
    """Magnitude of the negative weight of the gait *crouch* that raises a body from a full crouch.

    Without it, networks stay slightly crouched.
    """
    run_margin: float = tuned(1.0, "s", 0.0, 10.0)
    """Time before and after running in which no body is raised, since running bodies are low anyway."""
    get_up: float = tuned(1.4, "s", 0.2, 10.0)
    """Time that a sitting or lying character takes to get up before it walks on."""
    still_speed: float = tuned(0.02, "m/s", 0.0, 0.5)
    """Planned speed below which a character counts as stopped."""
    style_smoothing: float = tuned(0.15, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths changes of style."""
    max_cue_iterations: int = tuned(8, "1", 1, 100)
    """Largest number of iterations that convert path events' times to arc lengths, which depend on the events
    themselves.
    """


TUNING: Final = VelocityProfileTuning()

STAND_BEFORE_S: Final = 0.5
"""Standing time at the beginning of a walk, before the first step, seconds."""
STAND_AFTER_S: Final = 1.0
"""Standing time at the end of a walk, after the last step, seconds."""
CROUCH: Final = "crouch"
"""Name of the gait that low ceilings command; it can also be commanded as a style."""


def plan_speeds(
    path: Path,
    speed: float,
    profile: TerrainProfile | None = None,
    body_height: float = 0.0,
    commanded_speeds: Array | None = None,
    stop_indices: Sequence[int] = (),
    start_speed: float = 0.0,
) -> Array:
    """Return the planned speed (M) at each of the path's samples, m/s.

    It is the commanded speed, lowered on stairs, steep ground and under ceilings below `body_height`, and in curves
    that would exceed ``TUNING.max_lateral_acceleration`` or ``TUNING.max_turn_rate``. A backward and a forward pass
    over squared speeds limit braking and acceleration (Bobrow, Dubowsky and Gibson 1985; Kunz and Stilman 2012). The
    limits grow with the commanded speed, since runners start harder.

    Args:
        path: path of the walk.
        speed: commanded speed, m/s.
        profile: terrain along the path; `None` for level ground without ceilings.
        body_height: upright height of the body, meters; 0 ignores ceilings.
        commanded_speeds: (M) commanded speed at each sample, m/s; `None` for `speed` everywhere.
        stop_indices: samples at which the character stands.
        start_speed: speed at the first sample, m/s.
    """
    commanded_speeds = np.full(len(path.arc_lengths), speed) if commanded_speeds is None else commanded_speeds
    hardness = np.maximum(1.0, commanded_speeds / TUNING.hard_speed)
    slowest = np.minimum(TUNING.min_corner_speed, commanded_speeds)
    corner = np.minimum(
        np.sqrt(TUNING.max_lateral_acceleration * hardness / path.curvatures), TUNING.max_turn_rate / path.curvatures
    )
    limit = np.minimum(commanded_speeds, np.maximum(corner, slowest))
    if profile is not None:
        steep = np.minimum(np.abs(profile.slope_at(path.arc_lengths)) / TUNING.steepest_slope, 1.0)
        duck_slowdown = (
            TUNING.duck_slowdown * profile.duck_share_at(path.arc_lengths, body_height) if body_height else 0.0
        )
        slowed = commanded_speeds * (1 - TUNING.slope_slowdown * steep) * (1 - duck_slowdown)
        limit = np.minimum(limit, np.maximum(slowed, np.minimum(TUNING.min_terrain_speed, commanded_speeds)))
        limit = np.minimum(limit, stair_speeds(profile.flights, path.arc_lengths, commanded_speeds, profile.scale))
    squares = limit**2
    squares[0] = min(start_speed**2, squares[0])
    squares[[-1, *stop_indices]] = 0.0
    steps = 2 * np.diff(path.arc_lengths)
    # Braking and acceleration are summed from the start, so that another end changes nothing before the braking for it.
    braking = np.concatenate([[0.0], np.cumsum(TUNING.max_braking * hardness[:-1] * steps)])
    brakable = np.minimum.accumulate((squares + braking)[::-1])[::-1] - braking
    squares = np.clip(brakable, 0.0, squares)
    acceleration = np.concatenate([[0.0], np.cumsum(TUNING.max_acceleration * hardness[1:] * steps)])
    reached = np.minimum.accumulate(squares - acceleration) + acceleration
    return np.sqrt(np.clip(reached, 0.0, squares))


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """The timing of a walk: the planned arc length at each frame, from the first step to standing at the end.

    Attributes:
        distances: (T) arc length at each frame, meters; the last is the path's length.
        speeds: (T) planned speed, m/s.
        yaw_offsets: (T) angle of the facing direction from the direction of travel, radians, positive to the left.
        phase_offsets: (T) offsets that are added to the phase at each frame, cycles.
        run_shares: (T) weight of running as opposed to walking, 0 to 1.
        style_weights: (T, G) weight of each gait as the style; all zero for plain walking and running; negative for
            *crouch* to make the body rise from a crouch.
    """

    distances: Array
    speeds: Array
    yaw_offsets: Array
    phase_offsets: Array
    run_shares: Array
    style_weights: Array

    def __len__(self) -> int:
        return len(self.distances)

    def distance_at_time(self, seconds: float, rate: float) -> float:
        """Return the planned arc length, meters, at a time since the walk's first frame, seconds."""
        return _distance_at_time(self.distances, rate, seconds)


def plan_timing(
    path: Path,
    speed: float,
    rate: float,
    profile: TerrainProfile | None = None,
    body_height: float = 0.0,
    cues: Cues | None = None,
    gaits: Sequence[str] = (),
    style: str = "",
    leg_length: float = ADULT_LEG_LENGTH_M,
    crouch: CrouchResponse | None = None,
    start_speed: float = 0.0,
    rises: bool = False,
) -> Timing:
    """Return the timing of a walk along a fixed path (path-velocity decomposition, Kant and Zucker 1986).

    Args:
        path: path of the walk.
        speed: commanded speed, m/s.
        rate: frames per second.
        profile: terrain along the path; `None` for level ground without ceilings.
        body_height: upright height of the body, meters; 0 ignores ceilings.
        cues: path events, at arc lengths of `path`.
        gaits: gaits of the controller, styles included.
        style: style where no path event sets one; empty for plain walking and running.
        leg_length: length of the character's legs, meters, which determines the speed from which it runs.
        crouch: the controller's crouch response; `None`: no crouching under ceilings, and full weight for a crouched
            style.
        start_speed: speed at the start, m/s.
        rises: whether the body may start low, as after sitting, and is commanded to rise at first.
    """
    cues = cues or Cues()
    overhead = np.zeros(len(path.arc_lengths))
    if crouch is not None and profile is not None and body_height:
        overhead = crouch.weights_at(
            FULL_CROUCH_DROP_RATIO * body_height * profile.duck_share_at(path.arc_lengths, body_height)
        )
    parametrize = partial(
        _parametrize_by_time, path, speed, rate, profile, body_height, style, overhead > 0, start_speed
    )
    placed = cues.remapped(float)
    if any(cue.unit == "seconds" for cue in (*cues.spans, *cues.waits)):
        distances = parametrize(Cues())[0]
        for _ in range(TUNING.max_cue_iterations):
            placed = cues.remapped(float, partial(_distance_at_time, distances, rate))
            before, distances = distances, parametrize(placed)[0]
            if np.array_equal(before, distances):
                break
    distances, speeds = parametrize(placed)
    yaw_offsets = _yaw_offsets(path, distances, rate, placed.spans)
    styles = _style_weights(distances, placed.spans, gaits, style, crouch)
    if overhead.any():
        _crouch_under_ceilings(styles, np.interp(distances, path.arc_lengths, overhead), gaits)
    _rest_while_standing(styles, speeds, round(TUNING.get_up * rate), gaits)
    if rises and CROUCH in gaits:
        _raise_low_bodies(styles, 0, gaits, np.arange(len(styles)) < round(TUNING.rise * rate))
    running = run_shares(speeds, rate, leg_length)
    if crouch is not None and crouch.is_learned:
        near_runs = (
            scipy.ndimage.maximum_filter1d(running, 2 * round(TUNING.run_margin * rate) + 1, mode="nearest") > 0.5
        )
        is_uneven = profile is not None and not profile.is_level
        _raise_low_bodies(styles, round(TUNING.rise * rate), gaits, ~near_runs & is_uneven)
    return Timing(
        distances,
        speeds,
        yaw_offsets,
        np.zeros(len(distances)),
        running,
        scipy.ndimage.gaussian_filter1d(styles, TUNING.style_smoothing * rate, axis=0, mode="nearest")
        if styles.any()
        else styles,
    )


def _distance_at_time(distances: Array, rate: float, seconds: float) -> float:
    """Return the arc length, meters, at a time since a walk's first frame, seconds."""
    frame = round((seconds - STAND_BEFORE_S) * rate)
    return float(distances[np.clip(frame, 0, len(distances) - 1)])


def _parametrize_by_time(
    path: Path,
    speed: float,
    rate: float,
    profile: TerrainProfile | None,
    body_height: float,
    style: str,
    is_low: NDArray[np.bool_],
    start_speed: float,
    cues: Cues,
) -> tuple[Array, Array]:
    """Return the arc lengths and speeds (T) planned at each frame.

    `is_low` (M) marks where ceilings command crouching.
    """
    lengths = path.arc_lengths
    indices = np.clip(np.searchsorted(lengths, [wait.start for wait in cues.waits]), 0, len(lengths) - 1)
    waits = sorted((int(index), wait.duration) for index, wait in zip(indices, cues.waits, strict=True))
    stops = [index for index, _ in waits]
    commanded = _commanded_speeds(path, speed, style, is_low, cues)
    speeds = plan_speeds(path, speed, profile, body_height, commanded, stops, start_speed)
    mean = np.maximum((speeds[1:] + speeds[:-1]) / 2, 0.02)
    durations = np.diff(lengths) / mean
    # A stop counts twice: at its beginning and at its end.
    samples = np.insert(np.arange(len(lengths)), [index + 1 for index in stops], stops)
    durations = np.insert(durations, stops, [seconds for _, seconds in waits])
    times = np.concatenate([[0.0], np.cumsum(durations)])
    frames = np.arange(int(np.ceil(times[-1] * rate)) + 1) / rate
    return np.interp(frames, times, lengths[samples]), np.interp(frames, times, speeds[samples])


def _commanded_speeds(path: Path, speed: float, style: str, is_low: NDArray[np.bool_], cues: Cues) -> Array:
    """Return the commanded speed (M) at each of the path's samples, m/s."""
    commanded, is_crouched = np.full(len(path.arc_lengths), speed), np.full(len(path.arc_lengths), style == CROUCH)
    inside = [(path.arc_lengths >= span.start) & (path.arc_lengths <= span.end) for span in cues.spans]
    for span, where in zip(cues.spans, inside, strict=True):
        if span.speed is not None:
            commanded[where] = span.speed
    if cues.speed_factors is not None:
        commanded = commanded * np.interp(path.arc_lengths, *cues.speed_factors.T)
    for span, where in zip(cues.spans, inside, strict=True):
        if span.facing is not None and (span.facing.yaw_offset or span.facing.target is not None):
            commanded[where] = np.minimum(commanded[where], TUNING.max_strafe_speed)
        if span.style is not None:
            is_crouched[where] = span.style == CROUCH
    return np.where(is_crouched | is_low, np.minimum(commanded, TUNING.max_crouch_speed), commanded)


def _yaw_offsets(path: Path, distances: Array, rate: float, spans: Sequence[CueSpan]) -> Array:
    """Return the yaw offsets (T) with smooth transitions, radians to the left of the direction of travel."""
    offsets = np.zeros(len(distances))
    for span in spans:
        if span.facing is not None:
            where = (distances >= span.start) & (distances <= span.end)
            offsets[where] = _cue_yaw_offsets(path, distances, rate, span.facing)[where]
    return scipy.ndimage.gaussian_filter1d(np.unwrap(offsets), TUNING.facing_smoothing * rate, mode="nearest")


def _cue_yaw_offsets(path: Path, distances: Array, rate: float, facing: Facing) -> Array:
    """Return the yaw offsets (T), radians, of a single facing direction."""
    if facing.target is None:
        return np.full(len(distances), facing.yaw_offset)
    frames = np.arange(len(distances)) + round(STAND_BEFORE_S * rate)
    directions = facing.target[np.minimum(frames, len(facing.target) - 1)] - path.position_at(distances)
    return np.arctan2(-directions[:, 0], directions[:, 1]) - path.yaw_at(distances)


def _style_weights(
    distances: Array, spans: Sequence[CueSpan], gaits: Sequence[str], style: str, crouch: CrouchResponse | None
) -> Array:
    """Return the weights (T, G) of the gaits as styles, without transitions."""
    weights = np.zeros((len(distances), len(gaits)))
    commands = [(np.ones(len(distances), dtype=bool), style)]
    commands += [
        ((distances >= span.start) & (distances <= span.end), span.style) for span in spans if span.style is not None
    ]
    for where, name in commands:
        weights[where] = 0.0
        if name:
            full = crouch.style_weight if name == CROUCH and crouch is not None else 1.0
            weights[where, list(gaits).index(name)] = full
    return weights


def _rest_while_standing(weights: Array, speeds: Array, frames: int, gaits: Sequence[str]) -> None:
    """Limit sitting and lying in style weights (T, G) to stops, modifying them in place.

    They end `frames` frames before the character walks on.
    """
    rests = np.array([name in REST_GAITS for name in gaits], dtype=bool)
    if not weights[:, rests].any():
        return
    may_rest = np.zeros(len(speeds), dtype=bool)
    for start, stop in runs_of(speeds < TUNING.still_speed):
        may_rest[start : stop if stop == len(speeds) else max(stop - frames, start)] = True
    weights[~may_rest[:, None] & rests] = 0.0


def _crouch_under_ceilings(weights: Array, overhead: Array, gaits: Sequence[str]) -> None:
    """Add crouching under ceilings (T) to style weights (T, G), in place, reducing the other styles by as much."""
    column = list(gaits).index(CROUCH)
    lowest = np.maximum(weights[:, column], overhead)
    weights *= (1 - overhead)[:, None]
    weights[:, column] = lowest


def _raise_low_bodies(weights: Array, frames: int, gaits: Sequence[str], also: Mask) -> None:
    """Make the weight of crouching negative in the frames after each crouch, modifying style weights (T, G) in place.

    Args:
        weights: (T, G) style weights, modified in place.
        frames: number of frames after a crouch.
        gaits: the gaits' names.
        also: (T) further frames, such as those of walking on uneven ground: after a slope, networks may crouch though
            nothing is overhead.
    """
    column = list(gaits).index(CROUCH)
    is_crouched = weights[:, column] > 0
    rises = also.copy()
    for _, stop in runs_of(is_crouched):
        rises[stop : stop + frames] = True
    weights[rises & ~is_crouched, column] = -TUNING.rise_weight
