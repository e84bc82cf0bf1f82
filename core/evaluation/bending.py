"""Flexion angles of knees and elbows."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from ..motion import Clip
from ..motion.rotations import Array, inverse, rotate

HINGE_ROLES: Final = {"knee": ("thigh", "shin", "foot"), "elbow": ("upper_arm", "forearm", "hand")}
"""Roles, without side, of the three joints around each hinge."""


def hinge_axes(clip: Clip) -> dict[str, Array]:
    """Return the unit axes (2, 3), left and right, about which knees and elbows bend, in the space of the upper bone.

    Keys are ``"knee"`` and ``"elbow"`` if the skeleton has these joints; the axis of a limb that never bends is zero.
    """
    axes: dict[str, Array] = {}
    for hinge, joints in HINGE_ROLES.items():
        if all(f"{joint}.{side}" in clip.skeleton.roles for joint in joints for side in "LR"):
            sums = np.stack([_bone_cross_products(clip, joints, side)[0].sum(axis=0) for side in "LR"])
            axes[hinge] = sums / np.maximum(np.linalg.norm(sums, axis=-1, keepdims=True), 1e-9)
    return axes


def flexion_angles(clip: Clip, axes: Mapping[str, Array]) -> dict[str, Array]:
    """Return the flexion (F, 2), left and right, of knees and elbows, degrees: 0 straight, below 0 hyperextended.

    Args:
        clip: the motion.
        axes: hinge axes from :func:`hinge_axes`, for a clip of this skeleton in which no limb stays hyperextended.
    """
    result: dict[str, Array] = {}
    for hinge, own in axes.items():
        sides = []
        for side, axis in zip("LR", own, strict=True):
            across, along = _bone_cross_products(clip, HINGE_ROLES[hinge], side)
            angle = np.degrees(np.arctan2(np.linalg.norm(across, axis=-1), along))
            sides.append(np.where(across @ axis < 0, -angle, angle))
        result[hinge] = np.stack(sides, axis=-1)
    return result


def _bone_cross_products(clip: Clip, joints: tuple[str, str, str], side: str) -> tuple[Array, Array]:
    """Return the cross product (F, 3) of a limb's two bones, in the upper bone's space, and their dot product (F)."""
    first, middle, last = (clip.skeleton.joint(f"{joint}.{side}") for joint in joints)
    positions, rotations = clip.world
    upper, lower = positions[:, middle] - positions[:, first], positions[:, last] - positions[:, middle]
    return rotate(inverse(rotations[:, first]), np.cross(upper, lower)), np.sum(upper * lower, axis=-1)
