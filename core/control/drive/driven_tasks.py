"""Recorded drives with tasks: a list of walks, waits and tasks that an interaction controller repeats."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, smooth_positions
from ...motion.rotations import Array, length
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.actions.ground_rest import GroundRest
from ..interaction.task import InteractionTask
from ..path.running import GRAVITY_M_S2
from ..path.running import TUNING as RUNNING_TUNING
from .driver import DriveMoment
from .recording import TUNING as RECORDING_TUNING


@dataclass(frozen=True, slots=True)
class DrivenTasksTuning(Tuning):
    corner: float = tuned(0.15, "m", 0.02, 2.0)
    """Distance from the straight line between two corners beyond which the path has another corner."""
    min_walk: float = tuned(0.6, "m", 0.1, 5.0)
    """Shortest walk that is a task of its own."""
    min_stand: float = tuned(1.0, "s", 0.1, 10.0)
    """Shortest stand that is a task of its own."""
    max_turn_cosine: float = tuned(0.5, "1", -1.0, 1.0)
    """Cosine of the angle between two directions below which a walking character stops to turn."""
    turn: float = tuned(0.6, "s", 0.1, 5.0)
    """Duration of a turn in place."""
    stopping: float = tuned(0.2, "m", 0.0, 2.0)
    """Stopping distance of a walking character."""


TUNING: Final = DrivenTasksTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DoneTask:
    """A completed task of a drive.

    Attributes:
        first: frame of the drive at which the task was commanded.
        stop: frame at which the character walked again.
        task: the task, with the duration of the stay and the final place of its object or of the resting body.
    """

    first: int
    stop: int
    task: InteractionTask


def tasks_of(moments: Sequence[DriveMoment], done: Sequence[DoneTask], model: ControllerModel) -> list[InteractionTask]:
    """Return a drive as tasks: walks from corner to corner, turns, stands, and the completed tasks.

    Args:
        moments: the drive, frame by frame.
        done: the completed tasks, in order.
        model: the locomotion controller.

    Raises:
        FootfallError: there is nothing to record.
    """
    ends = [*(one.first for one in done), len(moments)]
    tasks = [*_turned(_way(moments[: ends[0]], model))]
    for one, end in zip(done, ends[1:], strict=True):
        tasks.append(one.task)
        part = moments[one.stop : end]
        if part and isinstance(ACTION_SPECS[one.task.action], GroundRest):
            tasks.append(_arrival(part[0]))
        tasks += _turned(_way(part, model), part[0] if part else None)
    if not tasks:
        raise FootfallError("The character did nothing: drive it farther, or click what it is to use")
    return tasks


def _arrival(moment: DriveMoment) -> InteractionTask:
    """Return the walk to the position of a character that has got up."""
    return InteractionTask(
        "walk", position=np.append(moment.root[:2], 0.0), direction=facing_direction(np.array(moment.yaw))
    )


def _turned(way: Iterable[InteractionTask], begun: DriveMoment | None = None) -> Iterator[InteractionTask]:
    """Yield walks and stands with a turn in place before each walk in a clearly different direction.

    A driven character turns on the spot, but a walking character goes to the next position in an arc.

    Args:
        way: walks, runs and stands.
        begun: the character at the start of a walk in motion; ``None`` if it stands.
    """
    place, ahead = (None, None) if begun is None else (begun.root[:2], facing_direction(np.array(begun.yaw)))
    for task in way:
        if task.position is None or task.direction is None:
            place = ahead = None
            yield task
            continue
        if place is not None and ahead is not None and ahead @ task.direction < TUNING.max_turn_cosine:
            stop = np.append(place + TUNING.stopping * ahead, 0.0)
            yield InteractionTask("walk", position=stop, direction=task.direction, duration=TUNING.turn)
        place, ahead = task.position[:2], task.direction
        yield task


def _way(moments: Sequence[DriveMoment], model: ControllerModel) -> Iterator[InteractionTask]:
    """Yield the walks, runs and stands of a part of a drive."""
    if len(moments) < 2:
        return
    rate, roots = model.rate, np.stack([moment.root for moment in moments])
    way = smooth_positions(roots[:, :2], RECORDING_TUNING.sway * rate)
    speeds = np.array([moment.speed for moment in moments])
    running = np.sqrt(RUNNING_TUNING.run_froude * GRAVITY_M_S2 * model.skeleton.leg_length)
    begun, place = 0, way[0]
    for first, stop in [*_stands(speeds < RECORDING_TUNING.standing_speed, rate), (len(moments), len(moments))]:
        corners = begun + _corners(way[begun:first])
        for before, corner in pairwise(corners):
            step = way[corner] - place
            far = float(length(step))
            if far >= TUNING.min_walk:
                action = "run" if speeds[before:corner].mean() > running else "walk"
                place = way[corner]
                yield InteractionTask(action, position=np.append(place, 0.0), direction=step / far)
        if stop > first:
            yield InteractionTask("idle", duration=(stop - first) / rate)
        begun = stop


def _stands(still: NDArray[np.bool_], rate: float) -> Iterator[tuple[int, int]]:
    """Yield first frame and frame after the last of each stand long enough for a task of its own."""
    for first, stop in runs_of(still):
        if stop - first >= TUNING.min_stand * rate:
            yield first, stop


def _corners(way: Array) -> NDArray[np.intp]:
    """Return the frames of the corners of a path (F, 2), with both ends (Douglas and Peucker 1973)."""
    if len(way) < 2:
        return np.zeros(0, dtype=np.intp)
    line = way[-1] - way[0]
    shares = np.clip((way - way[0]) @ line / max(float(line @ line), 1e-12), 0.0, 1.0)
    off = length(way - way[0] - shares[:, None] * line)
    worst = int(off.argmax())
    if off[worst] < TUNING.corner:
        return np.array([0, len(way) - 1], dtype=np.intp)
    return np.concatenate([_corners(way[: worst + 1])[:-1], worst + _corners(way[worst:])])
