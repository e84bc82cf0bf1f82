"""Encounters of two partners: both arrive and wait for each other; then their joint motion is made, once for both."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import numpy as np

from ...errors import FootfallError
from ...labelling import Labels
from ...motion import Clip
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, length
from ...rig.rig_map.roles import role_phrase
from ...tuning import Tuning, tuned
from ..runtime.body_state import BodyState
from ..strike import guard_steps
from .activity import STEP_FRAMES, Situation, Stage
from .company import Company
from .memo import Peer
from .pairing import Pairing
from .passing import Known
from .standing import Standing


@dataclass(frozen=True, slots=True)
class MeetingTuning(Tuning):
    """Tuned numbers of meetings of two partners."""

    stop: float = tuned(0.8, "s", 0.0, 3.0)
    """Time in which a moving body comes to rest before the meeting begins."""
    still: float = tuned(0.2, "s", 0.05, 3.0)
    """Shortest time that a body that is at rest already stands before the meeting begins."""
    moving_speed: float = tuned(0.1, "m/s", 0.0, 1.0)
    """Speed from which an arriving body counts as moving."""
    near: float = tuned(0.3, "m", 0.05, 1.0)
    """Distance from its position in the meeting up to which a character does not walk there."""
    beside: float = tuned(np.radians(60.0), "rad", 0.0, np.pi)
    """Angle between facing and partner up to which a character does not turn before the meeting."""
    level: float = tuned(0.02, "m", 0.0, 0.2)
    """Largest difference between the ground heights below both characters."""


MEETING: Final = MeetingTuning()
Joint = TypeVar("Joint")
"""Type of the joint motion of two partners."""
LIMB_ROLES: Final = tuple(
    f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
)
"""Body roles that a skeleton must have to fight or to dance."""
READY_S: Final = guard_steps.TUNING.transition
"""Duration of the transition from standing into the joint motion, and of that back, seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The outcome of one beat of a fight or dance; frames count from the start of the joint motion.

    Attributes:
        first: first frame of the beat.
        blow: frame at which the beat's attack lands; ``None`` without an attack.
        miss: distance between the striking end effector and its target at that frame, meters; ``None`` without a
            target.
        blade: (3) vector of the held weapon from the end of the hand's bone to the tip, in the hand joint's frame,
            meters.
    """

    first: int
    blow: int | None = None
    miss: float | None = None
    blade: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairMotion:
    """The joint motion of two partners in a fight or dance, over flat ground at z = 0.

    Attributes:
        clips: motion of each partner's own body, world, not yet raised onto its own soles; equally long.
        labels: labels of each partner's frames.
        outcomes: for each partner, the outcome of each beat by its index in the partner's shot.
    """

    clips: tuple[Clip, Clip]
    labels: tuple[Labels, Labels]
    outcomes: tuple[Mapping[int, Outcome], Mapping[int, Outcome]]


@dataclass(frozen=True, slots=True, eq=False)
class Stand:
    """Position and facing of a standing character.

    Attributes:
        place: (2) root position, meters, world.
        yaw: facing, radians.
    """

    place: Array
    yaw: float


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A character that has arrived at a meeting.

    Attributes:
        stage: controllers and request of the character's shot.
        situation: the situation at the character's arrival.
        key: checksum of the character's shot up to the arrival.
    """

    stage: Stage
    situation: Situation
    key: bytes

    @property
    def ready(self) -> int:
        """Frame of the shot at which the character has come to rest after its arrival."""
        state = self.situation.state
        moves = state is not None and float(length(state.velocity)) > MEETING.moving_speed
        return self.situation.frame + round((MEETING.stop if moves else MEETING.still) * self.stage.walks.rate)

    def standing(self, frames: int) -> Standing:
        """Return the body that stands from the character's arrival on, for a number of frames."""
        situation, stage = self.situation, self.stage
        return standing_of(stage, *root_of(situation, stage), float(situation.place[2]), frames, situation.state)


