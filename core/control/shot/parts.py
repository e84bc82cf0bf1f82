"""The parts of a shot: beats that are made together, with the waits after them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ..interaction.task import InteractionTask
from .beats import (
    ActBeat,
    AnswerBeat,
    BallBeat,
    Beat,
    DanceBeat,
    DribbleBeat,
    FightBeat,
    MeetingBeat,
    PassBeat,
    StrikeBeat,
    TaskBeat,
    WaitBeat,
    WalkBeat,
)

BEFORE: Final = -1
"""Index that stands for a beat in parts that carry out none, such as an added walk."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkPart:
    """Consecutive walks on one path.

    Attributes:
        walks: the walks, each with its index among the beats.
        wait: time to stand at the end, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; if set, it replaces ``wait``.
        leaves: time at which the first walk of a shot begins, seconds; ``None`` if it is not set.
    """

    walks: tuple[tuple[int, WalkBeat], ...]
    wait: float = 0.0
    until: float | None = None
    leaves: float = 0.0

    @property
    def ball(self) -> int:
        """Index of the ball that the walks' path events are about; -1 for none."""
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
        task: the task, in meters at the controllers' scale.
        until: time at which the stay ends, seconds from the beginning of the shot; if set, it replaces the task's
            duration.
    """

    number: int
    task: InteractionTask
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ActPart:
    """A clip, with the wait after it.

    Attributes:
        number: index of the clip's beat.
        act: the clip's beat.
        wait: time to stand after the clip, seconds.
        until: time at which the clip or the standing ends, seconds from the beginning of the shot; if set, it replaces
            ``wait``.
    """

    number: int
    act: ActBeat
    wait: float = 0.0
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StrikePart:
    """A strike, with the wait after it.

    Attributes:
        number: index of the strike's beat.
        strike: the strike.
        wait: time to stand after the strike, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; if set, it replaces ``wait``.
    """

    number: int
    strike: StrikeBeat
    wait: float = 0.0
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AnswerPart:
    """A walk in answer to a partner's motion.

    Attributes:
        number: index of the answer's beat.
        answer: the answer's beat.
        wait: time to stay with the partner afterward, seconds.
        until: time at which the answer ends, seconds from the beginning of the shot; if set, it replaces its duration.
    """

    number: int
    answer: AnswerBeat
    wait: float = 0.0
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MeetingPart:
    """Consecutive fight beats with one partner, a dance, or a pass of a ball.

    Attributes:
        beats: the beats, each with its index among the beats of the shot.
        wait: time to stand afterward, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; if set, it replaces ``wait``.
    """

    beats: tuple[tuple[int, MeetingBeat], ...]
    wait: float = 0.0
    until: float | None = None

    @property
    def partner(self) -> str:
        """Name of the partner."""
        return self.beats[0][1].partner

    @property
    def kind(self) -> Literal["fight", "dance", "pass"]:
        """Kind of the meeting, common to both partners."""
        first = self.beats[0][1]
        return "fight" if isinstance(first, FightBeat) else "dance" if isinstance(first, DanceBeat) else "pass"

    def goes_on(self, beat: MeetingBeat) -> bool:
        """Return whether `beat`, the next one in the shot, belongs to the same fight."""
        stands = self.wait > 0.0 or self.until is not None
        return self.kind == "fight" and isinstance(beat, FightBeat) and beat.partner == self.partner and not stands


@dataclass(frozen=True, slots=True, eq=False)
class BallPart:
    """A dribble or an action with a ball.

    Attributes:
        number: index of the beat.
        beat: the beat.
        wait: time to stand after it, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; if set, it replaces ``wait``.
    """

    number: int
    beat: DribbleBeat | BallBeat
    wait: float = 0.0
    until: float | None = None

    @property
    def ball(self) -> int:
        """Index of the ball among the shot's balls."""
        return self.beat.walk.ball if isinstance(self.beat, DribbleBeat) else self.beat.ball


Part = WalkPart | TaskPart | ActPart | StrikePart | AnswerPart | MeetingPart | BallPart


def parts_of(beats: Sequence[Beat]) -> list[Part]:
    """Return the parts of a shot: each wait belongs to the part before it, and consecutive walks share a path."""
    runs: list[Part] = []
    for number, beat in enumerate(beats):
        start, end = _times(beat)
        if start is not None and (runs or not isinstance(beat, WalkBeat)):
            runs = _held_until(runs, start)
        last = runs[-1] if runs else None
        if isinstance(beat, TaskBeat):
            runs.append(TaskPart(number, beat.task, end))
        elif isinstance(beat, ActBeat):
            runs.append(ActPart(number, beat, until=end))
        elif isinstance(beat, StrikeBeat):
            runs.append(StrikePart(number, beat))
        elif isinstance(beat, AnswerBeat):
            runs.append(AnswerPart(number, beat, until=end))
        elif isinstance(beat, FightBeat | DanceBeat | PassBeat):
            runs = _with_meeting(runs, number, beat)
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
    """Return the start and end that are set for a beat, seconds, but not the time of a hit."""
    return (None, None) if isinstance(beat, StrikeBeat | FightBeat) else (beat.time.start, beat.time.end)


def _with_meeting(runs: list[Part], number: int, beat: MeetingBeat) -> list[Part]:
    """Return the parts with a beat of two partners, which continues a fight if there is one."""
    last = runs[-1] if runs else None
    if isinstance(last, MeetingPart) and last.goes_on(beat):
        return [*runs[:-1], replace(last, beats=(*last.beats, (number, beat)))]
    return [*runs, MeetingPart(((number, beat),))]


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
