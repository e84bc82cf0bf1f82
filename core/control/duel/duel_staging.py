"""Staging of a duel, beat by beat: approach, steps, guards, and a captured attack for each strike."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.root_frame import facing_direction, out_of_frame, yaw_of
from ...motion.rotations import Array, normalize, rotate, rotation_about_up, wrap_angle
from ...tuning import Tuning, tuned
from ..strike import exact_strike
from ..strike.fight import Fighter
from ..strike.strike_error import by_frames
from ..strike.strike_takes import StrikeTake
from . import timeline
from .beats import Beat, Duelist
from .body_contact import require_point, require_seen, struck_places
from .stance import Stance
from .timeline import Timeline
from .weapon import Weapon


@dataclass(frozen=True, slots=True)
class DuelStagingTuning(Tuning):
    guard_distance: float = tuned(1.1, "m", 0.5, 3.0)
    """Distance between two characters in their guards."""
    max_step: float = tuned(0.75, "m", 0.1, 2.0)
    """Longest single step toward the receiver; longer distances are walked."""
    turning: float = tuned(np.radians(30.0), "rad", 0.0, np.pi)
    """Smallest facing error that a guard corrects."""
    measure_share: float = tuned(0.6, "1", 0.0, 2.0)
    """Distance added to ``guard_distance``, as a share of the longer weapon's length."""
    parried: float = tuned(0.12, "m", 0.0, 1.0)
    """Distance in front of the body at which a hand parries."""
    crossed: float = tuned(0.5, "m", 0.0, 2.0)
    """Distance in front of the body at which a weapon parries."""
    parallel_cost: float = tuned(0.3, "m", 0.0, 5.0)
    """Cost of two weapons that meet parallel instead of crossed, in meters of mean joint distance from the guard."""
    dodge_step: float = tuned(0.3, "m", 0.0, 1.5)
    """Length of the step back before a dodged strike at the trunk or a leg."""
    recoil_step: float = tuned(0.3, "m", 0.0, 1.5)
    """Length of the step back after a kick that hits."""
    armed_recoil_step: float = tuned(0.6, "m", 0.0, 1.5)
    """Length of an armed striker's step back after a kick; with a shorter one, legs would pass through each other."""
    recoil: int = tuned(5, "frames", 0, 60)
    """Number of frames from a kick to the start of the step back."""
    step_cost: float = tuned(0.3, "1", 0.0, 5.0)
    """Cost per meter of a step before an attack, relative to a meter by which the attack's height is changed."""
    candidates: int = tuned(6, "1", 1, 100)
    """Number of captured attacks tried for a beat."""
    ending: int = tuned(60, "frames", 0, 600)
    """Number of frames after the last beat."""


TUNING: Final = DuelStagingTuning()


@dataclass(frozen=True, slots=True, eq=False)
class StagedStrike:
    """A beat with the captured strike that carries it out.

    Attributes:
        beat: the beat.
        blow: first, apex and last frame of the attack in the striker's motion.
        way: (3) unit direction of the strike.
        target: (3) target of the end effector at the beat's frame, meters, world.
        counter: the cut by which an armed receiver parries; ``None`` for other answers.
    """

    beat: Beat
    blow: Blow
    way: Array
    target: Array
    counter: "StagedStrike | None" = None


