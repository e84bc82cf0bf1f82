"""Timed waypoints: a position at a time, with a facing direction or a planted foot.

The path is warped through the waypoints (motion warping, Witkin and Popovic 1995), and each segment between two
waypoints gets the speed, or the wait, that brings the character to the second one in time. The errors of the first
roll-out correct the plan, and the phase before a waypoint is sped up or slowed down. The last centimeters are corrected
by displacing the motion around the waypoint.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...message import Message
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from .path import Path, even_arc_lengths
from .path_events import Cues, CueSpan, Facing, Wait
from .velocity_profile import STAND_BEFORE_S, Timing


@dataclass(frozen=True, slots=True)
class TimedWaypointsTuning(Tuning):
    same_arc_length: float = tuned(1e-3, "m", 1e-6, 0.1)
    """Arc length between two waypoints below which they count as one position on the path."""
    min_warp_reach: float = tuned(1.5, "m", 0.1, 10.0)
    """Smallest arc length before and after a waypoint over which the path is warped to it."""
    warp_reach_ratio: float = tuned(5.0, "1", 1.0, 50.0)
    """Arc length over which the path is warped, per meter of distance between the path and the waypoint."""
    arc_length_weight: float = tuned(0.05, "1", 0.0, 2.0)
    """Cost of a meter along the path, relative to a meter sideways, in finding the path's point for a waypoint."""
    min_walk_speed: float = tuned(0.55, "m/s", 0.1, 2.0)
    """Speed of a segment below which the character waits at its start and then walks faster."""
    max_run_speed: float = tuned(3.6, "m/s", 1.0, 12.0)
    """Speed of a segment above which the character arrives late instead."""
    same_place: float = tuned(0.03, "m", 0.001, 0.5)
    """Arc length between two waypoints below which the character stays in place between them."""
    max_iterations: int = tuned(16, "1", 1, 200)
    """Largest number of iterations of the search for speeds and waits."""
    facing_margins: tuple[float, float] = tuned((0.7, 0.5), "s", 0.0, 5.0)
    """Times before and after a waypoint in which its facing direction fully applies."""
    facing_tolerance: float = tuned(0.05, "rad", 0.0, 1.0)
    """Angle between a waypoint's facing direction and the direction of travel below which the body need not turn."""
    correction_reach: float = tuned(1.2, "m", 0.1, 10.0)
    """Arc length before and after a waypoint over which the remaining error is corrected."""
    max_correction: float = tuned(0.25, "m", 0.0, 1.0)
    """Largest error that is corrected by displacing the motion; with a larger one, the waypoint is missed."""
    phase_shift_window: float = tuned(3.0, "s", 0.1, 20.0)
    """Time before a waypoint over which the phase is shifted so that the right foot stands there."""
    max_phase_shift: float = tuned(0.25, "Hz", 0.0, 2.0)
    """Largest rate at which the phase is shifted, cycles per second."""
    stance_margin: float = tuned(0.12, "cycles", 0.0, 0.5)
    """Distance from the phase of mid-stance within which a foot is sure to stand."""


TUNING: Final = TimedWaypointsTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Waypoint:
    """A position to reach at a time.

    Attributes:
        time: seconds since the walk's first frame.
        position: (2) position of the hips on the ground, meters, world.
        yaw: facing direction, radians; `None` for that of the walk.
        foot: foot that must stand on the ground, `"L"` or `"R"`; empty for either.
    """

    time: float
    position: Array
    yaw: float | None = None
    foot: str = ""

    def scaled(self, factor: float) -> "Waypoint":
        """Return the waypoint with its position, meters, multiplied by `factor`, for a body of another size."""
        return replace(self, position=self.position * factor)


@dataclass(frozen=True, slots=True)
class WaypointResult:
    """The errors of a finished walk at a waypoint.

    Attributes:
        position_error: distance from the waypoint, meters, the smallest at its frame and the two neighboring frames.
        yaw_error: angle from the waypoint's facing direction, radians; 0 if it has none.
        foot_planted: whether the foot that the waypoint names stands; true if it names none.
        failure_reason: sentence with the reason why the waypoint could not be met; empty if it was met.
    """

    position_error: float
    yaw_error: float
    foot_planted: bool
    failure_reason: str = ""


