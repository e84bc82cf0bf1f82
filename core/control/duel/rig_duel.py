"""A duel on rigs: staged on the controllers' skeleton, fitted to each rig, and refined at the scene's frame rate."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...jobs.steps import part_of
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
from ..strike.strike_error import StrikeError, by_frames
from .beats import Beat, Duelist, require_beats
from .duel import Meeting
from .duel_refinement import meet_beats
from .duel_staging import StagedStrike, Staging
from .weapon import Weapon, armed

STAGED_SHARE, FITTED_SHARE, MET_SHARE = 0.3, 0.4, 0.98
"""Finished shares of the work after staging, after fitting to the rigs, and after refinement."""
FRAME_FIELDS: Final = frozenset({"frame", "before", "after"})
"""Fields of a beat's error that hold frame numbers; another, *count*, holds a number of frames."""


@dataclass(frozen=True, slots=True)
class RigDuelTuning(Tuning):
    max_off: float = tuned(np.radians(45.0), "rad", 0.0, np.pi)
    """Largest angle at which a weapon parented to a hand may deviate from the line through both hands."""
    max_floor_difference: float = tuned(0.01, "m", 0.0, 0.2)
    """Largest height difference between the floors of a duel's characters that counts as one floor."""


TUNING: Final = RigDuelTuning()


@dataclass(frozen=True, slots=True, eq=False)
class RigWeapon:
    """A weapon that both hands of a rig hold.

    Attributes:
        hand: role of the upper hand.
        length: length from the end of the upper hand's bone to the tip, meters.
        blade: (3) vector from the end of that bone to the tip, in the hand joint's frame, meters, if the weapon is
            parented to the hand; other weapons are put along the line through both hands.
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
        start: (2) position at frame 0, meters, world.
        end: (2) destination after the last beat, meters, world; by default the character stays in guard.
        weapon: the weapon that the character holds.
    """

    name: str
    body: RigBody
    start: Array
    end: Array | None = None
    weapon: RigWeapon | None = None


@dataclass(slots=True, eq=False)
class DuelMemory:
    """Data of a duel that its next version can reuse.

    Attributes:
        staging: the last staging.
    """

    staging: Staging | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RigDuel:
    """A finished duel on rigs.

    Attributes:
        clips: motion of each rig's body by name, world, at the rate of the scene, equally long.
        labels: labels of each motion by name.
        distances: distance of each beat, in order of time, meters, as in ``duel.Meeting``.
        blades: (3) each weapon, by the name of its character, as the vector from the end of the hand's bone to the tip,
            in the hand joint's frame, meters.
    """

    clips: dict[str, Clip]
    labels: dict[str, Labels]
    distances: tuple[float, ...]
    blades: dict[str, Array]


