"""Fights of two partners: both step into guard, attack and answer each other, and stand again."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.actions import ACTION_NAMES
from ...motion.rotations import IDENTITY
from ...tuning import Tuning, tuned
from ..duel import duel_staging
from ..duel.beats import Beat as DuelBeat
from ..duel.rig_duel import RigDuel, RigDuelist, RigWeapon, make_rig_duel
from ..runtime.controller_body import calibrate_controller
from ..strike.fight import Fighter
from ..strike.lifted_feet import above_ground
from ..strike.rig_fight import RigBody
from ..strike.strike_error import retimed
from .activity import Stage
from .beats import Attack, FightBeat
from .encounter import (
    READY_S,
    Arrival,
    Outcome,
    PairMotion,
    Script,
    Stand,
    facing_stands,
    require_limbs,
    stood_until,
)
from .pairing import Pairing


@dataclass(frozen=True, slots=True)
class FightingTuning(Tuning):
    """Tuned numbers of fights of two partners."""

    first: float = tuned(0.9, "s", 0.3, 3.0)
    """Time from reaching guard to the first hit."""
    between: float = tuned(1.1, "s", 0.4, 3.0)
    """Time between two hits for which no times are set."""


TUNING: Final = FightingTuning()


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """An attack of a fight.

    Attributes:
        frame: frame of the blow, from the beginning of the fight.
        side: 0 for an attack of the first character, 1 for one of the second.
        number: index of its beat in the shot of the character that attacks.
        attack: the attack.
    """

    frame: int
    side: int
    number: int
    attack: Attack


class FightScript(Script[PairMotion]):
    """The content of a fight of two partners."""

    def planned_stands(self) -> tuple[Stand, Stand]:
        """Return the position and facing of each fighter at the beginning, at guard distance about the midpoint."""
        pairing, scale = self.pairing, float(np.mean([stage.scale for stage in self.stages]))
        way = pairing.origins[1] - pairing.origins[0]
        return facing_stands(pairing.middle, way, scale * duel_staging.TUNING.guard_distance)

    def require(self) -> None:
        """Raise :class:`FootfallError` if the fight is impossible wherever the fighters stand."""
        if any(one.strikes is None for one in self.stages):
            raise FootfallError("No controller for attacks is chosen: choose one")
        require_limbs(self.pairing.names, self.stages)
        if not any(beat.attack for part in self.pairing.parts for beat in _beats(part.beats)):
            raise FootfallError(
                "The fight of '{name}' and '{partner}' has no attack: give one of them an attack",
                name=self.pairing.names[0],
                partner=self.pairing.names[1],
            )

    def perform(self, frame: int, arrivals: tuple[Arrival, Arrival]) -> Generator[float, None, PairMotion]:
        """Make the fight from a frame of the shot; yield the finished share of work, 0 to 1."""
        stands = yield from stood_until(frame, arrivals)
        first, names = self.stages[0], self.pairing.names
        assert first.strikes is not None
        rate, turns = first.walks.rate, list(self._turns(frame))
        duelists = [
            RigDuelist(name, self._body(stage), stand.place, self._weapon(side))
            for side, (name, stage, stand) in enumerate(zip(names, self.stages, stands, strict=True))
        ]
        beats = [self._beat(turn) for turn in turns]
        fighter, ready = Fighter(first.strikes, first.walks), round(READY_S * rate)
        try:
            duel = yield from make_rig_duel(fighter, duelists, beats, ready)
        except FootfallError as error:
            told = retimed(str(error), frame)
            raise FootfallError(told.template, **told.fields) from error
        outcomes = self._first_outcomes(duel)
        strikes = [duel.labels[name].actions[:, ACTION_NAMES.index("strike")] > 0.5 for name in names]
        for turn, distance in zip(sorted(turns, key=lambda one: one.frame), duel.distances, strict=True):
            rests = np.flatnonzero(~strikes[turn.side][: turn.frame])
            begins = int(rests[-1]) + 1 if len(rests) else 0
            miss = None if turn.attack.answer == "dodge" else abs(distance)
            outcomes[turn.side][turn.number] = Outcome(begins, turn.frame, miss, duel.blades.get(names[turn.side]))
        clips = [  # a kick lowered to its target sinks on its way back
            above_ground(duel.clips[name], 0.0).transformed(IDENTITY, np.array([0.0, 0.0, -stage.request.rise]))
            for name, stage in zip(names, self.stages, strict=True)
        ]
        return PairMotion(
            (clips[0], clips[1]), (duel.labels[names[0]], duel.labels[names[1]]), (outcomes[0], outcomes[1])
        )

    def _body(self, stage: Stage) -> RigBody:
        """Return the body of a character, over the ground z = 0."""
        calibration = stage.request.target or calibrate_controller(stage.walks, stage.walks.skeleton)
        return RigBody(calibration, stage.request.rise, 0.0)

    def _beat(self, turn: _Turn) -> DuelBeat:
        """Return an attack as a beat of a duel."""
        names, attack = self.pairing.names, turn.attack
        striker, receiver = names[turn.side], names[1 - turn.side]
        return DuelBeat(turn.frame, striker, receiver, attack.part, attack.effector, attack.side, attack.answer)

    def _weapon(self, side: int) -> RigWeapon | None:
        """Return the weapon that a character holds in the whole fight: that of its first beat with one."""
        beats = _beats(self.pairing.parts[side].beats)
        return next((beat.weapon for beat in beats if beat.weapon is not None), None)

    def _first_outcomes(self, duel: RigDuel) -> list[dict[int, Outcome]]:
        """Return the initial outcome of each beat of both, before its attack is made."""
        return [
            {number: Outcome(0, blade=duel.blades.get(name)) for number, _ in part.beats}
            for name, part in zip(self.pairing.names, self.pairing.parts, strict=True)
        ]

    def _turns(self, start: int) -> Iterator[_Turn]:
        """Yield the attacks of both in order of time; those without set times alternate, the first of the cast first.

        Args:
            start: frame of the shot at which the fight begins.
        """
        rate, frame = self.stages[0].walks.rate, None
        for side, number, beat in _in_turn(self.pairing):
            if beat.attack is None:
                continue
            if beat.time is not None:
                frame = round(beat.time * rate) - start
            elif frame is None:
                frame = round((READY_S + TUNING.first) * rate)
            else:
                frame += round(TUNING.between * rate)
            yield _Turn(frame, side, number, beat.attack)


def _beats(numbered: tuple[tuple[int, object], ...]) -> Iterator[FightBeat]:
    """Yield the fight beats of a part."""
    return (beat for _, beat in numbered if isinstance(beat, FightBeat))


def _in_turn(pairing: Pairing) -> Iterator[tuple[int, int, FightBeat]]:
    """Yield side, number and beat of the beats of both, in turn."""
    parts = [[(number, beat) for number, beat in part.beats if isinstance(beat, FightBeat)] for part in pairing.parts]
    for at in range(max(map(len, parts))):
        for side, part in enumerate(parts):
            if at < len(part):
                yield side, *part[at]
