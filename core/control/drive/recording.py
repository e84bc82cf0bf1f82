"""Recorded drives: paths with events, from which a bake makes exact what was driven."""

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
from .driver import DriveMoment

SWAY_S: Final = 0.25
"""Standard deviation of the smoothing that takes the sway of steps out of the path."""
POINT_SPACING_M: Final = 0.15
"""Distance of the points of the path."""
STANDING_SPEED_M_S: Final = 0.15
"""Commanded speed below which a character stands."""
START_S: Final = 0.8
"""Time in which a character starts or stops."""
MIN_WAIT_S: Final = 0.4
"""Shortest stand that is a wait."""
MIN_STYLE_M: Final = 0.3
"""Shortest part of the path that has a style of its own."""
STRAFE_RAD: Final = 0.44
"""Angle between facing and path from which a character strafes."""
MIN_STRAFE_M: Final = 0.5
MIN_SPEED_M_S: Final = 0.3
"""Lowest speed of a part of the path in which a character moves."""
MIN_PATH_M: Final = 0.3
JUMP_S: Final = 1.2
"""Time from the wish within which a jump has its highest point."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DrivenSpan:
    """A style, a facing, or a hand that dribbles, on a part of the path.

    Attributes:
        start, end: meters along the path.
        style: the style; empty where the span is another one.
        yaw_offset: facing to the left of the path, radians.
        hand: ``"left"`` or ``"right"``; empty where the span is another one.
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
        points: (P, 3) meters, world.
        speed: usual speed, m/s.
        factors: (P) speed at the points as a share of the usual one.
        spans: styles, facings and changes of hands.
        waits: meters along the path and seconds of each stand on the way.
        jumps: meters along the path of the highest point of each jump.
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
    if len(roots) < 2 or length(np.diff(roots[:, :2], axis=0)).sum() < MIN_PATH_M:
        raise FootfallError("The character hardly moved: drive it farther, and its way becomes a path")
    moves = np.array([moment.speed >= STANDING_SPEED_M_S for moment in moments])
    smooth = np.column_stack([smooth_positions(roots[:, :2], SWAY_S * rate), roots[:, 2]])
    steps = length(np.diff(smooth[:, :2], axis=0, prepend=smooth[:1, :2]))
    steps[~moves] *= 0.2  # a standing body sways, and goes nowhere
    lengths = np.cumsum(steps)
    count = max(round(float(lengths[-1]) / POINT_SPACING_M) + 1, 2)
    marks = np.linspace(0.0, lengths[-1], count)
    firsts = np.searchsorted(lengths, marks).clip(max=len(lengths) - 1)
    speeds = scipy.ndimage.gaussian_filter1d(np.gradient(lengths) * rate, SWAY_S * rate, mode="nearest")
    # Bakes start and stop by themselves.
    steady = np.maximum(_steady_speeds(speeds, moves, rate), MIN_SPEED_M_S)
    usual = float(np.median(steady[moves])) if moves.any() else MIN_SPEED_M_S
    return DrivenPath(
        smooth[firsts],
        usual,
        steady[firsts] / usual,
        (*_styles(moments, lengths), *_facings(moments, smooth, lengths, moves), *_hands(moments, lengths)),
        tuple(_waits(moves, lengths, rate)),
        tuple(_jumps(moments, lengths, rate)),
    )


def _steady_speeds(speeds: Array, moves: NDArray[np.bool_], rate: float) -> Array:
    """Return speeds (F) in which starts and stops have the speed that they come from or lead to."""
    margin, result = round(START_S * rate), speeds.copy()
    for start, stop in runs_of(moves):
        first, last = min(start + margin, (start + stop) // 2), max(stop - margin, (start + stop) // 2)
        result[start:first], result[last:stop] = speeds[first], speeds[last - 1]
    known = np.flatnonzero(moves)
    return result if not len(known) else np.interp(np.arange(len(speeds)), known, result[known])


def _waits(moves: NDArray[np.bool_], lengths: Array, rate: float) -> Iterator[tuple[float, float]]:
    """Yield place, meters, and time, seconds, of each stand between the first and the last step."""
    for start, stop in runs_of(~moves):
        if start > 0 and stop < len(moves) and stop - start >= MIN_WAIT_S * rate:
            yield float(lengths[start:stop].mean()), float((stop - start) / rate)


def _jumps(moments: Sequence[DriveMoment], lengths: Array, rate: float) -> Iterator[float]:
    """Yield the place, meters, of the highest point of each jump."""
    heights = np.array([moment.hip_height for moment in moments])
    for frame, moment in enumerate(moments):
        if moment.jumps:
            yield float(lengths[frame + heights[frame : frame + round(JUMP_S * rate)].argmax()])


def _styles(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the spans of the path in a style."""
    for start, stop, style in _runs([moment.style for moment in moments], bool):
        if lengths[stop - 1] - lengths[start] >= MIN_STYLE_M:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), style=style)


def _hands(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the spans of the path on which another hand dribbles than at its beginning."""
    first = next((moment.hand for moment in moments if moment.hand), "")
    for start, stop, hand in _runs([moment.hand for moment in moments], bool):
        if hand != first and lengths[stop - 1] > lengths[start]:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), hand=hand)


def _facings(
    moments: Sequence[DriveMoment], path: Array, lengths: Array, moves: NDArray[np.bool_]
) -> Iterator[DrivenSpan]:
    """Yield the spans of the path on which the character faces elsewhere."""
    ahead = np.gradient(path[:, :2], axis=0)
    offsets = wrap_angle(np.array([moment.yaw for moment in moments]) - yaw_of(ahead))
    aside = moves & (np.abs(offsets) > STRAFE_RAD)
    for start, stop in runs_of(aside):
        if lengths[stop - 1] - lengths[start] >= MIN_STRAFE_M:
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
