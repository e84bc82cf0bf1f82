"""A strike on a rig's body: the end of a limb, or the tip of a held object, hits a target at a frame."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...labelling.semantics.blows import LIMBS, Blow
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, exp, inverse, log, multiply, normalize, rotate, rotation_between
from ...motion.weapons import tip_in_hand, weapon_role
from ...scene.body_capsules import BodyCapsules
from ...tuning import Tuning, tuned
from . import exact_strike, tip_retargeting
from .blow_retargeting import RetargetedBlows, retarget_blow
from .strike_error import StrikeError
from .tip_retargeting import BroydenSteps


@dataclass(frozen=True, slots=True)
class RigStrikeTuning(Tuning):
    max_forearm_twist: float = tuned(np.radians(110.0), "rad", 0.0, np.pi)
    """Largest twist of the forearm to point a held object at the target."""
    max_wrist_turn: float = tuned(np.radians(60.0), "rad", 0.0, np.pi)
    """Largest rotation of the hand, which makes the rest of the turn after the forearm's twist."""
    long_tip: float = tuned(0.2, "m", 0.05, 1.0)
    """Distance of a tip from its joint, on an adult, from which it counts as a weapon's, which the hand aims."""
    body_radius: float = tuned(0.15, "m", 0.05, 0.5)
    """Radius of a standing adult's body."""
    body_height: float = tuned(1.75, "m", 1.0, 2.5)
    """Height of a standing adult's body."""
    max_depth: float = tuned(0.03, "m", 0.0, 0.2)
    """Largest allowed depth of a target inside the trunk or legs of the character that strikes."""


TUNING: Final = RigStrikeTuning()


@dataclass(frozen=True, slots=True, eq=False)
class RigStrike:
    """One requested strike of a rig.

    Attributes:
        frame: frame of the rig's motion at which the tip is at the target.
        target: (3) target, meters, world.
        effector: role of the joint that strikes, one of ``features.strikes.EFFECTORS``.
        tip: (3) point that meets the target, relative to the joint and in the joint's frame, meters.
        both_hands: whether both hands hold one weapon.
    """

    frame: int
    target: Array
    effector: str
    tip: Array
    both_hands: bool = False

    def is_weapon(self, scale: float) -> bool:
        """Return whether the tip belongs to a weapon; `scale` is the size of the body relative to an adult."""
        return bool(np.linalg.norm(self.tip) > TUNING.long_tip * scale)


@dataclass(frozen=True, slots=True, eq=False)
class SolvedStrike:
    """A strike solved on a rig.

    Attributes:
        clip: the motion with the strike.
        miss: distance between tip and target at the strike's frame, meters.
    """

    clip: Clip
    miss: float


def solve_on_rig(clip: Clip, strike: RigStrike, start: int, stop: int) -> SolvedStrike:
    """Return the motion changed so that the striking tip, or the tip of the weapon's bone, is at the target in time.

    Args:
        clip: motion of the rig's body with the attack.
        strike: the strike.
        start: first frame of the attack.
        stop: frame after the last frame of the attack.

    Raises:
        StrikeError: the strike does not reach its target, or only with feet or joints out of their limits.
    """
    blow, joint = _blow(clip, strike, start, stop), clip.skeleton.joint(strike.effector)
    aims = strike.is_weapon(clip.skeleton.leg_length / ADULT_LEG_LENGTH_M) and not strike.both_hands
    if weapon_role(clip.skeleton, strike.effector) != strike.effector:
        aims, strike = False, replace(strike, tip=tip_in_hand(clip, strike.frame, strike.effector))
    wrist, steps, best = strike.target - _reach(clip, strike, aims), BroydenSteps(1), (False, np.inf, clip, None)
    for _ in range(tip_retargeting.TUNING.solutions):
        made = retarget_blow(clip, blow, wrist[None])
        own = _made(clip, blow, made)
        left = strike.target - own.positions[strike.frame, joint] - _reach(own, strike, aims)
        miss = float(np.linalg.norm(left))
        # If feet or joints are out of place from the first solution on, that solution gives the shortfall.
        if best[3] is None or (made.in_place[0] and (not best[0] or miss < best[1])):
            best = bool(made.in_place[0]), miss, own, made
        if miss < tip_retargeting.TUNING.settled:
            break
        wrist = wrist + steps.next(left[None])[0]
    _, miss, own, made = best
    assert made is not None
    _require_met(strike, made, miss)
    return SolvedStrike(_with_aimed_hand(own, blow, strike) if aims else own, miss)


def require_apart(place: Array, floor: float, size: float, strike: RigStrike) -> None:
    """Raise :class:`StrikeError` if a strike's target is inside the body of the character that stands at `place`.

    Args:
        place: (2) position of the standing character, meters, world.
        floor: height of the ground, meters, world.
        size: size of the body relative to an adult's.
        strike: the strike.
    """
    away, height = float(np.linalg.norm(strike.target[:2] - place)), float(strike.target[2]) - floor
    if away < TUNING.body_radius * size and height < TUNING.body_height * size:
        raise _inside(strike, TUNING.body_radius * size - away)


