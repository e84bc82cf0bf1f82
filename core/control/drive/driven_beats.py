"""Conversion of recorded drives with tasks to beats of a shot, in which the character walks as it was steered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned
from ..interaction.task import InteractionTask
from ..path.running import GRAVITY_M_S2
from ..path.running import TUNING as RUNNING_TUNING
from ..path.velocity_profile import STAND_AFTER_S, STAND_BEFORE_S
from .curve_fit import FittedCurve, fit_curve
from .driven_way import DrivenWay, way_of
from .driver import DriveMoment


@dataclass(frozen=True, slots=True)
class DrivenBeatsTuning(Tuning):
    """Tuned numbers for converting drives to beats."""

    min_walk: float = tuned(0.6, "m", 0.1, 5.0)
    """Shortest walk that a change of speed or style can split off from its neighbor."""
    min_way: float = tuned(0.3, "m", 0.1, 5.0)
    """Shortest distance traveled between two stops that counts as a walk."""
    min_stand: float = tuned(0.4, "s", 0.1, 10.0)
    """Shortest standing time that counts as a wait."""
    wish_change: float = tuned(0.15, "1", 0.01, 1.0)
    """Change of the requested speed, as a share of the higher speed, that begins a new walk."""
    slowed: float = tuned(0.3, "1", 0.0, 1.0)
    """Share of a speed reduction that may still remain when the slower walk begins.

    A baked walk reaches its lower speed before the walk begins.
    """
    approach: float = tuned(1.7, "m", 0.0, 5.0)
    """Distance before a task's place that, in a shot, the interaction controller walks as part of the task."""


TUNING: Final = DrivenBeatsTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DoneTask:
    """A task that was carried out in a driving session.

    Attributes:
        first: frame of the driving session at which the user commanded the task.
        stop: frame at which the character began to walk again.
        task: the task, with its actual duration and the actual place of its object or of the resting body.
        arrived: frame of the driving session at which the character reached the place of the task; 0 if unknown.
    """

    first: int
    stop: int
    task: InteractionTask
    arrived: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class DrivenWalk:
    """A walk of a driving session.

    Attributes:
        curve: curve that, once its corners are rounded, gives the driven path, meters.
        speed: cruising speed, m/s.
        style: style of the controller; empty for plain walking and running.
        runs: whether the walk is fast enough for running.
    """

    curve: FittedCurve
    speed: float
    style: str
    runs: bool


DrivenBeat = DrivenWalk | InteractionTask


def beats_of(moments: Sequence[DriveMoment], done: Sequence[DoneTask], model: ControllerModel) -> list[DrivenBeat]:
    """Convert a driving session to beats: walks along the driven path, waits, and the tasks that were carried out.

    Args:
        moments: the driving session, frame by frame.
        done: the tasks, in order.
        model: the locomotion controller.

    Raises:
        FootfallError: the character did not walk and carried out no task.
    """
    beats: list[DrivenBeat] = []
    begun = 0
    for one in done:
        beats += [*_walks(moments[begun : _approach_end(moments, one)], one.first - begun, model), one.task]
        begun = one.stop
    beats += _walks(moments[begun:], len(moments) - begun, model)
    beats = _without_usual_stands(beats)
    if not beats:
        raise FootfallError("The character did nothing: drive it farther, or click an object for it to use")
    return beats


def _without_usual_stands(beats: Sequence[DrivenBeat]) -> list[DrivenBeat]:
    """Return beats with the first and the last wait shortened by the stands that every bake begins and ends with."""
    result = list(beats)
    for index, usual in ((0, STAND_BEFORE_S), (-1, STAND_AFTER_S)):
        one = result[index] if result else None
        if isinstance(one, InteractionTask) and one.action == "idle":
            result[index] = replace(one, duration=one.duration - usual)
            if one.duration - usual < TUNING.min_stand:
                result.pop(index)
    return result


