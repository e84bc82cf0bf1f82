"""Marks: to be somewhere at a time, facing somewhere, on one foot. They are met by route, speed, waits and stride.

The path is bent through the marks, and each stretch between two of them is walked at the speed, or after the wait, that
brings one there in time. What the network leaves to be desired is learned from a first walk (another plan, a phase that
goes faster or slower before a mark), and its last centimetres are moved there over a step or two.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from .path import Path, even_arc_lengths
from .path_events import Cues, CueSpan, Facing, Wait
from .velocity_profile import STAND_BEFORE_S, Timing

WARP_REACH_M: Final = (1.5, 5.0)
"""Metres before and behind a mark over which a path is bent to it, at least, and for each metre that it is off."""
ARC_LENGTH_WEIGHT: Final = 0.05
"""What a metre along the path weighs against one off it, when the place of a mark is looked for."""
MIN_WALK_SPEED_M_S: Final = 0.55
"""Metres a second: who would have to go slower waits, ..."""
MAX_RUN_SPEED_M_S: Final = 3.6
"""... and who would have to go faster comes too late."""
SAME_PLACE_M: Final = 0.03
"""Metres within which two marks are at one place, and one stays there."""
MAX_RETIMING_ITERATIONS: Final = 16
FACING_MARGINS_S: Final = (0.7, 0.5)
"""Seconds before and after a mark for which one faces where it says, changes not counted."""
FACING_TOLERANCE_RAD: Final = 0.05
"""Radians from the way ahead that are no turn."""
CORRECTION_REACH_M: Final = 1.2
"""Metres of way before and behind a mark over which the last centimetres are made up."""
MAX_CORRECTION_M: Final = 0.25
"""Metres that are made up so at most: who is farther off has missed the mark."""
PHASE_SHIFT_WINDOW_S: Final = 3.0
"""Seconds before a mark in which steps are made longer or shorter for it, ..."""
MAX_PHASE_SHIFT_HZ: Final = 0.25
"""... by so many cycles a second at most."""
STANCE_MARGIN_CYCLES: Final = 0.12
"""Cycles from the middle of a foot's contact within which it surely stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Waypoint:
    """Where somebody is to be, and when.

    Attributes:
        seconds: since the walk's first frame.
        position: (2) of the hips on the ground, metres, world.
        yaw: which way to face, radians; as one comes where ``None``.
        foot: ``"L"`` or ``"R"``: which foot is to stand on the ground; either where empty.
    """

    time: float
    position: Array
    yaw: float | None = None
    foot: str = ""

    def scaled(self, factor: float) -> "Waypoint":
        """The same for a body of another size."""
        return replace(self, position=self.position * factor)


@dataclass(frozen=True, slots=True)
class WaypointResult:
    """What became of a mark.

    Attributes:
        off: metres from it, at its frame or one before or after.
        turned: radians from where it says to face; 0 where it does not say.
        planted: whether its foot stands, where it names one.
        why: why it could not be met, in a sentence; empty where it could.
    """

    position_error: float
    yaw_error: float
    foot_planted: bool
    failure_reason: str = ""


def path_through_waypoints(start_position: Array, waypoints: Sequence[Waypoint]) -> Array:
    """A path (N, 2) from a place (2) through marks, where none is drawn: it passes them the way that they face."""
    places = np.array([start_position, *(mark.position for mark in waypoints)])
    apart = np.linalg.norm(np.diff(places, axis=0), axis=1)
    kept = np.concatenate([[True], apart > 1e-3])
    places, yaws = places[kept], [None, *(mark.yaw for mark in waypoints)]
    yaws = [yaw for yaw, one in zip(yaws, kept, strict=True) if one]
    if len(places) < 2:
        return places
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    slopes = np.gradient(places, lengths, axis=0)
    slopes /= np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-6)
    for row, yaw in enumerate(yaws):
        if yaw is not None:
            slopes[row] = (-np.sin(yaw), np.cos(yaw))
    return scipy.interpolate.CubicHermiteSpline(lengths, places, slopes)(even_arc_lengths(0.05, float(lengths[-1])))


