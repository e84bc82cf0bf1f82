"""Finger joints with roles, which follow a body's own joints and precede its weapons."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .clip import Clip
from .roles import FINGER_ROLES, guess_fingers
from .rotations import Array
from .skeleton import Skeleton
from .weapons import without_weapons


def finger_roles(skeleton: Skeleton) -> tuple[str, ...]:
    """Return the roles of the fingers that a skeleton has, ordered from the hand outward."""
    return tuple(role for role in FINGER_ROLES if role in skeleton.roles)


def with_finger_roles(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton with finger roles guessed from its joints' names.

    A skeleton that already has finger roles is returned unchanged.
    """
    if finger_roles(skeleton):
        return skeleton
    found = guess_fingers(skeleton.names, skeleton.parents, skeleton.roles)
    return replace(skeleton, roles={**skeleton.roles, **found}) if found else skeleton


def finger_name(role: str) -> str:
    """Return the name of a finger joint in a network skeleton, such as ``index_2_L``, given its role."""
    return role.replace(".", "_")


def nearer_role(role: str, skeleton: Skeleton) -> str:
    """Return the role of the joint above a finger's joint: the previous one of the same finger, or the hand."""
    part, side = role.split(".")
    finger, _, number = part.partition("_")
    nearer = [finger if place == 1 else f"{finger}_{place}" for place in range(int(number or 1) - 1, 0, -1)]
    return next((f"{one}.{side}" for one in nearer if f"{one}.{side}" in skeleton.roles), FINGER_ROLES[role])


def with_finger(skeleton: Skeleton, role: str, place: Array, bone: Array) -> Skeleton:
    """Return a skeleton with a finger's joint added after all other joints.

    Args:
        skeleton: the skeleton, without this joint but with the finger's joints nearer to the hand.
        role: role of the joint.
        place: (3) vector at rest from the hand's joint to the new joint, meters.
        bone: (3) vector at rest from the new joint to the end of its bone, meters.
    """
    above = skeleton.joint(nearer_role(role, skeleton))
    offset = place - way_at_rest(skeleton, skeleton.joint(FINGER_ROLES[role]), above)
    return Skeleton(
        (*skeleton.names, finger_name(role)),
        (*skeleton.parents, above),
        np.vstack([skeleton.offsets, offset]),
        np.vstack([skeleton.tips, bone]),
        {**skeleton.roles, role: len(skeleton)},
    )


def way_at_rest(skeleton: Skeleton, above: int, joint: int) -> Array:
    """Return the vector (3) at rest from the joint ``above`` to its descendant ``joint``, meters."""
    way = np.zeros(3)
    while joint != above:
        way, joint = way + skeleton.offsets[joint], skeleton.parents[joint]
    return way


def without_hand_bones(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton without the fingers and weapons that were added after its own joints."""
    bare = without_weapons(skeleton)
    fingers = finger_roles(bare)
    return bare.first(len(bare) - len(fingers)) if fingers else bare


def bare_handed(clip: Clip) -> Clip:
    """Return a motion without the fingers and weapons that were added after its skeleton's own joints."""
    skeleton = without_hand_bones(clip.skeleton)
    if skeleton is clip.skeleton:
        return clip
    return replace(clip, skeleton=skeleton, rotations=clip.rotations[:, : len(skeleton)])


def with_joints_of(clip: Clip, skeleton: Skeleton) -> Clip:
    """Return a motion reduced to the joints, found by name, of a skeleton, such as one without fingers."""
    joints = [clip.skeleton.names.index(name) for name in skeleton.names]
    return replace(clip, skeleton=skeleton, rotations=clip.rotations[:, joints])


def with_hands_during(clip: Clip, parts: Sequence[tuple[int, Clip]]) -> Clip:
    """Return a motion without fingers and weapons with those of other clips added.

    Args:
        clip: the motion.
        parts: pairs of a first frame and a clip of the same body with fingers and weapons, posed as in the clip from
            that frame on; in frames of no part, they keep the pose of the first part's first frame.
    """
    if not parts:
        return clip
    pose = parts[0][1]
    rotations = np.repeat(pose.rotations[:1], len(clip), axis=0)
    for first, part in parts:
        rotations[first : first + len(part)] = part.rotations[: len(clip) - first]
    rotations[:, [pose.skeleton.names.index(name) for name in clip.skeleton.names]] = clip.rotations
    return replace(clip, skeleton=pose.skeleton, rotations=rotations)


def with_hands_of(clip: Clip, pose: Clip) -> Clip:
    """Return a bare-handed motion with the fingers and weapons of another clip added, posed as in its first frame."""
    if len(pose.skeleton) == len(clip.skeleton):
        return clip
    held = np.repeat(pose.rotations[:1, len(clip.skeleton) :], len(clip), axis=0)
    return replace(clip, skeleton=pose.skeleton, rotations=np.concatenate([clip.rotations, held], axis=1))