def path_through_waypoints(start_position: Array, waypoints: Sequence[Waypoint]) -> Array:
    """Return a path (N, 2), meters, from a position (2) through waypoints, for a walk without a drawn path.

    The path is a cubic Hermite spline whose tangents at waypoints are their facing directions.
    """
    points = np.array([start_position, *(waypoint.position for waypoint in waypoints)])
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    is_distinct = np.concatenate([[True], gaps > 1e-3])
    points, yaws = points[is_distinct], [None, *(waypoint.yaw for waypoint in waypoints)]
    yaws = [yaw for yaw, distinct in zip(yaws, is_distinct, strict=True) if distinct]
    if len(points) < 2:
        return points
    lengths = arc_lengths_of(points)
    slopes = np.gradient(points, lengths, axis=0)
    slopes /= np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-6)
    for row, yaw in enumerate(yaws):
        if yaw is not None:
            slopes[row] = (-np.sin(yaw), np.cos(yaw))
    return scipy.interpolate.CubicHermiteSpline(lengths, points, slopes)(even_arc_lengths(0.05, float(lengths[-1])))


def waypoint_arc_lengths(path: Path, waypoints: Sequence[Waypoint], speed: float) -> Array:
    """Return the increasing arc lengths (K), meters, of the points of a path that are nearest to waypoints.

    Where the path crosses itself, the point nearer to the character's planned position at the waypoint's time is
    chosen.

    Args:
        path: the path.
        waypoints: waypoints in the order of their times.
        speed: commanded speed, m/s.
    """
    lengths, index = [], 0
    for waypoint in waypoints:
        distances = np.linalg.norm(path.points[index:] - waypoint.position, axis=1)
        expected = speed * max(waypoint.time - STAND_BEFORE_S, 0.0)
        index += int(np.argmin(distances + TUNING.arc_length_weight * np.abs(path.arc_lengths[index:] - expected)))
        lengths.append(path.arc_lengths[index])
    return np.array(lengths)


def warp_through_waypoints(path: Path, waypoints: Sequence[Waypoint], speed: float) -> Path:
    """Return a path warped through waypoints by smooth displacements.

    Args:
        path: the drawn path.
        waypoints: waypoints in the order of their times.
        speed: commanded speed, m/s.
    """
    places = waypoint_arc_lengths(path, waypoints, speed)
    offsets = np.array([waypoint.position for waypoint in waypoints]) - path.position_at(places)
    return Path(
        path.points
        + _interpolate_between_waypoints(
            places,
            offsets,
            np.maximum(TUNING.min_warp_reach, TUNING.warp_reach_ratio * _norms(offsets)),
            path.arc_lengths,
        )
    )


def _norms(vectors: Array) -> Array:
    """Return the norms (...) of vectors (..., D)."""
    return np.linalg.norm(vectors, axis=-1)


def _interpolate_between_waypoints(waypoint_lengths: Array, values: Array, reaches: Array, lengths: Array) -> Array:
    """Return values (K, ...) at waypoints interpolated at arc lengths (N), falling to 0 over reaches (K), meters.

    Between two waypoints whose reaches overlap, the values change from one to the other.
    """
    # Of waypoints at one position, the last is used.
    last = np.append(np.diff(waypoint_lengths) >= TUNING.same_arc_length, True)
    waypoint_lengths, values, reaches = waypoint_lengths[last], values[last], reaches[last]
    is_apart = np.diff(waypoint_lengths) > reaches[1:] + reaches[:-1]
    nodes: list[tuple[float, Array]] = []
    for place, value, reach, falls_before, falls_after in zip(
        waypoint_lengths, values, reaches, [True, *is_apart], [*is_apart, True], strict=True
    ):
        # The start of the path stays fixed, however near a waypoint.
        if falls_before and place > 0:
            nodes.append((max(place - reach, 0.0), 0 * value))
        nodes.append((place, value))
        if falls_after:
            nodes.append((place + reach, 0 * value))
    result = scipy.interpolate.PchipInterpolator(
        [place for place, _ in nodes], [value for _, value in nodes], extrapolate=True
    )
    return result(np.clip(lengths, nodes[0][0], nodes[-1][0]))