def waypoint_arc_lengths(path: Path, waypoints: Sequence[Waypoint], speed: float) -> Array:
    """Arc lengths (K), metres, of the places of a path that are nearest to marks, in their order.

    Where the path crosses itself it is the one that is closer to where one would be by then at a speed, m/s.
    """
    places, reached = [], 0
    for mark in waypoints:
        away = np.linalg.norm(path.points[reached:] - mark.position, axis=1)
        expected = speed * max(mark.time - STAND_BEFORE_S, 0.0)
        reached += int(np.argmin(away + ARC_LENGTH_WEIGHT * np.abs(path.arc_lengths[reached:] - expected)))
        places.append(path.arc_lengths[reached])
    return np.array(places)


def warp_through_waypoints(path: Path, waypoints: Sequence[Waypoint], speed: float) -> Path:
    """The path, led through the marks."""
    places = waypoint_arc_lengths(path, waypoints, speed)
    away = np.array([mark.position for mark in waypoints]) - path.position_at(places)
    return Path(
        path.points
        + _interpolate_between_waypoints(
            places, away, np.maximum(WARP_REACH_M[0], WARP_REACH_M[1] * _norms(away)), path.arc_lengths
        )
    )


def _norms(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1)


def _interpolate_between_waypoints(waypoint_lengths: Array, values: Array, reaches: Array, lengths: Array) -> Array:
    """Values (K, ...) at arc lengths (K), which come and go over so many metres (K), at arc lengths (N)."""
    nodes: list[tuple[float, Array]] = []
    for index, (place, value, reach) in enumerate(zip(waypoint_lengths, values, reaches, strict=True)):
        if nodes and place - nodes[-1][0] < 1e-3:
            nodes[-1] = (nodes[-1][0], value)
            continue
        # The start stays where it is, however near a mark is to it.
        if (before := max(place - reach, 0.0)) > (nodes[-1][0] if nodes else -1.0) and place > 0:
            nodes.append((before, 0 * value))
        nodes.append((place, value))
        if index + 1 == len(waypoint_lengths) or waypoint_lengths[index + 1] - place > reach + reaches[index + 1]:
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
    """Cues by which one comes to marks in time and faces where they say, and why those who cannot be reached cannot.

    Args:
        make_timing: the plan of a walk under cues.
        path: the way.
        waypoint_lengths: (K) arc lengths of the marks.
        waypoints: in the order of their times.
        cues: what is told besides.
        speed: commanded, m/s.
        rate: frames a second of the plan.
    """
    starts = np.concatenate([[0.0], waypoint_lengths[:-1]])
    due = np.array([mark.time for mark in waypoints])
    given = np.diff(np.concatenate([[STAND_BEFORE_S], due]))
    stays = waypoint_lengths - starts < SAME_PLACE_M
    speeds, waits = np.full(len(waypoints), speed), np.where(stays, np.maximum(given, 0.0), 0.0)
    late = np.zeros(len(waypoints))
    for _ in range(MAX_RETIMING_ITERATIONS):
        timing = make_timing(_with_speeds_and_waits(cues, starts, waypoint_lengths, speeds, waits))
        come = _arrivals_with_stays(arrival_times(timing, waypoint_lengths, rate), stays, given)
        taken, late = np.diff(np.concatenate([[STAND_BEFORE_S], come])), come - due
        if np.abs(taken - given).max() < 0.5 / rate:
            break
        wanted = speeds * taken / np.maximum(given, 1 / rate)
        holds = ~stays & ((waits > 0) | (wanted < MIN_WALK_SPEED_M_S))
        waits = np.where(holds, np.maximum(waits + given - taken, 0.0), np.where(stays, waits, 0.0))
        speeds = np.where(
            holds | stays, np.maximum(speed, MIN_WALK_SPEED_M_S), np.clip(wanted, MIN_WALK_SPEED_M_S, MAX_RUN_SPEED_M_S)
        )
    why = [_failure_reason(number, waypoints, late, waypoint_lengths) for number in range(len(waypoints))]
    told = _with_speeds_and_waits(cues, starts, waypoint_lengths, speeds, waits)
    return replace(told, spans=(*told.spans, *_facing_spans(path, waypoint_lengths, waypoints))), why


def _arrivals_with_stays(arrivals: Array, stays: NDArray[np.bool_], available_times: Array) -> Array:
    """When (K) one has come to marks: to one at the place of the mark before, after having stayed there."""
    come = arrivals.copy()
    for number in np.flatnonzero(stays):
        come[number] = (come[number - 1] if number else STAND_BEFORE_S) + available_times[number]
    return come


