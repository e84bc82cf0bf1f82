"""The beats of a shot: a character's activities in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from ...motion.rotations import Array
from ..interaction.place_rounding import rounded_places, rounded_task
from ..interaction.task import InteractionTask
from ..path.path_events import Cues


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
        direction: (2) unit vector that the character faces while it stays at the end, world; ``None`` for that of the
            walk.
        wait: time for which the character stays at the end, seconds.
    """

    points: Array
    speed: float = 1.2
    style: str = ""
    time: BeatTime = FREE
    cues: Cues = field(default_factory=Cues)
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
class AnswerBeat:
    """A walk that follows a partner on its trail, or stays in front of it, face to face.

    It lasts until the partner's shot ends, or until the partner waits for this character.

    Attributes:
        partner: name of the partner.
        kind: relation to the partner.
        distance: distance to keep, meters.
        seconds: duration, seconds, used unless an end is set; ``None`` for as long as the partner moves.
        time: its times.
    """

    partner: str
    kind: Literal["follow", "face"] = "follow"
    distance: float = 1.2
    seconds: float | None = None
    time: BeatTime = FREE


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack at a partner; see :class:`..duel.beats.Beat`.

    Attributes:
        effector: role of the end effector that strikes.
        part: role of the partner's struck bone.
        side: side from which the strike comes.
        answer: what the partner does.
    """

    effector: str = "hand.R"
    part: str = "head"
    side: str = "straight"
    answer: str = "hit"


@dataclass(frozen=True, slots=True, eq=False)
class FightBeat:
    """An attack in a fight with a partner; fight beats in a row with one partner are one fight.

    Attributes:
        partner: name of the partner, whose shot has a fight with this character as well.
        attack: the attack; ``None`` if the character only answers the partner's attacks.
        place: (2) middle between both characters, meters, world; by default between the places that they come from.
        time: time of the blow from the beginning of the shot, seconds; as early as possible if not given.
    """

    partner: str
    attack: Attack | None = None
    place: Array | None = None
    time: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DanceBeat:
    """A dance with a partner.

    Attributes:
        partner: name of the partner, whose shot has a dance with this character as well.
        seconds: duration, seconds, used unless an end is set.
        place: (2) middle between both characters, meters, world; by default between the places that they come from.
        leads: whether the character leads; if both or neither of them do, the first of the cast leads.
        time: its times.
    """

    partner: str
    seconds: float = 10.0
    place: Array | None = None
    leads: bool = False
    time: BeatTime = FREE


MeetingBeat = FightBeat | DanceBeat
"""A beat that stands in the shots of both partners and begins for both at one frame and place."""
PartnerBeat = AnswerBeat | MeetingBeat
Beat = WalkBeat | TaskBeat | WaitBeat | StrikeBeat | PartnerBeat


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
class AnswerPart:
    """A walk in answer to a partner's motion.

    Attributes:
        number: index of its beat.
        answer: the beat.
        wait: time to stay with the partner afterward, seconds.
        until: time at which it ends, seconds from the beginning of the shot; it replaces the beat's duration.
    """

    number: int
    answer: AnswerBeat
    wait: float = 0.0
    until: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MeetingPart:
    """Consecutive fight beats with one partner, or a dance.

    Attributes:
        beats: the beats, each with its index among the beats of the shot.
        wait: time to stand afterward, seconds.
        until: time at which the standing ends, seconds from the beginning of the shot; it replaces ``wait``.
    """

    beats: tuple[tuple[int, MeetingBeat], ...]
    wait: float = 0.0
    until: float | None = None

    @property
    def partner(self) -> str:
        """Name of the partner."""
        return self.beats[0][1].partner

    @property
    def is_fight(self) -> bool:
        """True for a fight, false for a dance."""
        return isinstance(self.beats[0][1], FightBeat)

    def goes_on(self, beat: MeetingBeat) -> bool:
        """Return whether a beat right after it belongs to the same fight."""
        stands = self.wait > 0.0 or self.until is not None
        return self.is_fight and isinstance(beat, FightBeat) and beat.partner == self.partner and not stands


Part = WalkPart | TaskPart | StrikePart | AnswerPart | MeetingPart


def rounded_beat(beat: Beat) -> Beat:
    """Return a beat with its places rounded, so that moving something by a hair does not change the shot."""
    if isinstance(beat, TaskBeat):
        return replace(beat, task=rounded_task(beat.task))
    if isinstance(beat, FightBeat | DanceBeat) and beat.place is not None:
        return replace(beat, place=rounded_places(beat.place))
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
        elif isinstance(beat, AnswerBeat):
            runs.append(AnswerPart(number, beat, until=end))
        elif isinstance(beat, FightBeat | DanceBeat):
            runs = _with_meeting(runs, number, beat)
        elif isinstance(beat, WaitBeat):
            if last is None:
                runs.append(TaskPart(number, InteractionTask("idle", duration=beat.seconds), end))
            elif end is not None:
                runs = _held_until(runs, end)
            else:
                runs[-1] = _with_wait(last, beat.seconds)
        elif isinstance(last, WalkPart) and last.wait == 0.0 and last.until is None and last.arrives is None:
            runs[-1] = replace(last, walks=(*last.walks, (number, beat)), wait=beat.wait)
        else:
            runs.append(WalkPart(((number, beat),), beat.wait, leaves=0.0 if runs else start or 0.0))
    return runs


def _times(beat: Beat) -> tuple[float | None, float | None]:
    """Return the start and end that are set for a beat, seconds; the time of a blow is not among them."""
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