def _approach_end(moments: Sequence[DriveMoment], one: DoneTask) -> int:
    """Return the frame up to which a task is approached by a walk; from there the interaction controller walks."""
    if one.arrived - one.first < 2:
        return one.first
    ways = way_of(moments[one.first : one.arrived], 1.0).lengths
    return one.first + int(np.searchsorted(ways, ways[-1] - TUNING.approach))


def _walks(moments: Sequence[DriveMoment], driven: int, model: ControllerModel) -> Iterator[DrivenBeat]:
    """Yield the walks and waits of a part of a drive; in its first `driven` frames, the user steered."""
    if len(moments) < 2:
        return
    way, rate = way_of(moments, model.rate), model.rate
    stands = list(_stands(~way.moves, rate))
    begun = 0
    for first, stop in [*stands, (len(moments), len(moments))]:
        middle = (first + stop + 1) // 2  # a body comes to rest in the first half of a stand
        if way.lengths[middle - 1] - way.lengths[begun] >= TUNING.min_way:
            yield from _stretch(moments, way, slice(begun, middle), driven, model)
        if stop > first:
            yield InteractionTask("idle", duration=float(stop - first) / rate)
        begun = min(middle, len(moments) - 1)


def _stands(still: NDArray[np.bool_], rate: float) -> Iterator[tuple[int, int]]:
    """Yield the first frame and the frame after the last of each stand long enough to be a wait."""
    for first, stop in runs_of(still):
        if stop - first >= TUNING.min_stand * rate:
            yield first, stop


def _stretch(
    moments: Sequence[DriveMoment], way: DrivenWay, span: slice, driven: int, model: ControllerModel
) -> Iterator[DrivenWalk]:
    """Yield the walks between two stops, each with a single style and requested speed."""
    frames = way.dense_frames(span.start, span.stop)
    cuts = [int(np.searchsorted(frames, cut)) for cut in _changes(moments, way, span, driven)]
    ends = [0, *(cut for cut in cuts if 0 < cut < len(frames) - 1), len(frames) - 1]
    curve = fit_curve(way.drawing(frames), cuts=ends)
    fastest_walk = np.sqrt(RUNNING_TUNING.run_froude * GRAVITY_M_S2 * model.skeleton.leg_length)
    for first, last in pairwise(ends):
        part = slice(frames[first], frames[last] + 1)
        moves = way.moves[part]
        speed = float(np.mean(way.speeds[part][moves] if moves.any() else way.speeds[part]))
        style = moments[(part.start + part.stop) // 2].style
        yield DrivenWalk(curve.cut(first, last), speed, style, runs=speed > fastest_walk)


def _changes(moments: Sequence[DriveMoment], way: DrivenWay, span: slice, driven: int) -> list[int]:
    """Return the frames between two stops at which a walk of another style or requested speed begins."""
    wishes, lengths = _wishes(moments, way, driven), way.lengths
    frames = [frame for frame in range(span.start, span.stop) if way.moves[frame]]
    cuts: list[int] = []
    begun, wish = span.start, wishes[frames[0]] if frames else 0.0
    for before, frame in pairwise(frames):
        new = wishes[frame]
        is_other = abs(new - wish) > TUNING.wish_change * max(new, wish)
        if not is_other and moments[before].style == moments[frame].style:
            continue
        cut = frame
        while new < wish and cut < span.stop - 1 and way.speeds[cut] > new + TUNING.slowed * (wish - new):
            cut += 1
        wish = new
        if min(lengths[cut] - lengths[begun], lengths[span.stop - 1] - lengths[cut]) >= TUNING.min_walk:
            cuts.append(cut)
            begun = cut
    return cuts


def _wishes(moments: Sequence[DriveMoment], way: DrivenWay, driven: int) -> Array:
    """Return the requested speeds (F), m/s.

    A stop has the wished speed before it, and a task the speed at which the character walks to it.
    """
    wishes = np.array([moment.wished for moment in moments])
    if driven < len(moments):
        wishes[driven:] = float(np.median(way.speeds[driven:]))
    known = np.flatnonzero(wishes)
    if not len(known):
        return wishes
    return wishes[known[np.clip(np.searchsorted(known, np.arange(len(wishes)), side="right") - 1, 0, None)]]