def _failure_reason(index: int, waypoints: Sequence[Waypoint], delays: Array, waypoint_lengths: Array) -> str:
    if (
        index
        and waypoints[index].time <= waypoints[index - 1].time
        and waypoint_lengths[index] > waypoint_lengths[index - 1] + SAME_PLACE_M
    ):
        return "two marks are at one time, and at different places"
    if delays[index] > 0.1:
        return f"it is too far: one would be there {delays[index]:.1f} s later"
    return ""


def _with_speeds_and_waits(cues: Cues, starts: Array, ends: Array, speeds: Array, waits: Array) -> Cues:
    stretches = [
        CueSpan(float(start), float(end), speed=float(speed))
        for start, end, speed in zip(starts, ends, speeds, strict=True)
        if end > start
    ]
    held = [Wait(float(start), float(wait)) for start, wait in zip(starts, waits, strict=True) if wait > 0]
    return replace(cues, spans=(*cues.spans, *stretches), waits=(*cues.waits, *held))


def _facing_spans(path: Path, waypoint_lengths: Array, waypoints: Sequence[Waypoint]) -> list[CueSpan]:
    """Stretches in which one faces where marks say."""
    result: list[CueSpan] = []
    for place, mark in zip(waypoint_lengths, waypoints, strict=True):
        if mark.yaw is None:
            continue
        turn = float(wrap_angle(mark.yaw - path.yaw_at(place)))
        if abs(turn) > FACING_TOLERANCE_RAD:
            before, after = mark.time - FACING_MARGINS_S[0], mark.time + FACING_MARGINS_S[1]
            result.append(CueSpan(before, after, "seconds", facing=Facing(turn)))
    return result


def wrap_angle(angle: Array | float) -> Array:
    """Angles (...) from -pi to pi."""
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def arrival_times(timing: Timing, arc_lengths: Array, rate: float) -> Array:
    """Seconds (K) since the walk's first frame at which one is planned to come to arc lengths (K)."""
    rising = np.maximum.accumulate(timing.distances) + 1e-9 * np.arange(len(timing))
    return np.interp(arc_lengths - 0.002, rising, np.arange(len(timing))) / rate + STAND_BEFORE_S


def spread_correction(waypoint_lengths: Array, corrections: Array, lengths: Array) -> Array:
    """What is made up (F, ...) at arc lengths (F) of what is missing (K, ...) at marks' places (K)."""
    return _interpolate_between_waypoints(
        waypoint_lengths, corrections, np.full(len(waypoint_lengths), CORRECTION_REACH_M), lengths
    )


def phase_offsets(timing: Timing, waypoint_times: Sequence[float], phase_shifts: Array, rate: float) -> Array:
    """Cycles (T) that the phase goes on more at each frame of a plan, so that it is shifted by so much (K) at times
    (K), seconds since the walk's first frame."""
    result, before = timing.phase_offsets.copy(), 0
    for seconds, shift in zip(waypoint_times, phase_shifts, strict=True):
        last = round((seconds - STAND_BEFORE_S) * rate)
        first = max(last - round(PHASE_SHIFT_WINDOW_S * rate), before, 0)
        if last > first:
            most = MAX_PHASE_SHIFT_HZ * (last - first) / rate
            result[first:last] += float(np.clip(shift, -most, most)) / (last - first)
        before = max(last, 0)
    return result


def phase_error(phases: Array, contacts: Array, frame: int, foot: str, rate: float) -> float:
    """Cycles by which the phase is to be on at a frame so that a foot stands there; 0 where it does.

    Args:
        phases: (F) cycles.
        contacts: (F, 4) probabilities of heels and toes, left ones first.
        frame: at which the foot is to stand.
        foot: which.
        rate: frames a second.
    """
    columns = slice(0, 2) if foot == "L" else slice(2, 4)
    stands = contacts[:, columns].max(axis=1) > 0.5
    near = slice(max(frame - round(2 * rate), 0), frame + round(2 * rate))
    phase = phases[near][stands[near]]
    if not len(phase):
        return 0.0
    middle = float(np.angle(np.exp(2j * np.pi * phase).mean())) / (2 * np.pi)
    off = float(wrap_angle(2 * np.pi * (middle - phases[frame]))) / (2 * np.pi)
    if abs(off) < STANCE_MARGIN_CYCLES or stands[max(frame - 2, 0) : frame + 3].all():
        return 0.0
    return off - float(np.copysign(STANCE_MARGIN_CYCLES, off))
