"""Pairing of a cast's beats before the roll-out: the beats of two shots that form one meeting, and its place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import FootfallError
from ...message import Message
from ...motion.rotations import Array, length
from .activity import Stage
from .beats import DanceBeat, DribbleBeat, MeetingBeat
from .parts import ActPart, AnswerPart, BallPart, MeetingPart, Part, StrikePart, TaskPart, WalkPart, parts_of


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The beats of two characters that form one meeting.

    Attributes:
        names: names of both characters, in the order of the cast.
        parts: the meeting as a part of each character's shot.
        origins: (2) position from which each character comes, meters, world.
    """

    names: tuple[str, str]
    parts: tuple[MeetingPart, MeetingPart]
    origins: tuple[Array, Array]

    @property
    def middle(self) -> Array:
        """Midpoint (2) of both characters at the beginning, meters, world.

        The start of a dance's path, else the place of the first beat that has one, else the midpoint of ``origins``.
        """
        given = next((beat.place for beat in self.beats if beat.place is not None), None)
        return np.mean(self.origins, axis=0) if given is None else np.asarray(given, dtype=float)[:2]

    @property
    def path(self) -> Array | None:
        """Path (N, 2) of the midpoint of a dance, meters, world; ``None`` for any other meeting."""
        dances = (beat for beat in self.beats if isinstance(beat, DanceBeat))
        return next((np.asarray(beat.path)[:, :2] for beat in dances if beat.path is not None), None)

    @property
    def end(self) -> Array:
        """Midpoint (2) of both characters at the end, meters, world."""
        return self.middle if self.path is None else self.path[-1]

    @property
    def beats(self) -> list[MeetingBeat]:
        """All beats of both characters."""
        return [beat for part in self.parts for _, beat in part.beats]


def pairings_of(stages: Mapping[str, Stage], recorded: Mapping[str, Array]) -> list[Pairing]:
    """Return all meetings of a cast.

    Args:
        stages: the stage of each character's shot by name.
        recorded: (2) last place of each partner without beats, meters, world, by name.

    Raises:
        FootfallError: a beat has no partner, the partner's shot lacks the beat, or partners wait for each other.
    """
    runs: dict[str, list[Part]] = {name: parts_of(stage.request.beats) for name, stage in stages.items()}
    runs |= {name: [] for name in recorded}
    for name, parts in runs.items():
        for part in parts:
            _require_partner(name, part, runs)
    places = {name: stage.request.position[:2] for name, stage in stages.items()}
    order = _Order(runs, {**places, **recorded})
    while any(order.advance(name, stages[name]) for name in stages):
        pass
    stuck = next((name for name in stages if order.now(name) is not None), None)
    if stuck is not None:
        raise _why_stuck(stuck, order)
    return order.found


class _Order:
    """The order of all parts of a cast: each character's next part, and its position before it.

    Args:
        runs: parts of each character's shot by name.
        places: (2) first place of each character by name, meters, world.
    """

    def __init__(self, runs: Mapping[str, Sequence[Part]], places: Mapping[str, Array]) -> None:
        self.runs = runs
        self.places = dict(places)
        self.done = dict.fromkeys(runs, 0)
        self.found: list[Pairing] = []

    def now(self, name: str) -> Part | None:
        """Return the next part of the character called `name`; ``None`` at the end of its shot."""
        parts, number = self.runs[name], self.done[name]
        return parts[number] if number < len(parts) else None

    def advance(self, name: str, stage: Stage) -> bool:
        """Pass over the next part of a character's shot; return whether that was possible.

        A meeting or an answer is possible only once the partner has come to it, too.
        """
        part = self.now(name)
        if part is None:
            return False
        if isinstance(part, MeetingPart):
            return self._meet(name, part)
        if isinstance(part, AnswerPart):
            partner = part.answer.partner
            if self.now(partner) is not None and not self._waits_for(partner, name):
                return False
            self.places[name] = _beside(self.places[partner], self.places[name], part.answer.distance)
        else:
            self.places[name] = _end_of(part, stage, self.places[name])
        self.done[name] += 1
        return True

    def _waits_for(self, name: str, other: str) -> bool:
        """Return whether the next part of a character is a meeting with another one."""
        part = self.now(name)
        return isinstance(part, MeetingPart) and part.partner == other

    def _meet(self, name: str, part: MeetingPart) -> bool:
        """Add the meeting if the partner's next part is the same meeting, and return whether it is."""
        other = self.now(part.partner)
        if not isinstance(other, MeetingPart) or other.partner != name or other.kind != part.kind:
            return False
        both = {name: part, part.partner: other}
        first, second = (one for one in self.runs if one in both)
        pairing = Pairing((first, second), (both[first], both[second]), (self.places[first], self.places[second]))
        self.found.append(pairing)
        for one in both:
            self.places[one] = pairing.end
            self.done[one] += 1
        return True