def make_rig_duel(
    fighter: Fighter,
    duelists: Sequence[RigDuelist],
    beats: Sequence[Beat],
    rate: float,
    memory: DuelMemory | None = None,
    ready: int = 0,
) -> Generator[float, None, RigDuel]:
    """Make a duel on rigs; yield the approximate finished share of the work.

    Args:
        fighter: the controllers.
        duelists: the characters.
        beats: in any order; frames at the rate of the scene, from 0.
        rate: frames per second of the scene.
        memory: memory of an earlier duel, which is reused up to the first changed beat; it is updated with this duel.
        ready: number of the controllers' frames in guard before the first beat's attack may begin.

    Raises:
        StrikeError: a strike misses or cannot be answered; the frames in the error are at the rate of the scene.
        FootfallError: the characters do not stand on one floor.
    """
    ratio, scale = fighter.strikes.rate / rate, float(np.mean([one.body.scale for one in duelists]))
    beats = sorted(beats, key=lambda beat: beat.frame)
    floor = _shared_floor(duelists)
    own = [replace(beat, frame=round(beat.frame * ratio)) for beat in beats]
    placed = [_placed(one, scale) for one in duelists]
    try:
        require_beats(placed, own)
        yield 0.0
        memory = DuelMemory() if memory is None else memory
        memory.staging = staging = Staging(fighter, placed, own, memory.staging, ready)
        staged = yield from part_of(staging.stage(), 0.0, STAGED_SHARE)
    except FootfallError as error:
        raise at_rate(error, 1 / ratio) from error
    strikes = [_fitted_strike(strike, beat, ratio, scale) for strike, beat in zip(staging.strikes, beats, strict=True)]
    fitted, labels, blades = {}, {}, {}
    for number, one in enumerate(duelists):
        marks = label_clip(staged[one.name])
        clip = _fitted(staged[one.name], marks, one.body, scale)
        fitted[one.name] = clip.resampled(rate)
        if one.weapon is not None:
            blades[one.name] = _blade(one, clip, staged[one.name], staging.blades[one.name][1])
            fitted[one.name] = armed(fitted[one.name], one.weapon.hand, blades[one.name])
        spans = [(strike.blow.start, strike.blow.stop) for strike in staging.strikes if strike.beat.striker == one.name]
        labels[one.name] = with_strikes(marks, spans, floor).resampled(rate, len(fitted[one.name]))
        yield STAGED_SHARE + (FITTED_SHARE - STAGED_SHARE) * (number + 1) / len(duelists)
    try:
        met, distances = yield from part_of(meet_beats(fitted, strikes), FITTED_SHARE, MET_SHARE)
    except FootfallError as error:
        raise at_rate(error, 1.0) from error
    for beat, distance in zip(beats, distances, strict=True):
        problem = Meeting(beat, distance).problem()
        if problem is not None:
            raise at_rate(problem, 1.0)
    up = np.array([0.0, 0.0, floor])
    clips = {name: disarmed(clip).transformed(IDENTITY, up) for name, clip in met.items()}
    return RigDuel(clips, labels, tuple(distances), blades)


def _placed(one: RigDuelist, scale: float) -> Duelist:
    """Return a rig's character with positions and lengths converted to meters of the controllers."""
    end = None if one.end is None else one.end / scale
    weapon = None if one.weapon is None else Weapon(one.weapon.hand, one.weapon.length / scale)
    return Duelist(one.name, one.start / scale, end, weapon)


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


def _shared_floor(duelists: Sequence[RigDuelist]) -> float:
    """Return the floor height shared by all characters, meters.

    Raises:
        FootfallError: the characters stand at different heights.
    """
    first = duelists[0]
    for other in duelists[1:]:
        if abs(other.body.floor - first.body.floor) > TUNING.max_floor_difference:
            raise FootfallError(
                "'{name}' stands {difference} cm higher or lower than '{other}': put both at the same height",
                name=other.name,
                other=first.name,
                difference=f"{100 * abs(other.body.floor - first.body.floor):.0f}",
            )
    return first.body.floor


def _fitted(clip: Clip, labels: Labels, body: RigBody, scale: float) -> Clip:
    """Return a motion retargeted to a rig in the space shared by all rigs, on the ground z = 0."""
    up = np.array([0.0, 0.0, body.rise])
    placed = retarget_into_space(clip, body.calibration, scale).transformed(IDENTITY, up)
    return lock_feet(placed, FootContacts(labels.contacts_of(FOOT_CONTACTS)), Plane())


def _fitted_strike(strike: StagedStrike, beat: Beat, ratio: float, scale: float) -> StagedStrike:
    """Return a strike converted to the rigs' size and to the scene's rate."""
    counter = strike.counter
    if counter is not None:
        counter = _fitted_strike(counter, replace(counter.beat, frame=beat.frame), ratio, scale)
    start, stop = (round(frame / ratio) for frame in (strike.blow.start, strike.blow.stop))
    blow = Blow(beat.effector, min(start, beat.frame - 1), beat.frame, max(stop, beat.frame + 2))
    return replace(strike, beat=beat, blow=blow, target=strike.target * scale, counter=counter)


def at_rate(error: FootfallError, factor: float) -> StrikeError:
    """Return an error about a beat with its frame numbers and counts multiplied by a factor."""
    fields = dict(error.fields)
    for name in FRAME_FIELDS & fields.keys():
        fields[name] = round(fields[name] * factor)
    if "count" in fields:
        fields |= by_frames(int(np.ceil(fields["count"] * factor - 1e-6)))
    return StrikeError(error.template, **fields)
