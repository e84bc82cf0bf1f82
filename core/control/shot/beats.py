"""The beats of a shot: a character's activities in order."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from ...motion.rotations import Array
from ..duel.rig_duel import RigWeapon
from ..interaction.place_rounding import rounded_places, rounded_task
from ..interaction.task import InteractionTask
from ..pair.choreography import DANCE_SPEED_M_S
from ..pair.relation_kinds import RelationKind
from ..path.path_events import RIM_RADIUS_M, Cues
from .act_clip import ActClip


@dataclass(frozen=True, slots=True)
class BeatTime:
    """The times set for a beat, seconds from the beginning of the shot; ``None`` for a time that is not set.

    Attributes:
        start: time at which the character leaves the place of the previous beat to begin this one.
        end: time at which a walk arrives, or a stay ends.
    """

    start: float | None = None
    end: float | None = None


FREE: Final = BeatTime()


@dataclass(frozen=True, slots=True, eq=False)
class WalkBeat:
    """A walk along a path, or straight to a destination.

    Attributes:
        points: (N, 2) path, meters, world; a single point is a destination.
        speed: commanded speed, m/s.
        style: a style of the controller; empty for plain walking and running.
        time: start and end set for the beat.
        cues: path events; arc lengths from the first point of the path, times from the beginning of the shot.
        ball: index of the ball of its path events among the shot's balls; -1 for none.
        direction: (2) unit vector that the character faces at the end, world; ``None`` for the walk's last direction.
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
    """An interaction task, with an object or at a position.

    Attributes:
        task: the task, in meters at the controllers' scale; its object is one of the shot's objects.
        time: times set for the beat.
    """

    task: InteractionTask
    time: BeatTime = FREE


@dataclass(frozen=True, slots=True)
class WaitBeat:
    """Standing, or staying at the place of the previous beat.

    Attributes:
        seconds: duration, seconds; ignored if ``time.end`` is set.
        time: start and end set for the beat.
    """

    seconds: float
    time: BeatTime = FREE


@dataclass(frozen=True, slots=True, eq=False)
class ActBeat:
    """A clip that the character plays with its whole body, beginning and ending in standing.

    Attributes:
        clip: the clip, on the body that moves.
        place: (2) place at which the clip begins, meters, world; ``None`` for the end of the previous beat.
        direction: (2) unit vector that the character faces as the clip begins there, world; ``None`` for the direction
            in which it arrives. Without a place, it keeps its direction.
        time: start and end set for the beat. At its end, the clip is cut, or the character stands until then.
    """

    clip: ActClip
    place: Array | None = None
    direction: Array | None = None
    time: BeatTime = FREE