@dataclass(frozen=True, eq=False)
class Script(ABC, Generic[Joint]):
    """The content of a meeting: a fight, a dance or a pass of a ball.

    Attributes:
        stages: the stage of each partner's shot.
        pairing: both characters and their parts.
    """

    stages: tuple[Stage, Stage]
    pairing: Pairing

    @cached_property
    def stands(self) -> tuple[Stand, Stand]:
        """Position and facing of each partner at the beginning, as planned."""
        return self.planned_stands()

    @abstractmethod
    def planned_stands(self) -> tuple[Stand, Stand]:
        """Return the position and facing of each partner at the beginning."""

    @abstractmethod
    def require(self) -> None:
        """Raise :class:`~core.errors.FootfallError` if the meeting is impossible wherever the partners stand."""

    @abstractmethod
    def perform(self, frame: int, arrivals: tuple[Arrival, Arrival]) -> Generator[float, None, Joint]:
        """Make the joint motion of two characters that have arrived, from a frame of the shot; yield the share done.

        Raises:
            FootfallError: the meeting is impossible.
        """


def stood_until(frame: int, arrivals: tuple[Arrival, Arrival]) -> Generator[float, None, tuple[Stand, Stand]]:
    """Return where both characters stand at a frame of the shot, to which they stand from their arrivals on."""
    stands: list[Stand] = []
    for arrival in arrivals:
        frames = frame - arrival.situation.frame
        standing = arrival.standing(frames)
        while standing.frames_done < frames:
            standing.advance(min(STEP_FRAMES, frames - standing.frames_done))
            yield 0.0
        place, yaw = standing.root
        stands.append(Stand(arrival.stage.scale * place, yaw))
    return stands[0], stands[1]


