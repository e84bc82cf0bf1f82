"""The beats of a shot: a character's activities in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from ...motion.rotations import Array
from ..interaction.place_rounding import rounded_places, rounded_task
from ..interaction.task import InteractionTask
from ..path.path_events import RIM_RADIUS_M, Cues


@dataclass(frozen=True, slots=True)
class BeatTime:
    """The times set for a beat, seconds from the beginning of the shot; ``None`` for a time that is not set.

    Attributes:
        start: time at which the character leaves the place of the previous beat.
        end: time at which a walk arrives, or a stay ends.
    """

    start: float | None = None
    end: float | None = None


FREE: Final = BeatTime()
BEFORE: Final = -1
"""Number of the part that stands before the first beat."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkBeat:
    """A walk along a path, or straight to a place.

    Attributes:
        points: (N, 2) path, meters, world; a single point is a destination.
        speed: commanded, m/s.
        style: of the controller; empty for plain walking and running.
        time: its times.
        cues: path events; arc lengths from the first point of the path, times from the beginning of the shot.
        ball: index of the ball of its path events among the shot's balls; -1 for none.
        direction: (2) unit vector that the character faces while it stays at the end, world; ``None`` for that of the
            walk.
        wait: time for which the character stays at the end, seconds.
    """

    points: Array
    speed: float = 1.2
    style: str = ""
    time: BeatTime = FREE
    cues: Cues = field(default_factory=Cues)
    ball: int = -1
    direction: Array | None = None
    wait: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TaskBeat:
    """A task, with an object or at a place.

    Attributes:
        task: the task, in meters of the controllers; its object is one of the shot's objects.
        time: times set for the beat.
    """

    task: InteractionTask
    time: BeatTime = FREE


@dataclass(frozen=True, slots=True)
class WaitBeat:
    """Standing, or staying at the place of the previous beat.

    Attributes:
        seconds: duration, seconds, used unless an end is set.
        time: times set for the beat.
    """

    seconds: float
    time: BeatTime = FREE


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


@dataclass(frozen=True, slots=True, eq=False)
class DribbleBeat:
    """A walk with a dribbled ball, which begins and ends with the ball in both hands.

    Attributes:
        walk: the walk, with the index of the ball.
        hand: hand that dribbles where no path event chooses one, ``"left"`` or ``"right"``.
    """

    walk: WalkBeat
    hand: str = "right"

    @property
    def time(self) -> BeatTime:
        """Its times."""
        return self.walk.time


@dataclass(frozen=True, slots=True, eq=False)
class BallBeat:
    """An action with a ball, in place.

    Attributes:
        action: the action.
        ball: index of the ball among the shot's balls.
        place: (2) place where it is put down or from which it is shot, meters, world; ``None`` for where the character
            is. A ball is picked up where it lies.
        target: (3) center of the rim, or point, at which it is shot, meters, world.
        rim_radius: meters.
        time: its times; the end is the moment at which the ball comes to the hands or leaves them.
    """

    action: Literal["pick_up", "put_down", "shoot"]
    ball: int
    place: Array | None = None
    target: Array | None = None
    rim_radius: float = RIM_RADIUS_M
    time: BeatTime = FREE


Beat = WalkBeat | TaskBeat | WaitBeat | StrikeBeat | DribbleBeat | BallBeat


@dataclass(frozen=True, slots=True, eq=False)
class WalkPart:
    """Consecutive walks on one path.

    Attributes:
        walks: the walks, each with its index among the beats.
        wait: time to stand at the end, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; it replaces ``wait``.
        leaves: time at which the first walk of a shot begins, seconds.
    """

    walks: tuple[tuple[int, WalkBeat], ...]
    wait: float = 0.0
    until: float | None = None
    leaves: float = 0.0

    @property
    def ball(self) -> int:
        """Index of the ball of the walks' path events; -1 for none."""
        return max((walk.ball for _, walk in self.walks), default=-1)

    @property
    def arrives(self) -> float | None:
        """Time of the arrival, seconds from the beginning of the shot; ``None`` if it is not set."""
        return self.walks[-1][1].time.end if self.walks else None


