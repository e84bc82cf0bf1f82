"""Weapons as bones, children of the hands that hold them; the tip of such a bone is the end effector."""

from dataclasses import replace

import numpy as np

from .clip import Clip
from .roles import WEAPON_ROLES
from .rotations import Array, inverse, rotate
from .skeleton import Skeleton


def weapon_role(skeleton: Skeleton, effector: str) -> str:
    """Return the role of the bone with which an end effector strikes: the weapon in this hand, or else the effector."""
    role = WEAPON_ROLES.get(effector, effector)
    return role if role in skeleton.roles else effector


def weapon_roles(skeleton: Skeleton) -> tuple[str, ...]:
    return tuple(role for role in WEAPON_ROLES.values() if role in skeleton.roles)


def with_weapon(skeleton: Skeleton, hand: str, offset: Array, blade: Array) -> Skeleton:
    """Return a skeleton with a weapon's bone added after all other joints.

    Args:
        skeleton: the skeleton, without a weapon in that hand.
        hand: role of the hand that holds it.
        offset: (3) vector from the hand's joint to the weapon's bone, in the hand's frame, meters.
        blade: (3) vector from the head of that bone to its tip, in the hand's frame, meters.
    """
    role = WEAPON_ROLES[hand]
    return Skeleton(
        (*skeleton.names, role.replace(".", "_")),
        (*skeleton.parents, skeleton.joint(hand)),
        np.vstack([skeleton.offsets, offset]),
        np.vstack([skeleton.tips, blade]),
        {**skeleton.roles, role: len(skeleton)},
    )


def without_weapons(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton without the weapon bones that :func:`with_weapon` added after its own joints."""
    held = weapon_roles(skeleton)
    return skeleton.first(len(skeleton) - len(held)) if held else skeleton


def striking_places(clip: Clip, effector: str) -> Array:
    """Return the striking points (F, 3) of an end effector, meters, world: the tip of its weapon, or else its joint."""
    joint = clip.skeleton.joint(weapon_role(clip.skeleton, effector))
    places = clip.positions[:, joint]
    if joint == clip.skeleton.joint(effector):
        return places
    return places + rotate(clip.world[1][:, joint], np.broadcast_to(clip.skeleton.bone_vectors[joint], places.shape))


def tip_in_hand(clip: Clip, frame: int, effector: str) -> Array:
    """Return the vector (3), meters, from a hand's joint to the tip of its weapon at a frame, in the hand's axes."""
    pose = clip.cut(frame, frame + 1)
    hand = clip.skeleton.joint(effector)
    return rotate(inverse(pose.world[1][0, hand]), striking_places(pose, effector)[0] - pose.positions[0, hand])


def tip_place(clip: Clip, frame: int, effector: str, tip: Array) -> Array:
    """Return the world position (3), meters, of the tip with which an end effector strikes, at a frame.

    Args:
        clip: the motion; if its skeleton has a weapon in that hand, the weapon's tip replaces ``tip``.
        frame: the frame.
        effector: role of the end effector.
        tip: (3) vector from the end effector's joint to the tip, in the joint's axes, meters.
    """
    pose, joint = clip.cut(frame, frame + 1), clip.skeleton.joint(effector)
    if weapon_role(clip.skeleton, effector) != effector:
        return striking_places(pose, effector)[0]
    return pose.positions[0, joint] + rotate(pose.world[1][0, joint], tip)


def disarmed(clip: Clip) -> Clip:
    """Return a motion with the bones of any weapons removed."""
    if not weapon_roles(clip.skeleton):
        return clip
    skeleton = without_weapons(clip.skeleton)
    return replace(clip, skeleton=skeleton, rotations=clip.rotations[:, : len(skeleton)])
