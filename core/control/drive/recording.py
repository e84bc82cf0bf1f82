"""Recorded drives: paths with events, from which a bake repeats the drive precisely."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion.root_frame import smooth_positions, yaw_of
from ...motion.rotations import Array, length, wrap_angle
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned
from .driver import DriveMoment


@dataclass(frozen=True, slots=True)
class RecordingTuning(Tuning):
    sway: float = tuned(0.25, "s", 0.0, 2.0)
    """Standard deviation of the smoothing that removes the sway of steps from the path."""
    point_spacing: float = tuned(0.15, "m", 0.02, 2.0)
    """Distance between the points of the path."""
    standing_speed: float = tuned(0.15, "m/s", 0.01, 1.0)
    """Commanded speed below which a character counts as standing."""
    start: float = tuned(0.8, "s", 0.0, 5.0)
    """Duration of a start or a stop."""
    min_wait: float = tuned(0.4, "s", 0.0, 5.0)
    """Shortest stand that becomes a wait."""
    min_style: float = tuned(0.3, "m", 0.0, 5.0)
    """Shortest part of the path with a style of its own."""
    strafe_angle: float = tuned(0.44, "rad", 0.0, np.pi)
    """Angle between facing and path above which a character strafes."""
    min_strafe: float = tuned(0.5, "m", 0.0, 5.0)
    """Shortest strafed part of the path."""
    min_speed: float = tuned(0.3, "m/s", 0.05, 2.0)
    """Lowest speed of a moving character on a part of the path."""
    min_path: float = tuned(0.3, "m", 0.05, 5.0)
    """Shortest path of a drive for a bake."""
    jump: float = tuned(1.2, "s", 0.2, 5.0)
    """Longest time from the wish to the highest point of a jump."""


TUNING: Final = RecordingTuning()


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DrivenSpan:
    """A style, a facing, or a dribbling hand on a part of the path.

    Attributes:
        start, end: meters along the path.
        style: the style; empty for a span of facing or hand.
        yaw_offset: angle of the facing to the left of the path, radians.
        hand: ``"left"`` or ``"right"``; empty for a span of style or facing.
    """

    start: float
    end: float
    style: str = ""
    yaw_offset: float = 0.0
    hand: str = ""


@dataclass(frozen=True, eq=False)
class DrivenPath:
    """A drive as a path.

    Attributes:
        points: (P, 3) points, meters, world.
        speed: usual speed, m/s.
        factors: (P) speed at the points as a share of the usual speed.
        spans: styles, facings and changes of hands.
        waits: position, meters along the path, and duration, seconds, of each stand.
        jumps: position of the highest point of each jump, meters along the path.
    """

    points: Array
    speed: float
    factors: Array
    spans: tuple[DrivenSpan, ...]
    waits: tuple[tuple[float, float], ...]
    jumps: tuple[float, ...] = ()


def path_of(moments: Sequence[DriveMoment], rate: float) -> DrivenPath:
    """Return a drive as a path with speeds, styles, facings, changes of hands, waits and jumps.

    Args:
        moments: the drive, frame by frame.
        rate: frames per second.

    Raises:
        FootfallError: the character hardly moved.
    """
    roots = np.stack([moment.root for moment in moments]) if moments else np.zeros((0, 3))
    if len(roots) < 2 or length(np.diff(roots[:, :2], axis=0)).sum() < TUNING.min_path:
        raise FootfallError("The character hardly moved: drive it farther, and its way becomes a path")
    moves = np.array([moment.speed >= TUNING.standing_speed for moment in moments])
    smooth = np.column_stack([smooth_positions(roots[:, :2], TUNING.sway * rate), roots[:, 2]])
    steps = length(np.diff(smooth[:, :2], axis=0, prepend=smooth[:1, :2]))
    steps[~moves] *= 0.2  # a standing body sways without progress
    lengths = np.cumsum(steps)
    count = max(round(float(lengths[-1]) / TUNING.point_spacing) + 1, 2)
    marks = np.linspace(0.0, lengths[-1], count)
    firsts = np.searchsorted(lengths, marks).clip(max=len(lengths) - 1)
    speeds = scipy.ndimage.gaussian_filter1d(np.gradient(lengths) * rate, TUNING.sway * rate, mode="nearest")
    # Bakes start and stop by themselves.
    steady = np.maximum(_steady_speeds(speeds, moves, rate), TUNING.min_speed)
    usual = float(np.median(steady[moves])) if moves.any() else TUNING.min_speed
    return DrivenPath(
        smooth[firsts],
        usual,
        steady[firsts] / usual,
        (*_styles(moments, lengths), *_facings(moments, smooth, lengths, moves), *_hands(moments, lengths)),
        tuple(_waits(moves, lengths, rate)),
        tuple(_jumps(moments, lengths, rate)),
    )


def _steady_speeds(speeds: Array, moves: NDArray[np.bool_], rate: float) -> Array:
    """Return speeds (F) in which each start or stop has the constant speed after or before it."""
    margin, result = round(TUNING.start * rate), speeds.copy()
    for start, stop in runs_of(moves):
        first, last = min(start + margin, (start + stop) // 2), max(stop - margin, (start + stop) // 2)
        result[start:first], result[last:stop] = speeds[first], speeds[last - 1]
    known = np.flatnonzero(moves)
    return result if not len(known) else np.interp(np.arange(len(speeds)), known, result[known])


def _waits(moves: NDArray[np.bool_], lengths: Array, rate: float) -> Iterator[tuple[float, float]]:
    """Yield position, meters, and duration, seconds, of each stand between the first and the last step."""
    for start, stop in runs_of(~moves):
        if start > 0 and stop < len(moves) and stop - start >= TUNING.min_wait * rate:
            yield float(lengths[start:stop].mean()), float((stop - start) / rate)


def _jumps(moments: Sequence[DriveMoment], lengths: Array, rate: float) -> Iterator[float]:
    """Yield the position, meters, of the highest point of each jump."""
    heights = np.array([moment.hip_height for moment in moments])
    for frame, moment in enumerate(moments):
        if moment.jumps:
            yield float(lengths[frame + heights[frame : frame + round(TUNING.jump * rate)].argmax()])


def _styles(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the spans of the path with a style."""
    for start, stop, style in _runs([moment.style for moment in moments], bool):
        if lengths[stop - 1] - lengths[start] >= TUNING.min_style:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), style=style)