def retime_for_waypoints(
    make_timing: Callable[[Cues], Timing],
    path: Path,
    waypoint_lengths: Array,
    waypoints: Sequence[Waypoint],
    cues: Cues,
    speed: float,
    rate: float,
) -> tuple[Cues, list[str]]:
    """Return path events with speeds and waits, found by iteration, that bring a character to its waypoints in time.

    Args:
        make_timing: function that returns the walk's timing for given path events.
        path: the path.
        waypoint_lengths: (K) arc lengths of the waypoints, meters.
        waypoints: waypoints in the order of their times.
        cues: other path events.
        speed: commanded speed, m/s.
        rate: frames per second of the timing.

    Returns:
        The path events, and for each waypoint the reason why it cannot be met; empty if it can.
    """
    starts = np.concatenate([[0.0], waypoint_lengths[:-1]])
    due = np.array([waypoint.time for waypoint in waypoints])
    available = np.diff(np.concatenate([[STAND_BEFORE_S], due]))
    stays = waypoint_lengths - starts < TUNING.same_place
    speeds, waits = np.full(len(waypoints), speed), np.where(stays, np.maximum(available, 0.0), 0.0)
    delays = np.zeros(len(waypoints))
    for _ in range(TUNING.max_iterations):
        timing = make_timing(_with_speeds_and_waits(cues, starts, waypoint_lengths, speeds, waits))
        arrivals = _arrivals_with_stays(arrival_times(timing, waypoint_lengths, rate), stays, available)
        taken, delays = np.diff(np.concatenate([[STAND_BEFORE_S], arrivals])), arrivals - due
        if np.abs(taken - available).max() < 0.5 / rate:
            break
        required = speeds * taken / np.maximum(available, 1 / rate)
        holds = ~stays & ((waits > 0) | (required < TUNING.min_walk_speed))
        waits = np.where(holds, np.maximum(waits + available - taken, 0.0), np.where(stays, waits, 0.0))
        speeds = np.where(
            holds | stays,
            np.maximum(speed, TUNING.min_walk_speed),
            np.clip(required, TUNING.min_walk_speed, TUNING.max_run_speed),
        )
    reasons = [_failure_reason(index, waypoints, delays, waypoint_lengths) for index in range(len(waypoints))]
    timed = _with_speeds_and_waits(cues, starts, waypoint_lengths, speeds, waits)
    return replace(timed, spans=(*timed.spans, *_facing_spans(path, waypoint_lengths, waypoints))), reasons


def _arrivals_with_stays(arrivals: Array, stays: NDArray[np.bool_], available_times: Array) -> Array:
    """Return the arrival times (K), seconds; a waypoint at the position of the previous one is reached by staying."""
    result = arrivals.copy()
    for index in np.flatnonzero(stays):
        result[index] = (result[index - 1] if index else STAND_BEFORE_S) + available_times[index]
    return result


def _failure_reason(index: int, waypoints: Sequence[Waypoint], delays: Array, waypoint_lengths: Array) -> str:
    """Return why a waypoint cannot be met, in a sentence; empty if it can."""
    if (
        index
        and waypoints[index].time <= waypoints[index - 1].time
        and waypoint_lengths[index] > waypoint_lengths[index - 1] + TUNING.same_place
    ):
        return Message("Two waypoints have the same frame but different positions: change the frame of one")
    if delays[index] > 0.1:
        return Message(
            "The waypoint is too far away, and is reached {seconds} s late: use a later frame, or move the "
            "waypoint closer",
            seconds=f"{delays[index]:.1f}",
        )
    return ""


def _with_speeds_and_waits(cues: Cues, starts: Array, ends: Array, speeds: Array, waits: Array) -> Cues:
    """Return path events with a speed, or a wait, added for each of the segments (K) between waypoints."""
    spans = [
        CueSpan(float(start), float(end), speed=float(speed))
        for start, end, speed in zip(starts, ends, speeds, strict=True)
        if end > start
    ]
    stops = [Wait(float(start), float(wait)) for start, wait in zip(starts, waits, strict=True) if wait > 0]
    return replace(cues, spans=(*cues.spans, *spans), waits=(*cues.waits, *stops))