class Encounter(Generic[Joint]):
    """A meeting in progress: the arrivals of two partners, and their joint motion, made once for both.

    Args:
        pairing: both characters and their parts.
        script: the content of the meeting.
        company: all characters of the cast.
    """

    def __init__(self, pairing: Pairing, script: Script[Joint], company: Company) -> None:
        self.pairing, self.script, self.company = pairing, script, company
        self._arrivals: dict[str, Arrival] = {}
        self._failure: FootfallError | None = None
        self._work: Generator[float, None, Joint] | None = None
        self._made: Joint | None = None

    def come(self, name: str, arrival: Arrival) -> Generator[int, None, None]:
        """Register a character's arrival, and wait until its partner has arrived.

        Raises:
            FootfallError: the partner cannot arrive.
        """
        self._arrivals[name] = arrival
        self.company.awaited[name] = self.partner_of(name)
        try:
            while len(self._arrivals) < len(self.pairing.names):
                yield from self.company.wait(name, self.partner_of(name))
                self._require_open()
        finally:
            del self.company.awaited[name]
        self._require_open()

    def partner_of(self, name: str) -> str:
        """Return the name of the partner of the character called `name`."""
        first, second = self.pairing.names
        return second if name == first else first

    def fail(self, error: FootfallError) -> None:
        """Cancel the meeting for both partners with an error; an error that came first stays."""
        self._failure = self._failure or error

    def _require_open(self) -> None:
        if self._failure is not None:
            raise self._failure

    @property
    def start(self) -> int:
        """Frame of the shot at which both partners stand ready, and the joint motion begins."""
        return max(one.ready for one in self._arrivals.values())

    @property
    def arrivals(self) -> tuple[Arrival, Arrival]:
        """Arrivals of both characters, in the order of the pairing."""
        first, second = (self._arrivals[name] for name in self.pairing.names)
        return first, second

    @property
    def inputs(self) -> object:
        """All inputs that determine the joint motion."""
        names, parts = self.pairing.names, self.pairing.parts
        return names, parts, self.start, [self._arrivals[name].key for name in names]

    def stood(self, name: str) -> Standing:
        """Return the body of the character called `name` that is to stand from its arrival until the start."""
        arrival = self._arrivals[name]
        return arrival.standing(self.start - arrival.situation.frame)

    def perform(self) -> Generator[int, None, Joint]:
        """Make the joint motion in steps, which both partners' shots share, and return it; yield 1 after each step.

        Raises:
            FootfallError: the meeting is impossible, or the characters stand at different heights.
        """
        while self._made is None:
            self._require_open()
            self._work = self._work or self._perform()
            try:
                next(self._work)
            except StopIteration as done:
                self._made = done.value
            except FootfallError as error:
                self.fail(error)
                raise
            yield 1
        return self._made

    def _perform(self) -> Generator[float, None, Joint]:
        """Make the motion of both."""
        names = self.pairing.names
        levels = [float(one.situation.place[2]) for one in self.arrivals]
        if abs(levels[0] - levels[1]) > MEETING.level:
            raise FootfallError(
                "'{name}' stands {difference} cm higher or lower than '{other}': let them meet on level ground",
                name=names[0],
                other=names[1],
                difference=f"{100 * abs(levels[0] - levels[1]):.0f}",
            )
        return (yield from self.script.perform(self.start, self.arrivals))


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A character as a member of a cast.

    Attributes:
        name: name of the character; empty for a character without a cast.
        company: all characters of the cast.
        encounters: the character's meetings, by the index of each meeting's first beat in the character's shot.
        peers: data of the other characters on which this character's motion depends.
    """

    name: str = ""
    company: Company = field(default_factory=Company)
    encounters: dict[int, Encounter[Any]] = field(default_factory=dict)
    peers: tuple[Peer, ...] = ()

    @property
    def others(self) -> dict[str, Known]:
        """Motion so far of all other characters, by name."""
        return self.company.others(self.name)

    def let_others_go_on(self) -> Iterator[int]:
        """Yield once, so that the earlier characters of the cast advance and their motion is known."""
        if len(self.company.shots) > 1:
            yield 1

    def require_partner(self, partner: str) -> None:
        """Raise :class:`FootfallError` unless the partner is in the cast."""
        if partner not in self.company.shots:
            raise FootfallError(
                "The shots of '{name}' and this character depend on each other: bake them together", name=partner
            )


def require_limbs(names: tuple[str, str], stages: tuple[Stage, Stage]) -> None:
    """Raise :class:`~core.errors.FootfallError` unless both bodies have two legs and two hands."""
    for name, stage in zip(names, stages, strict=True):
        lacking = next((role for role in LIMB_ROLES if role not in stage.body.roles), None)
        if lacking is not None:
            raise FootfallError(
                "The rig of '{name}' has no bone for {body_part}: choose one in the panel Rig",
                name=name,
                body_part=role_phrase(lacking),
            )


def root_of(situation: Situation, stage: Stage) -> tuple[Array, float]:
    """Return a character's root (2), meters at the controllers' scale, and its yaw, radians, in a situation."""
    state = situation.state
    return (situation.place[:2] / stage.scale, situation.yaw) if state is None else (state.position, state.yaw)


def standing_of(
    stage: Stage, position: Array, yaw: float, level: float, frames: int, begin: BodyState | None = None
) -> Standing:
    """Return a body that stands for `frames` frames.

    Args:
        stage: stage of the body's shot.
        position: (2) root, meters at the controllers' scale.
        yaw: facing, radians.
        level: height of the ground, meters, world.
        frames: number of frames.
        begin: state of a moving body that first comes to rest; ``None`` for a body at rest.
    """
    place = np.append(position, level / stage.scale)
    return Standing(stage.walks, place, yaw, frames / stage.walks.rate, begin, stage.request.seed)


def facing_stands(middle: Array, way: Array, apart: float) -> tuple[Stand, Stand]:
    """Return the positions and facings of two characters that face each other.

    Args:
        middle: (2) midpoint of the characters, meters.
        way: (2) vector from the first to the second, of any length; if it is zero, +Y is used.
        apart: distance between the characters, meters.
    """
    far = float(length(way))
    ahead = way / far if far > 1e-3 else facing_direction(np.array(0.0))
    first, second = middle - apart / 2 * ahead, middle + apart / 2 * ahead
    return Stand(first, float(yaw_of(ahead))), Stand(second, float(yaw_of(-ahead)))
