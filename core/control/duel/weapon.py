"""A weapon that both hands hold: a bone of its own, along the line of the hands, from the upper one to its tip."""

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
    """Tuned numbers of weapons that strike."""

    cutting_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of its length from which a weapon strikes."""
    striking_share: float = tuned(0.8, "1", 0.0, 1.0)
    """Share of its length with which it is to strike."""


TUNING: Final = WeaponTuning()


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon.

    Attributes:
        hand: role of the hand that holds it nearer to its blade.
        length: from that hand to its tip, meters.
    """

    hand: str = "hand.R"
    length: float = 0.9


def hilt_direction(takes: Iterable[StrikeTake], hand: str) -> Array:
    """Return the unit direction (3), in the frame of a hand, in which a weapon goes on from the other hand through it.

    It is the mean over the attacks in which both hold one.

    Args:
        takes: attacks, of which those with both hands count.
        hand: role of the hand.
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
    """Return the point (3) of a weapon with which it is to strike, from its hand's joint, meters, world.

    Args:
        clip: the motion, without the weapon.
        frame: of it.
        hand: role of the hand that holds it.
        blade: (3) from the end of the hand's bone to the tip, in the hand's frame, meters.
    """
    joint = clip.skeleton.joint(hand)
    reach = clip.skeleton.bone_vectors[joint] + TUNING.striking_share * blade
    return rotate(clip.cut(frame, frame + 1).world[1][0, joint], reach)


def armed(clip: Clip, hand: str, blade: Array) -> Clip:
    """Return a motion with the bone of a weapon, from the end of its hand's bone on, behind all joints.

    Args:
        clip: the motion.
        hand: role of the hand that holds it.
        blade: (3) from the end of the hand's bone to the tip, in the hand's frame, meters.
    """
    skeleton = with_weapon(clip.skeleton, hand, clip.skeleton.bone_vectors[clip.skeleton.joint(hand)], blade)
    still = np.broadcast_to(IDENTITY, (len(clip), 1, 4))
    return replace(clip, skeleton=skeleton, rotations=np.concatenate([clip.rotations, still], axis=1))


def with_grip(clip: Clip, other: Clip) -> Clip:
    """Return a motion with a weapon whose lower hand is behind the upper one as in another motion of as many frames."""
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
    """Return an attack whose hand is turned in the world, at its apex, as in another motion.

    The weapon goes where its hand goes then, without turning. What is changed grows from the beginning of the motion to
    the apex, and fades to its end.

    Args:
        clip: the motion.
        other: of as many frames.
        blow: the attack, at their frames.
    """
    joint, apex = clip.skeleton.joint(blow.effector), blow.apex
    now, wanted = (each.cut(apex, apex + 1).world[1][0, joint] for each in (clip, other))
    change = log(multiply(inverse(now), wanted))
    frames = np.arange(len(clip))
    share = np.where(frames <= apex, frames / max(apex, 1), (len(clip) - 1 - frames) / max(len(clip) - 1 - apex, 1))
    rotations = clip.rotations.copy()
    rotations[:, joint] = multiply(rotations[:, joint], exp(smooth_step(share)[:, None] * change))
    return replace(clip, rotations=rotations)
