"""Twist bones: each takes a share of a limb's rotation about its own bone."""

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import IDENTITY, Array, exp, inverse, log, multiply, normalize
from .rest_pose import NEXT_ROLE, bone_vector

TWIST_SUFFIX = "_twist"
"""Suffix of a limb's role that makes the role of its twist bones."""


def distribute_twist(skeleton: Skeleton, world: Array) -> None:
    """Rotate the twist bones of all limbs, changing world rotations ``world`` (F, J, 4) in place.

    A forearm's (shin's) twist bones take over the hand's (foot's) rotation about the forearm in proportion to their
    position along it: a twist bone at the wrist takes all of it. Twist bones of an upper arm (thigh) undo the arm's own
    rotation, so that a twist bone at the shoulder takes none of it.
    """
    for role, joint in skeleton.roles.items():
        part, _, side = role.partition(".")
        limb = f"{part.split(TWIST_SUFFIX)[0]}.{side}"
        if TWIST_SUFFIX not in part or limb not in skeleton.roles or NEXT_ROLE.get(limb) not in skeleton.roles:
            continue
        upper, lower = skeleton.roles[limb], skeleton.roles[NEXT_ROLE[limb]]
        along = bone_vector(skeleton, upper, limb)
        share = float(np.clip(skeleton.offsets[joint] @ along / (along @ along), 0.0, 1.0))
        if skeleton.parents[joint] != upper:
            continue
        if limb.startswith(("upper_arm", "thigh")):
            above = world[:, skeleton.parents[upper]]
            turn, amount = twist_component(multiply(inverse(above), world[:, upper]), along), share - 1.0
        else:
            turn, amount = twist_component(multiply(inverse(world[:, upper]), world[:, lower]), along), share
        world[:, joint] = multiply(world[:, upper], exp(log(turn) * amount))


def twist_component(rotations: Array, axis: Array) -> Array:
    """Return the twist (F, 4) of rotations (F, 4) about an axis (3), the part without swing of the axis.

    It is a part of the swing-twist decomposition, Dobrowolski 2015.
    """
    unit = normalize(axis)
    turn = np.concatenate([rotations[:, :1], (rotations[:, 1:] @ unit)[:, None] * unit], axis=-1)
    length = np.linalg.norm(turn, axis=-1, keepdims=True)
    return np.where(length > 1e-9, turn / np.maximum(length, 1e-9), IDENTITY)
