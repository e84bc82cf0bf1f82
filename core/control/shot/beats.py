"""The beats of a shot: a character's activities in order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...motion.rotations import Array
from ..interaction.task import InteractionTask


@dataclass(frozen=True, slots=True, eq=False)
class WalkBeat:
    """A walk along a path, or straight to a place.

    Attributes:
        points: (N, 2) path, meters, world; a single point is a destination.
        speed: commanded, m/s.
        style: of the controller; empty for plain walking and running.
    """

    points: Array
    speed: float = 1.2
    style: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TaskBeat:
    """A task, with an object or at a place.

    Attributes:
        task: in meters of the controllers; its object is one of the shot's.
    """

    task: InteractionTask


@dataclass(frozen=True, slots=True)
class WaitBeat:
    """Standing, or staying in the place of the beat before.

    Attributes:
        seconds: duration, seconds.
    """

    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class StrikeBeat:
    """A strike at a place.

    Attributes:
        target: (3) place of the end effector's joint, meters, world.
        effector: role of the end effector, one of ``features.strikes.EFFECTORS``.
        time: time of the blow from the beginning of the shot, seconds; as early as possible if not given.
    """

    target: Array
    effector: str = "hand.R"
    time: float | None = None


Beat = WalkBeat | TaskBeat | WaitBeat | StrikeBeat


@dataclass(frozen=True, slots=True, eq=False)
class WalkPart:
    """Consecutive walks on one path.

    Attributes:
        walks: the walks, each with its index among the beats.
        wait: standing time at the end, seconds.
    """

    walks: tuple[tuple[int, WalkBeat], ...]
    wait: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TaskPart:
    """A task and the time for which a character stays after it.

    Attributes:
        number: index of its beat.
        task: in meters of the controllers.
    """

    number: int
    task: InteractionTask


@dataclass(frozen=True, slots=True, eq=False)
class StrikePart:
    """A strike.

    Attributes:
        number: index of its beat.
        strike: the strike.
        wait: standing time after it, seconds.
    """

    number: int
    strike: StrikeBeat
    wait: float = 0.0


Part = WalkPart | TaskPart | StrikePart


def parts_of(beats: Sequence[Beat]) -> list[Part]:
    """Return the parts of a shot: consecutive walks share a path, and waits belong to the part before them."""
    runs: list[Part] = []
    for number, beat in enumerate(beats):
        last = runs[-1] if runs else None
        if isinstance(beat, TaskBeat):
            runs.append(TaskPart(number, beat.task))
        elif isinstance(beat, StrikeBeat):
            runs.append(StrikePart(number, beat))
        elif isinstance(beat, WaitBeat):
            if isinstance(last, TaskPart):
                task = replace(last.task, duration=last.task.duration + beat.seconds)
                runs[-1] = replace(last, task=task)
            elif last is not None:
                runs[-1] = replace(last, wait=last.wait + beat.seconds)
            else:
                runs.append(TaskPart(number, InteractionTask("idle", duration=beat.seconds)))
        elif isinstance(last, WalkPart) and last.wait == 0.0:
            runs[-1] = replace(last, walks=(*last.walks, (number, beat)))
        else:
            runs.append(WalkPart(((number, beat),)))
    return runs
