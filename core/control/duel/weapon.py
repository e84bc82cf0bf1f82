"""A two-handed weapon: an extra bone along the line through both hands, from the upper hand to the tip."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.limb_ik import solve_arm_ik, with_world_rotations
from ...motion.rotations import IDENTITY, Array, exp, inverse, log, multiply, normalize, rotate
from ...motion.weapons import with_weapon
from ...tuning import Tuning, tuned
from ..strike.strike_takes import StrikeTake


@dataclass(frozen=True, slots=True)
class WeaponTuning(Tuning):
    cutting_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Start of the cutting part of a weapon, measured from the hand, as a share of its length."""
    striking_share: float = tuned(0.8, "1", 0.0, 1.0)
    """Position of the striking point along a weapon, measured from the hand, as a share of its length."""


TUNING: Final = WeaponTuning()


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon.

    Attributes:
        hand: role of the upper hand, the one nearer to the blade.
        length: length from the upper hand to the tip, meters.
    """

    hand: str = "hand.R"
    length: float = 0.9


def hilt_direction(takes: Iterable[StrikeTake], hand: str) -> Array:
    """Return the unit direction (3) of a weapon, from the lower hand through the upper hand, in the upper hand's frame.

    The direction is the mean over two-handed attacks.

    Args:
        takes: attacks; only those with both hands count.
        hand: role of the upper hand.
    """
    ways = []
    for take in takes:
        if take.both_hands and take.blow.effector == hand:
            clip, joint = take.clip, take.clip.skeleton.joint(hand)
            other = take.clip.skeleton.joint(f"hand.{'L' if hand[-1] == 'R' else 'R'}")
            between = normalize(clip.positions[:, joint] - clip.positions[:, other])
            ways.append(rotate(inverse(clip.world[1][:, joint]), between))
    return normalize(np.concatenate(ways).mean(axis=0))


def striking_point(clip: Clip, frame: int, hand: str, blade: Array) -> Array:
    """Return the vector (3) from a hand's joint to the striking point of the weapon in it, meters, world.

    Args:
        clip: the motion, without the weapon.
        frame: frame of the motion.
        hand: role of the hand that holds the weapon.
        blade: (3) vector from the end of the hand's bone to the tip, in the hand's frame, meters.
    """
    joint = clip.skeleton.joint(hand)
    reach = clip.skeleton.bone_vectors[joint] + TUNING.striking_share * blade
    return rotate(clip.cut(frame, frame + 1).world[1][0, joint], reach)


def armed(clip: Clip, hand: str, blade: Array) -> Clip:
    """Return a motion with a weapon's bone added as last joint; it starts at the end of the hand's bone.

    Args:
        clip: the motion.
        hand: role of the hand that holds the weapon.
        blade: (3) vector from the end of the hand's bone to the weapon's tip, in the hand's frame, meters.
    """
    skeleton = with_weapon(clip.skeleton, hand, clip.skeleton.bone_vectors[clip.skeleton.joint(hand)], blade)
    still = np.broadcast_to(IDENTITY, (len(clip), 1, 4))
    return replace(clip, skeleton=skeleton, rotations=np.concatenate([clip.rotations, still], axis=1))


def with_grip(clip: Clip, other: Clip) -> Clip:
    """Return a motion whose hands on the weapon are as far apart as in another motion, the lower behind the upper."""
    hand = next((role.replace("weapon", "hand") for role in clip.skeleton.roles if role.startswith("weapon.")), None)
    if hand is None:
        return clip
    side = "L" if hand.endswith("R") else "R"
    upper, lower = (clip.skeleton.joint(role) for role in (hand, f"hand.{side}"))
    behind = rotate(inverse(other.world[1][:, upper]), other.positions[:, lower] - other.positions[:, upper])
    positions, rotations = (values.copy() for values in clip.world)
    solve_arm_ik(clip.skeleton, positions, rotations, side, positions[:, upper] + rotate(rotations[:, upper], behind))
    return with_world_rotations(clip, clip.root_positions, rotations)


def with_hand_as(clip: Clip, other: Clip, blow: Blow) -> Clip:
    """Return an attack whose striking hand has, at the apex, the same world rotation as in another motion.

    The weapon is shifted with its hand but not rotated. The change grows from the start of the motion to the apex and
    fades toward the end.

    Args:
        clip: the motion of the attack.
        other: motion with as many frames.
        blow: first, apex and last frame of the attack in the two motions.
    """
    joint, apex = clip.skeleton.joint(blow.effector), blow.apex
    now, wanted = (each.cut(apex, apex + 1).world[1][0, joint] for each in (clip, other))
    change = log(multiply(inverse(now), wanted))
    frames = np.arange(len(clip))
    share = np.where(frames <= apex, frames / max(apex, 1), (len(clip) - 1 - frames) / max(len(clip) - 1 - apex, 1))
    rotations = clip.rotations.copy()
    rotations[:, joint] = multiply(rotations[:, joint], exp(smooth_step(share)[:, None] * change))
    return replace(clip, rotations=rotations)
