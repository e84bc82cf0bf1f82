"""Staging of a duel, beat by beat: approach, steps, guards, and the captured attack of each strike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.root_frame import facing_direction, out_of_frame, yaw_of
from ...motion.rotations import Array, wrap_angle
from .beats import Beat, Duelist
from .body_contact import require_point, require_seen, struck_places
from .exact_strike import MAX_MISS_M
from .fight import Fighter
from .guard import guard_distance, guard_pose
from .strike_takes import StrikeTake, captured_takes
from .timeline import STEP_S, WITHDRAWING_FRAMES, Timeline

GUARD_DISTANCE_M: Final = 1.1
"""Distance between two characters in their guards."""
MAX_STEP_M: Final = 0.75
"""Farthest way of one step in; more is walked."""
TURNING_RAD: Final = np.radians(30.0)
"""Angle between a guard and the other character from which it turns to it."""
TIP_M: Final = {"hand": 0.11, "foot": 0.1}
"""Distance of an end effector from what its knuckles or sole touch, before both are brought to each other."""
PARRIED_M: Final = 0.12
"""Distance before the body at which a strike is parried."""
DODGE_STEP_M: Final = 0.3
"""Step back out of a strike at the trunk or a leg."""
RECOIL_STEP_M: Final = 0.3
"""Step back after a kick that hits."""
RECOIL_FRAMES: Final = 5
"""Frames after a kick before that step begins."""
STEP_COST: Final = 0.3
"""Weight of the step before an attack, against the change of its height."""
CANDIDATES: Final = 6
"""Captured attacks that are tried for a beat."""
ENDING_FRAMES: Final = 60
"""Frames after the last beat."""


@dataclass(frozen=True, slots=True, eq=False)
class StagedStrike:
    """A beat with its strike.

    Attributes:
        beat: the beat.
        blow: the attack at frames of the striker's motion.
        way: (3) unit direction of the strike.
        target: (3) where the end effector is to be on the beat, meters, world.
    """

    beat: Beat
    blow: Blow
    way: Array
    target: Array


class Staging:
    """Motions of all characters, in which beats are placed one after the other.

    What is staged up to a beat depends on nothing after it.

    Args:
        fighter: the controllers that attack and walk.
        duelists: the characters.
        beats: in time.

    Attributes:
        strikes: of the beats, in time.
    """

    def __init__(self, fighter: Fighter, duelists: Sequence[Duelist], beats: Sequence[Beat]) -> None:
        captured = captured_takes(fighter.strikes)
        guard, takes = guard_pose(captured), [*captured, *(take.mirrored() for take in captured)]
        self._beats, self._duelists = beats, duelists
        self._takes = {
            take: max(guard_distance(take.clip.cut(frame, frame + 1), guard) for frame in (0, len(take.clip) - 1))
            for take in takes
        }
        for beat in beats:
            require_point(guard.skeleton, beat)
        places = {duelist.name: duelist.start for duelist in duelists}
        self._lines = {
            name: Timeline(fighter.walks, guard, place, self._first_yaw(name, places)) for name, place in places.items()
        }
        self.strikes: list[StagedStrike] = []
        for beat in beats:
            self._stage(beat)

    def _first_yaw(self, name: str, places: dict[str, Array]) -> float:
        """Return the yaw along which a character faces the other one of its first beat."""
        others = [
            beat.receiver if beat.striker == name else beat.striker
            for beat in self._beats
            if name in (beat.striker, beat.receiver)
        ]
        return float(yaw_of(places[others[0]] - places[name])) if others else 0.0

    def finish(self) -> dict[str, Clip]:
        """Return the motions of all characters, after their walks away, equally long."""
        for duelist in self._duelists:
            if duelist.end is not None:
                self._lines[duelist.name].walk_to(duelist.end, None)
        last = max(beat.frame for beat in self._beats) + ENDING_FRAMES
        frames = max(last, *(len(line.made) for line in self._lines.values()))
        for line in self._lines.values():
            line.extend(frames)
        return {name: line.made for name, line in self._lines.items()}

    def _stage(self, beat: Beat) -> None:
        """Place a beat: approach, guard of both, and the strike."""
        striker, receiver = self._lines[beat.striker], self._lines[beat.receiver]
        away = float(yaw_of(striker.place - receiver.place))
        guard = receiver.place + GUARD_DISTANCE_M * facing_direction(np.array(away))
        if np.linalg.norm(guard - striker.place) > MAX_STEP_M:
            arrived = striker.walk_to(guard, receiver.place)
            away = float(yaw_of(striker.place - receiver.place))
            _require_time(beat, arrived, self._fewest(beat))
        step = round(STEP_S * striker.made.rate)
        if abs(wrap_angle(receiver.yaw - away)) > TURNING_RAD and receiver.busy + step <= beat.frame:
            receiver.step_to(receiver.place, away, max(receiver.busy, beat.frame - 3 * step))
        receiver.extend(beat.frame + WITHDRAWING_FRAMES)
        strike, take = self._choose(beat, away)
        self._give_way(receiver, beat, strike.way[:2], away)
        guard = receiver.place + GUARD_DISTANCE_M * facing_direction(np.array(away))
        striker.attack(take, strike.target, away + np.pi, beat.frame, guard)
        self.strikes.append(strike)

    @staticmethod
    def _give_way(receiver: Timeline, beat: Beat, way: Array, away: float) -> None:
        """Let a receiver step back before a strike at its body that it dodges, and after a kick that hits it."""
        step = round(STEP_S * receiver.made.rate)
        if beat.answer == "dodge" and beat.part != "head" and receiver.busy + step <= beat.frame:
            receiver.step_to(receiver.place + DODGE_STEP_M * way, away, beat.frame - step)
        if beat.answer == "hit" and beat.effector.startswith("foot") and receiver.busy <= beat.frame:
            receiver.step_to(receiver.place + RECOIL_STEP_M * way, away, beat.frame + RECOIL_FRAMES)
        receiver.extend(beat.frame + WITHDRAWING_FRAMES)
        receiver.busy = max(receiver.busy, beat.frame + WITHDRAWING_FRAMES)

    def _fewest(self, beat: Beat) -> int:
        """Return the fewest frames before a beat in which an attack of its end effector and side can be made."""
        line = self._lines[beat.striker]
        return min(line.frames_needed(take) for take in self._known(beat))

    def _known(self, beat: Beat) -> list[StrikeTake]:
        """Return the attacks with a beat's end effector from its side."""
        own = [take for take in self._takes if take.blow.effector == beat.effector]
        found = [take for take in own if take.comes_from(beat.side)]
        if not found:
            raise FootfallError(
                "The controller has no strike of {effector} from the side '{side}' for the beat at frame {frame}: "
                "choose another side or end effector",
                effector=beat.effector,
                side=beat.side,
                frame=beat.frame,
            )
        return found

    def _choose(self, beat: Beat, away: float) -> tuple[StagedStrike, StrikeTake]:
        """Return the strike of a beat, and the captured attack that reaches its target with the least change.

        Raises:
            FootfallError: there is no time for it, or it is out of reach.
        """
        line = self._lines[beat.striker]
        part, level = beat.effector.partition(".")[0], facing_direction(np.array(away + np.pi))
        require_seen(self._lines[beat.receiver].made, beat, away)
        places = struck_places(self._lines[beat.receiver].made, beat.frame, beat, away)
        short = TIP_M[part] + (PARRIED_M if beat.answer == "parry" else 0.0)
        targets = places - short * np.append(level, 0.0)
        known = self._known(beat)
        _require_time(beat, line.busy, min(line.frames_needed(take) for take in known))
        timely = [take for take in known if line.busy + line.frames_needed(take) <= beat.frame]
        aims = [(take, min(targets, key=lambda one: abs(float(one[2]) - take.height))) for take in timely]
        aims.sort(key=lambda aim: self._takes[aim[0]] + self._change(*aim, line, away + np.pi))
        nearest = np.inf
        for take, target in aims[:CANDIDATES]:
            solved, miss = take.raised_to(target[2])
            if solved is not None:
                return StagedStrike(beat, _shifted(solved.blow, beat.frame), np.append(level, 0.0), target), solved
            nearest = min(nearest, miss)
        if nearest > MAX_MISS_M:
            raise FootfallError(
                "The strike of {name} at frame {frame} falls {miss} cm short of its target: choose a target nearer to "
                "the height of its {effector}",
                name=beat.striker,
                frame=beat.frame,
                miss=f"{100 * nearest:.1f}",
                effector=beat.effector,
            )
        raise FootfallError(
            "The strike of {name} at frame {frame} reaches its target only with feet or joints out of place: choose "
            "another part, or another end effector than {effector}",
            name=beat.striker,
            frame=beat.frame,
            effector=beat.effector,
        )

    @staticmethod
    def _change(take: StrikeTake, target: Array, line: Timeline, yaw: float) -> float:
        """Return by how much an attack has to be changed: its height, and the way of the step before it, meters."""
        hips = take.clip.positions[0, take.clip.skeleton.joint("hips"), :2]
        begin = target[:2] + out_of_frame(hips, np.array(yaw))
        return abs(take.height - float(target[2])) + STEP_COST * float(np.linalg.norm(begin - line.place))


def _shifted(blow: Blow, frame: int) -> Blow:
    """Return an attack with its apex on a frame."""
    shift = frame - blow.apex
    return Blow(blow.effector, blow.start + shift, frame, blow.stop + shift)


def _require_time(beat: Beat, busy: int, needed: int) -> None:
    """Raise if a striker has no time for a beat after what is before it."""
    missing = busy + needed - beat.frame
    if missing > 0:
        raise FootfallError(
            "The strike of {name} at frame {frame} comes {count} frames too early after what it does before: move it "
            "to a later frame",
            name=beat.striker,
            frame=beat.frame,
            count=missing,
        )
