"""Recorded drives: paths with path events, from which a bake reproduces the drive."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, length, wrap_angle
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned
from .curve_fit import FittedCurve, fit_curve
from .driven_way import TUNING as WAY_TUNING
from .driven_way import DrivenWay, way_of
from .driver import DriveMoment


@dataclass(frozen=True, slots=True)
class RecordingTuning(Tuning):
    """Tuned numbers of recorded drives."""

    min_wait: float = tuned(0.4, "s", 0.0, 5.0)
    """Shortest standing time that counts as a wait."""
    min_style: float = tuned(0.3, "m", 0.0, 5.0)
    """Shortest part of the path that can have its own style."""
    strafe_angle: float = tuned(0.44, "rad", 0.0, np.pi)
    """Angle between facing and path from which a character counts as strafing."""
    min_strafe: float = tuned(0.5, "m", 0.0, 5.0)
    """Shortest part of the path on which strafing is recorded."""
    min_path: float = tuned(0.3, "m", 0.05, 5.0)
    """Shortest path of a drive that can be baked."""
    jump: float = tuned(1.2, "s", 0.2, 5.0)
    """Time after the command to jump within which the highest point of the jump is searched."""


TUNING: Final = RecordingTuning()


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class DrivenSpan:
    """A part of the path with its own style, facing or dribbling hand.

    Attributes:
        start, end: arc lengths of the part's start and end, meters.
        style: the style; empty if this part does not set a style.
        yaw_offset: angle from the path's direction to the facing, radians, positive to the left.
        hand: dribbling hand, ``"left"`` or ``"right"``; empty if this part does not set a hand.
    """

    start: float
    end: float
    style: str = ""
    yaw_offset: float = 0.0
    hand: str = ""


@dataclass(frozen=True, eq=False)
class DrivenPath:
    """A driving session converted to a path.

    Attributes:
        curve: curve of K points that, once its corners are rounded, gives the driven path, meters, world.
        speed: usual speed, m/s.
        factors: (K) speed at each point of the curve, as a multiple of the usual speed.
        spans: parts with their own style, facing or dribbling hand.
        waits: arc length, meters, and duration, seconds, of each stop.
        jumps: arc length of each jump's highest point, meters.
    """

    curve: FittedCurve
    speed: float
    factors: Array
    spans: tuple[DrivenSpan, ...]
    waits: tuple[tuple[float, float], ...]
    jumps: tuple[float, ...] = ()


def path_of(moments: Sequence[DriveMoment], rate: float) -> DrivenPath:
    """Return a driving session converted to a path with speeds, styles, facings, changes of hands, waits and jumps.

    Args:
        moments: the driving session, frame by frame.
        rate: frames per second.

    Raises:
        FootfallError: the character hardly moved.
    """
    roots = np.stack([moment.root for moment in moments]) if moments else np.zeros((0, 3))
    if len(roots) < 2 or length(np.diff(roots[:, :2], axis=0)).sum() < TUNING.min_path:
        raise FootfallError("The character hardly moved: drive it farther to record a path")
    way = way_of(moments, rate)
    frames = way.dense_frames(0, len(moments))
    usual = float(np.median(way.speeds[way.moves])) if way.moves.any() else WAY_TUNING.min_speed
    curve = fit_curve(way.drawing(frames), way.speeds[frames] / usual)
    lengths = way.lengths
    return DrivenPath(
        curve,
        usual,
        way.speeds[frames][curve.indices] / usual,
        (*_styles(moments, lengths), *_facings(moments, way), *_hands(moments, lengths)),
        tuple(_waits(way.moves, lengths, rate)),
        tuple(_jumps(moments, lengths, rate)),
    )


def _waits(moves: NDArray[np.bool_], lengths: Array, rate: float) -> Iterator[tuple[float, float]]:
    """Yield position, meters along the path, and duration, seconds, of each stop between first and last step."""
    for start, stop in runs_of(~moves):
        if start > 0 and stop < len(moves) and stop - start >= TUNING.min_wait * rate:
            yield float(lengths[start:stop].mean()), float((stop - start) / rate)


def _jumps(moments: Sequence[DriveMoment], lengths: Array, rate: float) -> Iterator[float]:
    """Yield the position of each jump's highest point, meters along the path."""
    heights = np.array([moment.hip_height for moment in moments])
    for frame, moment in enumerate(moments):
        if moment.jumps:
            yield float(lengths[frame + heights[frame : frame + round(TUNING.jump * rate)].argmax()])


def _styles(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the parts of the path that are walked in a style."""
    for start, stop, style in _runs([moment.style for moment in moments], bool):
        if lengths[stop - 1] - lengths[start] >= TUNING.min_style:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), style=style)


def _hands(moments: Sequence[DriveMoment], lengths: Array) -> Iterator[DrivenSpan]:
    """Yield the parts of the path on which another hand dribbles than at the beginning."""
    first = next((moment.hand for moment in moments if moment.hand), "")
    for start, stop, hand in _runs([moment.hand for moment in moments], bool):
        if hand != first and lengths[stop - 1] > lengths[start]:
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), hand=hand)


def _facings(moments: Sequence[DriveMoment], way: DrivenWay) -> Iterator[DrivenSpan]:
    """Yield the parts of the path on which the character does not face along it."""
    lengths = way.lengths
    ahead = np.gradient(way.places[:, :2], axis=0)
    offsets = wrap_angle(np.array([moment.yaw for moment in moments]) - yaw_of(ahead))
    aside = way.moves & (np.abs(offsets) > TUNING.strafe_angle)
    for start, stop in runs_of(aside):
        if lengths[stop - 1] - lengths[start] >= TUNING.min_strafe:
            mean = float(np.arctan2(np.sin(offsets[start:stop]).mean(), np.cos(offsets[start:stop]).mean()))
            yield DrivenSpan(float(lengths[start]), float(lengths[stop - 1]), yaw_offset=mean)


def _runs(values: Sequence[Value], counts: Callable[[Value], bool]) -> Iterator[tuple[int, int, Value]]:
    """Yield start, end and value of each run of equal values for which `counts` is true."""
    start = 0
    for frame in range(1, len(values) + 1):
        if frame == len(values) or values[frame] != values[start]:
            if counts(values[start]):
                yield start, frame, values[start]
            start = frame
