"""Stance of a character in a duel: its guard, its attacks, and the point of limb or weapon that hits."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion import Clip
from ...motion.rotations import Array
from ..strike.fight import Fighter
from ..strike.strike_takes import StrikeTake, captured_takes, with_arms_of
from .beats import Beat
from .guard import guard_distance, guard_pose, weapon_guard
from .weapon import Weapon, hilt_direction, striking_point

TIP_M: Final = {"hand": 0.11, "foot": 0.1}
"""Distance, meters, from an end effector's joint to the knuckles or sole that hit, assumed before refinement."""


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """The stance of a character with or without a weapon.

    Attributes:
        guard: the guard, one frame over the origin, facing +Y.
        takes: the character's attacks, each with the distance of its starting and ending pose from the guard, meters.
        hand: role of the upper hand on the weapon; empty without a weapon.
        blade: (3) vector from the end of that hand's bone to the weapon's tip, in the hand's frame, meters.
    """

    guard: Clip
    takes: dict[StrikeTake, float]
    hand: str
    blade: Array

    @staticmethod
    def of(fighter: Fighter, weapon: Weapon | None) -> "Stance":
        """Return the stance of a fighter with a weapon, or with ``None``, without one.

        Raises:
            FootfallError: the fighter's controller holds no captured attacks, or none with a weapon.
        """
        captured = captured_takes(fighter.strikes)
        takes = [*captured, *(take.mirrored() for take in captured)]
        guard = guard_pose(captured) if weapon is None else weapon_guard(takes, weapon.hand)
        if weapon is not None:
            takes = [with_arms_of(take, guard) if take.blow.effector.startswith("foot") else take for take in takes]
        apart = {
            take: max(guard_distance(take.clip.cut(frame, frame + 1), guard) for frame in (0, len(take.clip) - 1))
            for take in takes
        }
        if weapon is None:
            return Stance(guard, apart, "", np.zeros(3))
        return Stance(guard, apart, weapon.hand, weapon.length * hilt_direction(takes, weapon.hand))

    def known(self, beat: Beat) -> list[StrikeTake]:
        """Return the captured attacks with a beat's end effector that come from the beat's side.

        Raises:
            FootfallError: no such attack has been captured.
        """
        own = [take for take in self.takes if take.blow.effector == beat.effector]
        if beat.effector == self.hand:
            found = [take for take in own if take.both_hands and take.cuts_from(beat.side)]
        else:
            found = [take for take in own if take.comes_from(beat.side)]
        if not found:
            raise FootfallError(
                "The controller has no strike with {effector} from the side '{side}' for the beat at frame "
                "{frame}: choose another side, or another hand or foot",
                effector=beat.effector,
                side=beat.side,
                frame=beat.frame,
            )
        return found

    def tip(self, take: StrikeTake) -> Array:
        """Return the vector (3), meters, from the striking joint to the point that hits, if the strike faces +Y."""
        if take.blow.effector == self.hand:
            return striking_point(take.clip, take.blow.apex, self.hand, self.blade)
        return np.array([0.0, TIP_M[take.blow.effector.partition(".")[0]], 0.0])