class Staging:
    """Motions of all characters, in which beats are staged one after the other.

    Args:
        fighter: the controllers that attack and walk.
        duelists: the characters.
        beats: the beats, in order of time.
        ready: number of frames in guard before the first beat's attack may begin.

    Attributes:
        strikes: strikes of the beats staged so far, in order of time.

    Raises:
        FootfallError: the point at which a beat aims is not at the surface of a body.
    """

    def __init__(
        self,
        fighter: Fighter,
        duelists: Sequence[Duelist],
        beats: Sequence[Beat],
        ready: int = 0,
    ) -> None:
        self._fighter = fighter
        self._beats, self._duelists = beats, {duelist.name: duelist for duelist in duelists}
        stances = {one.weapon: Stance.of(fighter, one.weapon) for one in duelists}
        self._stances = {one.name: stances[one.weapon] for one in duelists}
        for beat in beats:
            require_point(fighter.strikes.skeleton, beat)
        places = {duelist.name: duelist.start for duelist in duelists}
        self._lines = {
            name: Timeline(fighter.walks, self._stances[name].guard, place, self._first_yaw(name, places), ready)
            for name, place in places.items()
        }
        self.strikes: list[StagedStrike] = []

    def _first_yaw(self, name: str, places: dict[str, Array]) -> float:
        """Return the yaw, radians, at which a character faces its opponent in its first beat."""
        others = [
            beat.receiver if beat.striker == name else beat.striker
            for beat in self._beats
            if name in (beat.striker, beat.receiver)
        ]
        return float(yaw_of(places[others[0]] - places[name])) if others else 0.0

    def stage(self) -> Generator[float, None, dict[str, Clip]]:
        """Stage all beats; yield the finished share of the work, 0 to 1.

        Returns:
            The motion of each character by name, including its final walk; all are equally long.

        Raises:
            FootfallError: a beat cannot be staged; the message gives the error. Earlier beats are kept.
        """
        steps = len(self._beats) + 1
        for number, beat in enumerate(self._beats):
            for _ in self._place(beat):
                yield number / steps
            yield (number + 1) / steps
        for duelist in self._duelists.values():
            if duelist.end is not None:
                for _ in self._lines[duelist.name].walk_to(duelist.end, None):
                    yield (steps - 1) / steps
        last = max(beat.frame for beat in self._beats) + TUNING.ending
        frames = max(last, *(len(line.made) for line in self._lines.values()))
        for line in self._lines.values():
            line.extend(frames)
        return {name: line.made for name, line in self._lines.items()}

    @property
    def blades(self) -> dict[str, tuple[str, Array]]:
        """Hand and weapon of each armed character, by the character's name.

        The role of the upper hand, and the vector (3) from the end of its bone to the tip, in the hand's frame, meters.
        """
        return {name: (one.hand, one.blade) for name, one in self._stances.items() if one.hand}

    def _place(self, beat: Beat) -> Generator[int, None, None]:
        """Stage a beat: the approach, both guards, and the strike; yield the number of finished frames during walks."""
        striker, receiver = self._lines[beat.striker], self._lines[beat.receiver]
        away = float(yaw_of(striker.place - receiver.place))
        apart = self._guard_distance(beat)
        guard = receiver.place + apart * facing_direction(np.array(away))
        if np.linalg.norm(guard - striker.place) > TUNING.max_step:
            arrived = yield from striker.walk_to(guard, receiver.place)
            away = float(yaw_of(striker.place - receiver.place))
            known = self._stances[beat.striker].known(beat)
            _require_time(beat, arrived, min(striker.frames_needed(take) for take in known))
        step = round(timeline.TUNING.step * striker.made.rate)
        if abs(wrap_angle(receiver.yaw - away)) > TUNING.turning and receiver.busy + step <= beat.frame:
            receiver.step_to(receiver.place, away, max(receiver.busy, beat.frame - 3 * step))
        receiver.extend(beat.frame + timeline.TUNING.withdrawing)
        strike, take = self._choose(beat, away)
        if beat.answer == "parry" and self._weapon_of(beat) is not None:
            strike = replace(strike, counter=self._counter(strike, take, away))
        self._give_way(receiver, beat, strike.way[:2], away)
        guard = receiver.place + apart * facing_direction(np.array(away))
        striker.attack(take, strike.target, away + np.pi, beat.frame, guard)
        self.strikes.append(strike)

    def _weapon_of(self, beat: Beat) -> Weapon | None:
        """Return the weapon that strikes in a beat; ``None`` if it is struck without one."""
        return self._duelists[beat.striker].weapon_of(beat.effector)

    def _guard_distance(self, beat: Beat) -> float:
        """Return the distance, meters, between the two characters of a beat when both are in guard."""
        weapons = [self._duelists[name].weapon for name in (beat.striker, beat.receiver)]
        return TUNING.guard_distance + TUNING.measure_share * max(0.0 if one is None else one.length for one in weapons)

    def _give_way(self, receiver: Timeline, beat: Beat, way: Array, away: float) -> None:
        """Make a receiver step back before a strike that it dodges, or after a kick that hits it."""
        step, weapon = round(timeline.TUNING.step * receiver.made.rate), self._weapon_of(beat)
        if beat.answer == "dodge" and (weapon or beat.part != "head") and receiver.busy + step <= beat.frame:
            far = TUNING.dodge_step + (0.0 if weapon is None else TUNING.measure_share * weapon.length)
            receiver.step_to(receiver.place + far * way, away, beat.frame - step)
        if beat.answer == "hit" and beat.effector.startswith("foot") and receiver.busy <= beat.frame:
            far = TUNING.armed_recoil_step if self._duelists[beat.striker].weapon else TUNING.recoil_step
            receiver.step_to(receiver.place + far * way, away, beat.frame + TUNING.recoil)
        receiver.extend(beat.frame + timeline.TUNING.withdrawing)
        receiver.busy = max(receiver.busy, beat.frame + timeline.TUNING.withdrawing)

    def _choose(self, beat: Beat, away: float) -> tuple[StagedStrike, StrikeTake]:
        """Return the strike of a beat, and the captured attack that needs the least change to make it.

        Raises:
            FootfallError: there is too little time for the strike, or its target is out of reach.
        """
        stance, level = self._stances[beat.striker], np.append(facing_direction(np.array(away + np.pi)), 0.0)
        require_seen(self._lines[beat.receiver].made, beat, away)
        places = struck_places(self._lines[beat.receiver].made, beat.frame, beat, away)
        if beat.answer == "parry":
            places = places - (TUNING.parried if self._weapon_of(beat) is None else TUNING.crossed) * level
        return self._nearest(beat, stance, places, away + np.pi, lambda take: stance.takes[take])

    def _counter(self, strike: StagedStrike, take: StrikeTake, away: float) -> StagedStrike:
        """Make the receiver parry with its own weapon: add its cut at the striking weapon, and return the cut.

        Raises:
            FootfallError: there is too little time for the cut, or the weapon is out of reach.
        """
        beat, own = strike.beat, self._duelists[strike.beat.receiver].weapon
        assert own is not None
        other, stance = self._stances[beat.striker], self._stances[beat.receiver]
        place = strike.target + rotate(rotation_about_up(away + np.pi), other.tip(take))
        answer = replace(
            beat, striker=beat.receiver, receiver=beat.striker, effector=own.hand, side="straight", point=None
        )
        toward = normalize(other.tip(take)) * np.array([-1.0, -1.0, 1.0])  # They face each other.

        def cost(one: StrikeTake) -> float:
            return stance.takes[one] + TUNING.parallel_cost * abs(float(normalize(stance.tip(one)) @ toward))

        line = self._lines[beat.receiver]
        counter, cut = self._nearest(answer, stance, place[None], away, cost)
        line.attack(cut, counter.target, away, beat.frame, line.place)
        return counter

    def _nearest(
        self, beat: Beat, stance: Stance, places: Array, yaw: float, cost: Callable[[StrikeTake], float]
    ) -> tuple[StagedStrike, StrikeTake]:
        """Return the strike at one of several points, and the captured attack that needs the least change to make it.

        Args:
            beat: the beat.
            stance: stance of the striker.
            places: (N, 3) candidate struck places, meters, world.
            yaw: yaw of the strike's direction, radians.
            cost: function that returns the cost of choosing an attack, meters, to which the cost of changing it is
                added.
        """
        line, known, turn = self._lines[beat.striker], stance.known(beat), rotation_about_up(yaw)
        _require_time(beat, line.busy, min(line.frames_needed(take) for take in known))
        timely = [take for take in known if line.busy + line.frames_needed(take) <= beat.frame]
        aims: list[tuple[StrikeTake, Array]] = []
        for take in timely:
            targets = places - rotate(turn, stance.tip(take))
            aims.append((take, min(targets, key=lambda one: abs(float(one[2]) - take.height))))
        aims.sort(key=lambda aim: cost(aim[0]) + self._change(aim[0], aim[1], line, yaw))
        nearest, way = np.inf, np.append(facing_direction(np.array(yaw)), 0.0)
        for take, target in aims[: TUNING.candidates]:
            solved, miss = take.raised_to(target[2])
            if solved is not None:
                return StagedStrike(beat, _shifted(solved.blow, beat.frame), way, target), solved
            nearest = min(nearest, miss)
        if nearest > exact_strike.TUNING.max_miss:
            raise FootfallError(
                "The strike of {name} at frame {frame} falls {miss} cm short of its target: choose a target "
                "closer to the height of {effector}",
                name=beat.striker,
                frame=beat.frame,
                miss=f"{100 * nearest:.1f}",
                effector=beat.effector,
            )
        raise FootfallError(
            "The strike of {name} at frame {frame} reaches its target only with feet or joints out of place: "
            "strike another body part, or do not strike with {effector}",
            name=beat.striker,
            frame=beat.frame,
            effector=beat.effector,
        )

    @staticmethod
    def _change(take: StrikeTake, target: Array, line: Timeline, yaw: float) -> float:
        """Return the cost, meters, of changing an attack's height and of the step that leads to its start."""
        hips = take.clip.positions[0, take.clip.skeleton.joint("hips"), :2]
        begin = target[:2] + out_of_frame(hips, np.array(yaw))
        return abs(take.height - float(target[2])) + TUNING.step_cost * float(np.linalg.norm(begin - line.place))


def _shifted(blow: Blow, frame: int) -> Blow:
    """Return an attack shifted in time so that its apex is at a frame."""
    shift = frame - blow.apex
    return Blow(blow.effector, blow.start + shift, frame, blow.stop + shift)


def _require_time(beat: Beat, busy: int, needed: int) -> None:
    """Raise :class:`FootfallError` if a striker that is busy up to a frame has too few frames left before a beat."""
    missing = busy + needed - beat.frame
    if missing > 0:
        raise FootfallError(
            "The strike of {name} at frame {frame} comes {frames} too early after its previous action: move it to "
            "a later frame",
            name=beat.striker,
            frame=beat.frame,
            **by_frames(missing),
        )