def _hands(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the spans of the path with another dribbling hand than at its beginning."""
    first = next((moment.hand for moment in moments if moment.hand), "")
    for start, stop, hand in _runs([moment.hand for moment in moments], bool):
        if hand != first and lengths[stop - 1] > lengths[start]:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), hand=hand)


def _facings(
    moments: Sequence[DriveMoment], path: Array, lengths: Array, moves: NDArray[np.bool_]
) -> Iterator[DrivenSpan]:
    """Yield the spans of the path on which the character does not face along the path."""
    ahead = np.gradient(path[:, :2], axis=0)
    offsets = wrap_angle(np.array([moment.yaw for moment in moments]) - yaw_of(ahead))
    aside = moves & (np.abs(offsets) > TUNING.strafe_angle)
    for start, stop in runs_of(aside):
        if lengths[stop - 1] - lengths[start] >= TUNING.min_strafe:
            mean = float(np.arctan2(np.sin(offsets[start:stop]).mean(), np.cos(offsets[start:stop]).mean()))
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), yaw_offset=mean)


def _runs(values: Sequence[Value], counts: Callable[[Value], bool]) -> Iterator[tuple[int, int, Value]]:
    """Yield start, end and value of each run of equal values that count."""
    start = 0
    for frame in range(1, len(values) + 1):
        if frame == len(values) or values[frame] != values[start]:
            if counts(values[start]):
                yield start, frame, values[start]
            start = frame