@dataclass(frozen=True, slots=True, eq=False)
class StrikeBeat:
    """A strike at a place.

    Attributes:
        target: (3) place that is struck, meters, world.
        effector: role of the end effector, one of ``features.strikes.EFFECTORS``.
        time: time of the blow from the beginning of the shot, seconds; as early as possible if not given.
        tip: (3) point that meets the target, in the frame of the end effector's joint, meters; the joint by default.
        both_hands: whether both hands hold the weapon that strikes.
    """

    target: Array
    effector: str = "hand.R"
    time: float | None = None
    tip: Array = field(default_factory=lambda: np.zeros(3))
    both_hands: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AnswerBeat:
    """A walk that answers a partner's motion, as one of ``pair.relation_kinds.RELATIONS``.

    It lasts until the partner's shot ends, or until the partner waits for this character.

    Attributes:
        partner: name of the partner.
        kind: relation to the partner.
        distance: distance to keep, meters.
        seconds: duration, seconds, used unless ``time.end`` is set; ``None`` for as long as the partner moves.
        time: start and end set for the beat.
        speed: speed of circling, m/s; negative values circle to the right about the partner.
        goal: (2) place that the character defends, meters, world; ``None`` for other relations.
    """

    partner: str
    kind: RelationKind = "follow"
    distance: float = 1.2
    seconds: float | None = None
    time: BeatTime = FREE
    speed: float = 0.6
    goal: Array | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack on a partner; its values are those of :class:`..duel.beats.Beat`.

    Attributes:
        effector: role of the end effector that strikes.
        part: role of the partner's struck bone.
        side: side from which the strike comes, such as ``"straight"``.
        answer: the partner's reaction, such as ``"hit"``.
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
        place: (2) midpoint of both characters, meters, world; by default the midpoint of the places that they come
            from.
        time: time of the blow from the beginning of the shot, seconds; as early as possible if not given.
        weapon: weapon that both hands hold in the whole fight.
    """

    partner: str
    attack: Attack | None = None
    place: Array | None = None
    time: float | None = None
    weapon: RigWeapon | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DanceBeat:
    """A dance with a partner.

    Attributes:
        partner: name of the partner, whose shot has a dance with this character as well.
        seconds: duration, seconds, used unless ``time.end`` or ``path`` is set.
        place: (2) midpoint of both characters, meters, world; by default the midpoint of the places that they come
            from.
        leads: whether the character leads; if both partners lead or none does, the first of the cast leads.
        time: start and end set for the beat.
        path: (N, 2) path of the midpoint of both, meters, world; its start replaces ``place``, its length over
            ``speed`` the duration.
        speed: speed of the midpoint along the path, m/s.
    """

    partner: str
    seconds: float = 10.0
    place: Array | None = None
    leads: bool = False
    time: BeatTime = FREE
    path: Array | None = None
    speed: float = DANCE_SPEED_M_S


@dataclass(frozen=True, slots=True, eq=False)
class PassBeat:
    """A pass of a ball between two standing characters; from then on, the ball is the partner's that catches it.

    Attributes:
        partner: name of the partner, whose shot has a pass with this character as well.
        ball: index of the thrown ball among the shot's balls; -1 for the character that catches it.
        place: (2) midpoint of both characters, meters, world; by default the midpoint of the places that they come
            from.
        distance: distance between both characters, meters; that of the character that throws applies.
        time: times set for the beat; the end is the moment at which the ball leaves the hands.
    """

    partner: str
    ball: int = -1
    place: Array | None = None
    distance: float = 3.5
    time: BeatTime = FREE


MeetingBeat = FightBeat | DanceBeat | PassBeat
"""A beat in the shots of two partners that begins for both at the same frame and place."""
PartnerBeat = AnswerBeat | MeetingBeat


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
        """Start and end set for the beat."""
        return self.walk.time


@dataclass(frozen=True, slots=True, eq=False)
class BallBeat:
    """An action with a ball that the character performs standing.

    Attributes:
        action: the ball action: to pick the ball up, put it down, or shoot it.
        ball: index of the ball among the shot's balls.
        place: (2) place at which the ball is put down or from which it is shot, meters, world; ``None`` for the
            character's place. A ball is always picked up where it lies.
        target: (3) center of the rim, or other point, at which the ball is shot, meters, world.
        rim_radius: inner radius of the hoop's rim, meters.
        time: times set for the beat; the end is the moment at which the ball reaches or leaves the hands.
    """

    action: Literal["pick_up", "put_down", "shoot"]
    ball: int
    place: Array | None = None
    target: Array | None = None
    rim_radius: float = RIM_RADIUS_M
    time: BeatTime = FREE


Beat = WalkBeat | TaskBeat | WaitBeat | ActBeat | StrikeBeat | PartnerBeat | DribbleBeat | BallBeat


def rounded_beat(beat: Beat) -> Beat:
    """Return a beat with its positions rounded, so that numerical noise does not change the shot's checksum."""
    if isinstance(beat, TaskBeat):
        return replace(beat, task=rounded_task(beat.task))
    if isinstance(beat, DanceBeat) and beat.path is not None:
        beat = replace(beat, path=rounded_places(beat.path))
    if isinstance(beat, MeetingBeat | ActBeat) and beat.place is not None:
        return replace(beat, place=rounded_places(beat.place))
    if isinstance(beat, DribbleBeat):
        return replace(beat, walk=replace(beat.walk, points=rounded_places(beat.walk.points)))
    if isinstance(beat, BallBeat):
        place, target = (None if one is None else rounded_places(one) for one in (beat.place, beat.target))
        return replace(beat, place=place, target=target)
    return replace(beat, points=rounded_places(beat.points)) if isinstance(beat, WalkBeat) else beat
