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
from .path import Path, every
from .path_events import Cues, Facing, Stretch, Wait
from .velocity_profile import STAND_BEFORE, Timing

REACH: Final = (1.5, 5.0)
"""Metres before and behind a mark over which a path is bent to it, at least, and for each metre that it is off."""
AHEAD: Final = 0.05
"""What a metre along the path weighs against one off it, when the place of a mark is looked for."""
SLOWEST: Final = 0.55
"""Metres a second: who would have to go slower waits, ..."""
FASTEST: Final = 3.6
"""... and who would have to go faster comes too late."""
SAME: Final = 0.03
"""Metres within which two marks are at one place, and one stays there."""
ROUNDS: Final = 16
TURNED: Final = (0.7, 0.5)
"""Seconds before and after a mark for which one faces where it says, changes not counted."""
AHEAD_ENOUGH: Final = 0.05
"""Radians from the way ahead that are no turn."""
EASED: Final = 1.2
"""Metres of way before and behind a mark over which the last centimetres are made up."""
FARTHEST: Final = 0.25
"""Metres that are made up so at most: who is farther off has missed the mark."""
STRIDES: Final = 3.0
"""Seconds before a mark in which steps are made longer or shorter for it, ..."""
STRIDE: Final = 0.25
"""... by so many cycles a second at most."""
MIDDLE: Final = 0.12
"""Cycles from the middle of a foot's contact within which it surely stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """Where somebody is to be, and when.

    Attributes:
        seconds: since the walk's first frame.
        position: (2) of the hips on the ground, metres, world.
        yaw: which way to face, radians; as one comes where ``None``.
        foot: ``"L"`` or ``"R"``: which foot is to stand on the ground; either where empty.
    """

    seconds: float
    position: Array
    yaw: float | None = None
    foot: str = ""

    def scaled(self, factor: float) -> "Mark":
        """The same for a body of another size."""
        return replace(self, position=self.position * factor)


@dataclass(frozen=True, slots=True)
class Met:
    """What became of a mark.

    Attributes:
        off: metres from it, at its frame or one before or after.
        turned: radians from where it says to face; 0 where it does not say.
        planted: whether its foot stands, where it names one.
        why: why it could not be met, in a sentence; empty where it could.
    """

    off: float
    turned: float
    planted: bool
    why: str = ""


def through(start: Array, marks: Sequence[Mark]) -> Array:
    """A path (N, 2) from a place (2) through marks, where none is drawn: it passes them the way that they face."""
    places = np.array([start, *(mark.position for mark in marks)])
    apart = np.linalg.norm(np.diff(places, axis=0), axis=1)
    kept = np.concatenate([[True], apart > 1e-3])
    places, yaws = places[kept], [None, *(mark.yaw for mark in marks)]
    yaws = [yaw for yaw, one in zip(yaws, kept, strict=True) if one]
    if len(places) < 2:
        return places
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    slopes = np.gradient(places, lengths, axis=0)
    slopes /= np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-6)
    for row, yaw in enumerate(yaws):
        if yaw is not None:
            slopes[row] = (-np.sin(yaw), np.cos(yaw))
    return scipy.interpolate.CubicHermiteSpline(lengths, places, slopes)(every(0.05, float(lengths[-1])))


def places_on(path: Path, marks: Sequence[Mark], speed: float) -> Array:
    """Arc lengths (K), metres, of the places of a path that are nearest to marks, in their order.

    Where the path crosses itself it is the one that is closer to where one would be by then at a speed, m/s.
    """
    places, reached = [], 0
    for mark in marks:
        away = np.linalg.norm(path.points[reached:] - mark.position, axis=1)
        expected = speed * max(mark.seconds - STAND_BEFORE, 0.0)
        reached += int(np.argmin(away + AHEAD * np.abs(path.lengths[reached:] - expected)))
        places.append(path.lengths[reached])
    return np.array(places)


def bent(path: Path, marks: Sequence[Mark], speed: float) -> Path:
    """The path, led through the marks."""
    places = places_on(path, marks, speed)
    away = np.array([mark.position for mark in marks]) - path.point(places)
    return Path(path.points + _between(places, away, np.maximum(REACH[0], REACH[1] * _sizes(away)), path.lengths))


def _sizes(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1)


def _between(places: Array, values: Array, reaches: Array, at: Array) -> Array:
    """Values (K, ...) at arc lengths (K), which come and go over so many metres (K), at arc lengths (N)."""
    nodes: list[tuple[float, Array]] = []
    for index, (place, value, reach) in enumerate(zip(places, values, reaches, strict=True)):
        if nodes and place - nodes[-1][0] < 1e-3:
            nodes[-1] = (nodes[-1][0], value)
            continue
        # The start stays where it is, however near a mark is to it.
        if (before := max(place - reach, 0.0)) > (nodes[-1][0] if nodes else -1.0) and place > 0:
            nodes.append((before, 0 * value))
        nodes.append((place, value))
        if index + 1 == len(places) or places[index + 1] - place > reach + reaches[index + 1]:
            nodes.append((place + reach, 0 * value))
    result = scipy.interpolate.PchipInterpolator(
        [place for place, _ in nodes], [value for _, value in nodes], extrapolate=True
    )
    return result(np.clip(at, nodes[0][0], nodes[-1][0]))


def timed(
    planned: Callable[[Cues], Timing],
    path: Path,
    places: Array,
    marks: Sequence[Mark],
    cues: Cues,
    speed: float,
    rate: float,
) -> tuple[Cues, list[str]]:
    """Cues by which one comes to marks in time and faces where they say, and why those who cannot be reached cannot.

    Args:
        planned: the plan of a walk under cues.
        path: the way.
        places: (K) arc lengths of the marks.
        marks: in the order of their times.
        cues: what is told besides.
        speed: commanded, m/s.
        rate: frames a second of the plan.
    """
    starts = np.concatenate([[0.0], places[:-1]])
    due = np.array([mark.seconds for mark in marks])
    given = np.diff(np.concatenate([[STAND_BEFORE], due]))
    stays = places - starts < SAME
    speeds, waits = np.full(len(marks), speed), np.where(stays, np.maximum(given, 0.0), 0.0)
    late = np.zeros(len(marks))
    for _ in range(ROUNDS):
        timing = planned(_with(cues, starts, places, speeds, waits))
        come = _come(arrivals(timing, places, rate), stays, given)
        taken, late = np.diff(np.concatenate([[STAND_BEFORE], come])), come - due
        if np.abs(taken - given).max() < 0.5 / rate:
            break
        wanted = speeds * taken / np.maximum(given, 1 / rate)
        holds = ~stays & ((waits > 0) | (wanted < SLOWEST))
        waits = np.where(holds, np.maximum(waits + given - taken, 0.0), np.where(stays, waits, 0.0))
        speeds = np.where(holds | stays, np.maximum(speed, SLOWEST), np.clip(wanted, SLOWEST, FASTEST))
    why = [_why_not(number, marks, late, places) for number in range(len(marks))]
    told = _with(cues, starts, places, speeds, waits)
    return replace(told, stretches=(*told.stretches, *_facings(path, places, marks))), why


def _come(arrived: Array, stays: NDArray[np.bool_], given: Array) -> Array:
    """When (K) one has come to marks: to one at the place of the mark before, after having stayed there."""
    come = arrived.copy()
    for number in np.flatnonzero(stays):
        come[number] = (come[number - 1] if number else STAND_BEFORE) + given[number]
    return come


def _why_not(number: int, marks: Sequence[Mark], late: Array, places: Array) -> str:
    if number and marks[number].seconds <= marks[number - 1].seconds and places[number] > places[number - 1] + SAME:
        return "two marks are at one time, and at different places"
    if late[number] > 0.1:
        return f"it is too far: one would be there {late[number]:.1f} s later"
    return ""


def _with(cues: Cues, starts: Array, places: Array, speeds: Array, waits: Array) -> Cues:
    stretches = [
        Stretch(float(start), float(end), speed=float(speed))
        for start, end, speed in zip(starts, places, speeds, strict=True)
        if end > start
    ]
    held = [Wait(float(start), float(wait)) for start, wait in zip(starts, waits, strict=True) if wait > 0]
    return replace(cues, stretches=(*cues.stretches, *stretches), waits=(*cues.waits, *held))


def _facings(path: Path, places: Array, marks: Sequence[Mark]) -> list[Stretch]:
    """Stretches in which one faces where marks say."""
    result: list[Stretch] = []
    for place, mark in zip(places, marks, strict=True):
        if mark.yaw is None:
            continue
        turn = float(wrapped(mark.yaw - path.yaw(place)))
        if abs(turn) > AHEAD_ENOUGH:
            before, after = mark.seconds - TURNED[0], mark.seconds + TURNED[1]
            result.append(Stretch(before, after, "seconds", facing=Facing(turn)))
    return result


def wrapped(angle: Array | float) -> Array:
    """Angles (...) from -pi to pi."""
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def arrivals(timing: Timing, places: Array, rate: float) -> Array:
    """Seconds (K) since the walk's first frame at which one is planned to come to arc lengths (K)."""
    rising = np.maximum.accumulate(timing.distances) + 1e-9 * np.arange(len(timing))
    return np.interp(places - 0.002, rising, np.arange(len(timing))) / rate + STAND_BEFORE


def made_up(places: Array, missing: Array, at: Array) -> Array:
    """What is made up (F, ...) at arc lengths (F) of what is missing (K, ...) at marks' places (K)."""
    return _between(places, missing, np.full(len(places), EASED), at)


def strides(timing: Timing, due: Sequence[float], shifts: Array, rate: float) -> Array:
    """Cycles (T) that the phase goes on more at each frame of a plan, so that it is shifted by so much (K) at times
    (K), seconds since the walk's first frame."""
    result, before = timing.strides.copy(), 0
    for seconds, shift in zip(due, shifts, strict=True):
        last = round((seconds - STAND_BEFORE) * rate)
        first = max(last - round(STRIDES * rate), before, 0)
        if last > first:
            most = STRIDE * (last - first) / rate
            result[first:last] += float(np.clip(shift, -most, most)) / (last - first)
        before = max(last, 0)
    return result


def missing_phase(phases: Array, contacts: Array, frame: int, foot: str, rate: float) -> float:
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
    off = float(wrapped(2 * np.pi * (middle - phases[frame]))) / (2 * np.pi)
    if abs(off) < MIDDLE or stands[max(frame - 2, 0) : frame + 3].all():
        return 0.0
    return off - float(np.copysign(MIDDLE, off))