def _facing_spans(path: Path, waypoint_lengths: Array, waypoints: Sequence[Waypoint]) -> list[CueSpan]:
    """Return path events that make the character face as its waypoints require."""
    result: list[CueSpan] = []
    for place, waypoint in zip(waypoint_lengths, waypoints, strict=True):
        if waypoint.yaw is None:
            continue
        turn = float(wrap_angle(waypoint.yaw - path.yaw_at(place)))
        if abs(turn) > TUNING.facing_tolerance:
            before, after = waypoint.time - TUNING.facing_margins[0], waypoint.time + TUNING.facing_margins[1]
            result.append(CueSpan(before, after, "seconds", facing=Facing(turn)))
    return result


def arrival_times(timing: Timing, arc_lengths: Array, rate: float) -> Array:
    """Return the times (K), seconds since the walk's first frame, at which a timing reaches arc lengths.

    Args:
        timing: the planned timing.
        arc_lengths: (K) arc lengths, meters.
        rate: frames per second.
    """
    rising = np.maximum.accumulate(timing.distances) + 1e-9 * np.arange(len(timing))
    return np.interp(arc_lengths - 0.002, rising, np.arange(len(timing))) / rate + STAND_BEFORE_S


def spread_correction(waypoint_lengths: Array, corrections: Array, lengths: Array) -> Array:
    """Return corrections (F, ...), one for each frame, that equal given ones at waypoints and fade out around them.

    Args:
        waypoint_lengths: (K) arc lengths of the waypoints, meters.
        corrections: (K, ...) corrections at the waypoints, in any unit.
        lengths: (F) arc length of the character at each frame, meters.
    """
    return _interpolate_between_waypoints(
        waypoint_lengths, corrections, np.full(len(waypoint_lengths), TUNING.correction_reach), lengths
    )


def phase_offsets(timing: Timing, waypoint_times: Sequence[float], phase_shifts: Array, rate: float) -> Array:
    """Return the phase offsets (T), cycles per frame, that shift a timing's phase before waypoints.

    Args:
        timing: the planned timing, whose own offsets are included in the result.
        waypoint_times: (K) waypoint times, seconds since the walk's first frame.
        phase_shifts: (K) phase shifts to reach at the waypoints, cycles.
        rate: frames per second.
    """
    result, before = timing.phase_offsets.copy(), 0
    for seconds, shift in zip(waypoint_times, phase_shifts, strict=True):
        last = round((seconds - STAND_BEFORE_S) * rate)
        first = max(last - round(TUNING.phase_shift_window * rate), before, 0)
        if last > first:
            limit = TUNING.max_phase_shift * (last - first) / rate
            result[first:last] += float(np.clip(shift, -limit, limit)) / (last - first)
        before = max(last, 0)
    return result


def phase_error(phases: Array, contacts: Array, frame: int, foot: str, rate: float) -> float:
    """Return the phase shift, cycles, that makes a foot stand at a frame; 0 if it stands already.

    The middle of the foot's stance is the circular mean of the phases of its contacts around the frame.

    Args:
        phases: (F) phases, cycles.
        contacts: (F, 4) contact probabilities of heels and balls, left ones first.
        frame: the frame.
        foot: `"L"` or `"R"`.
        rate: frames per second.
    """
    columns = slice(0, 2) if foot == "L" else slice(2, 4)
    stands = contacts[:, columns].max(axis=1) > CONTACT_THRESHOLD
    window = slice(max(frame - round(2 * rate), 0), frame + round(2 * rate))
    stance_phases = phases[window][stands[window]]
    if not len(stance_phases):
        return 0.0
    middle = float(np.angle(np.exp(2j * np.pi * stance_phases).mean())) / (2 * np.pi)
    error = float(wrap_angle(2 * np.pi * (middle - phases[frame]))) / (2 * np.pi)
    if abs(error) < TUNING.stance_margin or stands[max(frame - 2, 0) : frame + 3].all():
        return 0.0
    return error - float(np.copysign(TUNING.stance_margin, error))