def require_outside(clip: Clip, strike: RigStrike) -> None:
    """Raise :class:`StrikeError` if a strike's target is inside the character's own body at the strike's frame.

    Args:
        clip: motion of the rig's body.
        strike: the strike; the striking limb itself is ignored.
    """
    capsules = BodyCapsules.from_skeleton(clip.skeleton)
    first, second = LIMBS[strike.effector]
    spared = {strike.effector, strike.effector.replace("foot", "toe"), first, second}
    others = capsules.sphere_indices(role for role in capsules.roles if role not in spared)
    centers = capsules.sphere_centres(clip.cut(strike.frame, strike.frame + 1))[0, others]
    away = np.linalg.norm(centers - strike.target, axis=-1)
    depth = float((capsules.radii[others] - away).max(initial=-np.inf))
    if depth > TUNING.max_depth:
        raise _inside(strike, depth)


def _inside(strike: RigStrike, depth: float) -> StrikeError:
    """Return the error for a target that lies at a depth, meters, inside the striking body."""
    return StrikeError(
        "The target of the strike with {effector} at frame {frame} is {depth} cm inside the striking "
        "character: move the target away",
        effector=strike.effector,
        frame=strike.frame,
        depth=f"{100 * depth:.1f}",
    )


def _blow(clip: Clip, strike: RigStrike, start: int, stop: int) -> Blow:
    """Return the attack with its apex at the strike's frame, cut to the frames over which a correction is spread."""
    before, after = (round(seconds * clip.rate) for seconds in exact_strike.TUNING.spread)
    first = min(max(start, strike.frame - before, 0), strike.frame - 1)
    last = max(min(stop, strike.frame + after, len(clip)), strike.frame + 2)
    return Blow(strike.effector, first, strike.frame, last)


def _aiming_turns(clip: Clip, strike: RigStrike) -> tuple[Array, Array]:
    """Return the world rotations (4) that turn forearm and hand to point a weapon at the target at the strike's frame.

    The forearm twists first; the hand turns the rest of the way, within a wrist's range.
    """
    skeleton, frame = clip.skeleton, strike.frame
    upper, fore = (skeleton.joint(role) for role in LIMBS[strike.effector])
    shoulder, elbow, wrist = (clip.positions[frame, joint] for joint in (upper, fore, skeleton.joint(strike.effector)))
    points = rotate(clip.world[1][frame, skeleton.joint(strike.effector)], strike.tip)
    axis, aim = normalize(wrist - elbow), strike.target - shoulder
    across, wanted = (one - np.dot(one, axis) * axis for one in (points, aim))
    angle = np.arctan2(np.dot(np.cross(across, wanted), axis), np.dot(across, wanted))
    twist = exp(axis * float(np.clip(angle, -TUNING.max_forearm_twist, TUNING.max_forearm_twist)))
    left = log(rotation_between(rotate(twist, points), aim))
    bend = exp(left * min(1.0, TUNING.max_wrist_turn / max(float(np.linalg.norm(left)), 1e-9)))
    return twist, bend


def _reach(clip: Clip, strike: RigStrike, aims: bool) -> Array:
    """Return the vector (3) from the joint to the tip at a strike's frame, meters, world.

    Args:
        clip: the motion, before the hand is turned.
        strike: the strike.
        aims: whether forearm and hand will later be turned to point the tip at the target.
    """
    turned = rotate(clip.world[1][strike.frame, clip.skeleton.joint(strike.effector)], strike.tip)
    if not aims:
        return turned
    twist, bend = _aiming_turns(clip, strike)
    return rotate(multiply(bend, twist), turned)


def _made(clip: Clip, blow: Blow, made: RetargetedBlows) -> Clip:
    """Return the motion with its attack replaced with the retargeted one."""
    first = blow.apex - made.blow.apex
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[first : first + len(made.own)] = made.root_positions[0]
    rotations[first : first + len(made.own)] = made.rotations[0]
    return Clip(clip.skeleton, clip.rate, roots, rotations, clip.name)


def _with_aimed_hand(clip: Clip, blow: Blow, strike: RigStrike) -> Clip:
    """Return the motion with forearm and hand turned to aim at the apex.

    The turn eases in before it and out after it.
    """
    frames = np.arange(len(clip))
    share = np.where(
        frames <= blow.apex,
        (frames - blow.start) / max(blow.apex - blow.start, 1),
        (blow.stop - 1 - frames) / max(blow.stop - 1 - blow.apex, 1),
    ).clip(0.0, 1.0)
    weight = 1.0 - smooth_falloff(share)
    twist, bend = _aiming_turns(clip, strike)
    rotations = clip.rotations.copy()
    world = clip.world[1][blow.apex]
    for role, turn in ((LIMBS[strike.effector][1], twist), (strike.effector, bend)):
        joint = clip.skeleton.joint(role)
        turned = world[joint] if turn is twist else multiply(twist, world[joint])
        within = multiply(inverse(turned), multiply(turn, turned))
        rotations[:, joint] = multiply(rotations[:, joint], exp(weight[:, None] * log(within)))
    return Clip(clip.skeleton, clip.rate, clip.root_positions, rotations, clip.name)


def _require_met(strike: RigStrike, made: RetargetedBlows, miss: float) -> None:
    """Raise :class:`StrikeError` unless a strike reaches its target with feet and joints within their limits."""
    if miss > exact_strike.TUNING.max_miss:
        raise StrikeError(
            "The strike with {effector} at frame {frame} falls {miss} cm short of its target: bring the target closer",
            effector=strike.effector,
            frame=strike.frame,
            miss=f"{100 * miss:.1f}",
        )
    if not made.in_place[0]:
        raise StrikeError(
            "The strike with {effector} at frame {frame} reaches its target only with feet or joints out of "
            "place: bring the target closer",
            effector=strike.effector,
            frame=strike.frame,
        )