@dataclass(frozen=True, slots=True, eq=False)
class TaskPart:
    """A task and the time for which a character stays after it.

    Attributes:
        number: index of the task's beat.
        task: the task, in meters of the controllers.
        until: time at which the stay ends, seconds from the beginning of the shot; it replaces the task's duration.
    """

    number: int
    task: InteractionTask
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StrikePart:
    """A strike.

    Attributes:
        number: index of the strike's beat.
        strike: the strike.
        wait: time to stand after the strike, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; it replaces ``wait``.
    """

    number: int
    strike: StrikeBeat
    wait: float = 0.0
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BallPart:
    """A dribble or an action with a ball.

    Attributes:
        number: index of the beat.
        beat: the beat.
        wait: time to stand after it, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; it replaces ``wait``.
    """

    number: int
    beat: DribbleBeat | BallBeat
    wait: float = 0.0
    until: float | None = None


Part = WalkPart | TaskPart | StrikePart | BallPart


def rounded_beat(beat: Beat) -> Beat:
    """Return a beat with its places rounded, so that moving something by a hair does not change the shot."""
    if isinstance(beat, TaskBeat):
        return replace(beat, task=rounded_task(beat.task))
    if isinstance(beat, DribbleBeat):
        return replace(beat, walk=replace(beat.walk, points=rounded_places(beat.walk.points)))
    if isinstance(beat, BallBeat):
        place, target = (None if one is None else rounded_places(one) for one in (beat.place, beat.target))
        return replace(beat, place=place, target=target)
    return replace(beat, points=rounded_places(beat.points)) if isinstance(beat, WalkBeat) else beat


def parts_of(beats: Sequence[Beat]) -> list[Part]:
    """Return the parts of a shot: consecutive walks share a path, and waits belong to the part before them."""
    runs: list[Part] = []
    for number, beat in enumerate(beats):
        start, end = _times(beat)
        if start is not None and (runs or not isinstance(beat, WalkBeat)):
            runs = _held_until(runs, start)
        last = runs[-1] if runs else None
        if isinstance(beat, TaskBeat):
            runs.append(TaskPart(number, beat.task, end))
        elif isinstance(beat, StrikeBeat):
            runs.append(StrikePart(number, beat))
        elif isinstance(beat, DribbleBeat | BallBeat):
            runs.append(BallPart(number, beat))
        elif isinstance(beat, WaitBeat):
            if last is None:
                runs.append(TaskPart(number, InteractionTask("idle", duration=beat.seconds), end))
            elif end is not None:
                runs = _held_until(runs, end)
            else:
                runs[-1] = _with_wait(last, beat.seconds)
        elif isinstance(last, WalkPart) and _goes_on(last, beat):
            runs[-1] = replace(last, walks=(*last.walks, (number, beat)), wait=beat.wait)
        else:
            runs.append(WalkPart(((number, beat),), beat.wait, leaves=0.0 if runs else start or 0.0))
    return runs


def _goes_on(part: WalkPart, beat: WalkBeat) -> bool:
    """Return whether a walk continues the path of a part without a stop, with at most one ball."""
    balls = {walk.ball for _, walk in part.walks} | {beat.ball}
    return part.wait == 0.0 and part.until is None and part.arrives is None and len(balls - {-1}) < 2


def _times(beat: Beat) -> tuple[float | None, float | None]:
    """Return the start and end that are set for a beat, seconds; a strike's own time is not among them."""
    return (None, None) if isinstance(beat, StrikeBeat) else (beat.time.start, beat.time.end)


def _held_until(runs: list[Part], time: float) -> list[Part]:
    """Return the parts with the last one staying until a time, seconds; without parts, return one that stands."""
    if not runs:
        return [TaskPart(BEFORE, InteractionTask("idle", duration=time), time)]
    return [*runs[:-1], replace(runs[-1], until=time)]


def _with_wait(part: Part, seconds: float) -> Part:
    """Return a part with a longer stay at its end."""
    if isinstance(part, TaskPart):
        return replace(part, task=replace(part.task, duration=part.task.duration + seconds))
    return replace(part, wait=part.wait + seconds)