def _beside(place: Array, origin: Array, distance: float) -> Array:
    """Return the point (2) at a distance, meters, from another point toward a third."""
    way = origin - place
    return place + distance / max(float(length(way)), 1e-6) * way


def _partner_of(part: Part | None) -> str | None:
    """Return the name of the partner that a part needs; ``None`` if it needs none."""
    if isinstance(part, AnswerPart):
        return part.answer.partner
    return part.partner if isinstance(part, MeetingPart) else None


def _number_of(part: Part | None) -> int:
    """Return the number, from 1, of a part's first beat that has a partner."""
    if isinstance(part, AnswerPart):
        return part.number + 1
    assert isinstance(part, MeetingPart)
    return part.beats[0][0] + 1


def _require_partner(name: str, part: Part, runs: Mapping[str, Sequence[Part]]) -> None:
    """Raise :class:`FootfallError` unless a part's partner is another character, with the same meeting in its shot."""
    partner = _partner_of(part)
    if partner is None:
        return
    number = _number_of(part)
    if not partner:
        raise FootfallError("Beat {number} of '{name}' has no partner: choose one", number=number, name=name)
    if partner == name:
        raise FootfallError(
            "In beat {number}, '{name}' is chosen as its own partner: choose another character",
            number=number,
            name=name,
        )
    if partner not in runs:
        raise FootfallError(
            "The partner in beat {number} of '{name}', '{partner}', has no beats: add beats to that character, "
            "or choose another partner",
            number=number,
            name=name,
            partner=partner,
        )
    if isinstance(part, MeetingPart) and not any(_is_same(part, name, one) for one in runs[partner]):
        raise FootfallError(
            "Beat {number} of '{name}' is a fight, and the shot of '{partner}' has no fight with '{name}': add one"
            if part.kind == "fight"
            else (
                "Beat {number} of '{name}' is a dance, and the shot of '{partner}' has no dance with '{name}': add one"
                if part.kind == "dance"
                else "Beat {number} of '{name}' is a pass, and the shot of '{partner}' has no pass with '{name}': "
                "add one"
            ),
            number=number,
            name=name,
            partner=partner,
        )


def _is_same(part: MeetingPart, name: str, other: Part) -> bool:
    """Return whether a part of a partner's shot is the same kind of meeting with a character."""
    return isinstance(other, MeetingPart) and other.partner == name and other.kind == part.kind


def _why_stuck(name: str, order: _Order) -> FootfallError:
    """Return the error about characters that wait for each other, one of which waits for another in turn."""
    chain = [name]
    while (partner := _partner_of(order.now(chain[-1]))) is not None and partner not in chain:
        chain.append(partner)
    if partner is None:  # The last of them is at the end of its shot.
        one, other = chain[-2:]
        return FootfallError(
            "In beat {number}, '{name}' meets '{partner}', but '{partner}' has no matching beat: remove the "
            "beat, or add one to '{partner}'",
            name=one,
            partner=other,
            number=_number_of(order.now(one)),
        )
    circle = chain[chain.index(partner) :]
    return FootfallError(
        "These characters wait for each other, so none can go on: {waiting}. Change the order of their beats",
        waiting=Message.joined(", ", _waiting(circle, order)),
    )


def _waiting(circle: Sequence[str], order: _Order) -> Iterator[Message]:
    """Yield the beat in which each character waits."""
    for name in circle:
        yield Message("'{name}' in beat {number}", name=name, number=_number_of(order.now(name)))


def _end_of(part: Part, stage: Stage, place: Array) -> Array:
    """Return the position (2), meters, world, at which a part ends, if it is known beforehand; else the start."""
    if isinstance(part, WalkPart):
        return np.asarray(part.walks[-1][1].points, dtype=float)[-1, :2] if part.walks else place
    if isinstance(part, ActPart):
        return place if part.act.place is None else part.act.place
    if isinstance(part, StrikePart):
        return np.asarray(part.strike.target, dtype=float)[:2]
    if isinstance(part, BallPart):
        return _end_with_ball(part, stage, place)
    if isinstance(part, TaskPart):
        task = part.task
        if task.position is not None:
            return stage.scale * task.position[:2]
        if task.object_index >= 0:
            return stage.scale * stage.request.objects[task.object_index].position[:2]
    return place


def _end_with_ball(part: BallPart, stage: Stage, place: Array) -> Array:
    """Return the position (2), meters, world, at which a dribble or a ball action ends; by default the start."""
    beat = part.beat
    if isinstance(beat, DribbleBeat):
        return np.asarray(beat.walk.points, dtype=float)[-1, :2]
    if beat.action == "pick_up" and 0 <= beat.ball < len(stage.request.balls):
        lies = stage.request.balls[beat.ball].places
        return lies[-1, :2] if len(lies) else place
    return place if beat.place is None else beat.place[:2]
