"""A duel on rigs: the controllers stage it, it is retargeted to each rig, and strikes are made to meet on the rigs."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...jobs.steps import mapped, part_of
from ...labelling import Labels, label_clip
from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.roles import FOOT_CONTACTS
from ...motion.rotations import IDENTITY, Array, inverse, normalize, rotate
from ...motion.weapons import disarmed
from ...retarget.shared_space import retarget_into_space
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet
from ..strike.fight import Fighter
from ..strike.rig_fight import RigBody, with_strikes
from .beats import Beat, Duelist, require_beats
from .duel import Meeting
from .duel_refinement import meet_beats
from .duel_staging import StagedStrike, Staging
from .weapon import Weapon, armed

STAGED_SHARE, FITTED_SHARE, MET_SHARE = 0.3, 0.4, 0.98
"""Shares of the work that are finished after staging, after retargeting to the rigs, and after meeting the beats."""


@dataclass(frozen=True, slots=True)
class RigDuelTuning(Tuning):
    max_off: float = tuned(np.radians(45.0), "rad", 0.0, np.pi)
    """Largest angle at which a weapon parented to a hand may deviate from the line through both hands."""


TUNING: Final = RigDuelTuning()


@dataclass(frozen=True, slots=True, eq=False)
class RigWeapon:
    """A weapon that both hands of a rig hold.

    Attributes:
        hand: role of the upper hand.
        length: length from the end of the upper hand's bone to the tip, meters.
        blade: (3) vector from the end of that bone to the tip, in the hand joint's frame, meters, if the weapon is
            parented to the hand; ``None`` to put it along the line through both hands.
    """

    hand: str
    length: float
    blade: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RigDuelist:
    """A character of a duel with its rig.

    Attributes:
        name: name of the character.
        body: the rig's body.
        start: (2) first place of the root, meters, world.
        weapon: the weapon that the character holds; ``None`` for none.
    """

    name: str
    body: RigBody
    start: Array
    weapon: RigWeapon | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RigDuel:
    """A finished duel on rigs.

    Attributes:
        clips: motion of each rig's body by name, on the ground z = 0, equally long.
        labels: labels of each motion by name.
        distances: distance of each beat in order of time, meters, as :class:`.duel.Meeting` defines it.
        blades: (3) vector of each weapon by the name of its character, from the end of the hand's bone to the tip, in
            the hand joint's frame, meters.
    """

    clips: dict[str, Clip]
    labels: dict[str, Labels]
    distances: tuple[float, ...]
    blades: dict[str, Array]


def make_rig_duel(
    fighter: Fighter, duelists: Sequence[RigDuelist], beats: Sequence[Beat], ready: int = 0
) -> Generator[float, None, RigDuel]:
    """Make a duel on rigs; yield the approximate finished share of the work, 0 to 1.

    Args:
        fighter: the controllers.
        duelists: the characters.
        beats: the beats, in any order; frames from 0.
        ready: number of frames in guard before the first beat's attack may begin.

    Raises:
        StrikeError: a beat cannot be met.
        FootfallError: the direction of a weapon in its hand makes it unusable.
    """
    scale = float(np.mean([one.body.scale for one in duelists]))
    beats = sorted(beats, key=lambda beat: beat.frame)
    placed = [_placed(one, scale) for one in duelists]
    require_beats(placed, beats)
    yield 0.0
    staging = Staging(fighter, placed, beats, ready)
    staged = yield from part_of(staging.stage(), 0.0, STAGED_SHARE)
    strikes = [_fitted_strike(strike, beat, scale) for strike, beat in zip(staging.strikes, beats, strict=True)]
    fitted, labels, blades = {}, {}, {}
    for number, one in enumerate(duelists):
        marks = label_clip(staged[one.name])
        done = STAGED_SHARE + (FITTED_SHARE - STAGED_SHARE) * number / len(duelists)
        fitting = _fitted(staged[one.name], marks, one.body, scale)
        clip = fitted[one.name] = yield from mapped(fitting, lambda _, done=done: done)
        if one.weapon is not None:
            blades[one.name] = _blade(one, clip, staged[one.name], staging.blades[one.name][1])
            fitted[one.name] = armed(clip, one.weapon.hand, blades[one.name])
        spans = [(strike.blow.start, strike.blow.stop) for strike in staging.strikes if strike.beat.striker == one.name]
        labels[one.name] = with_strikes(marks, spans, 0.0)
    met, distances = yield from part_of(meet_beats(fitted, strikes), FITTED_SHARE, MET_SHARE)
    for beat, distance in zip(beats, distances, strict=True):
        problem = Meeting(beat, distance).problem()
        if problem is not None:
            raise problem
    return RigDuel({name: disarmed(clip) for name, clip in met.items()}, labels, tuple(distances), blades)


def _placed(one: RigDuelist, scale: float) -> Duelist:
    """Return a rig's character with positions and lengths converted to meters of the controllers."""
    weapon = None if one.weapon is None else Weapon(one.weapon.hand, one.weapon.length / scale)
    return Duelist(one.name, one.start / scale, weapon=weapon)


def _blade(one: RigDuelist, clip: Clip, staged: Clip, blade: Array) -> Array:
    """Return a weapon's vector (3) from the end of the hand's bone to its tip, in the rig's hand joint frame, meters.

    Args:
        one: the character.
        clip: motion of the character on the rig.
        staged: the same motion on the controllers' skeleton.
        blade: (3) vector of the weapon on the controllers' skeleton, in the hand joint's frame.

    Raises:
        FootfallError: the weapon is parented to the hand, but not along the line through both hands.
    """
    weapon = one.weapon
    assert weapon is not None
    ways = rotate(staged.world[1][:, staged.skeleton.joint(weapon.hand)], np.broadcast_to(blade, (len(staged), 3)))
    within = rotate(inverse(clip.world[1][:, clip.skeleton.joint(weapon.hand)]), ways)
    along = weapon.length * normalize(within.mean(axis=0))
    if weapon.blade is None:
        return along
    off = float(np.arccos(np.clip(normalize(weapon.blade) @ normalize(along), -1.0, 1.0)))
    if off > TUNING.max_off:
        raise FootfallError(
            "The weapon of '{name}' is turned {angle} degrees away from the line through both hands: turn it in "
            "the hand, or unparent it from the bone",
            name=one.name,
            angle=f"{np.degrees(off):.0f}",
        )
    return weapon.blade


def _fitted(clip: Clip, labels: Labels, body: RigBody, scale: float) -> Generator[None, None, Clip]:
    """Return a motion retargeted to a rig in the space shared by all rigs, on the ground z = 0."""
    up = np.array([0.0, 0.0, body.rise])
    placed = (yield from retarget_into_space.steps(clip, body.calibration, scale)).transformed(IDENTITY, up)
    return (yield from lock_feet.steps(placed, FootContacts(labels.contacts_of(FOOT_CONTACTS)), Plane()))


def _fitted_strike(strike: StagedStrike, beat: Beat, scale: float) -> StagedStrike:
    """Return a strike converted to the rigs' size."""
    counter = strike.counter and _fitted_strike(strike.counter, replace(strike.counter.beat, frame=beat.frame), scale)
    start, stop = strike.blow.start, strike.blow.stop
    blow = Blow(beat.effector, min(start, beat.frame - 1), beat.frame, max(stop, beat.frame + 2))
    return replace(strike, beat=beat, blow=blow, target=strike.target * scale, counter=counter)
