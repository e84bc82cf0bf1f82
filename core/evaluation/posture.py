"""Angles of trunk, pelvis, chest, arms and feet relative to the vertical and a line of travel, for any rig axes.

All are derived from positions of joints, so that skeletons with different rest poses and bone axes are comparable.
"""

import numpy as np

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import Array, normalize


def trunk_vectors(clip: Clip) -> Array:
    """Return the vectors (F, 3), meters, world, from hips to neck, or to head or chest in a body without a neck.

    Raises:
        FootfallError: the skeleton lacks hips, or neck, head and chest.
    """
    roles = clip.skeleton.roles
    top = next((roles[role] for role in ("neck", "head", "chest") if role in roles), None)
    if top is None:
        raise FootfallError("This skeleton has no neck, head or chest to measure its lean from: map one of them")
    return clip.positions[:, top] - clip.positions[:, clip.skeleton.joint("hips")]


def trunk_lean(clip: Clip) -> Array:
    """Return the angle (F) of the trunk from the vertical, degrees."""
    trunk = trunk_vectors(clip)
    return np.degrees(np.arctan2(np.linalg.norm(trunk[:, :2], axis=-1), trunk[:, 2]))


def directed_lean(vectors: Array, heading: Array) -> tuple[Array, Array]:
    """Return the lean of vectors from the vertical, degrees: forward along a heading (F), and to its right (F).

    Args:
        vectors: (F, 3) vectors, world, such as :func:`trunk_vectors`.
        heading: (F, 2) or (2) unit direction of travel.
    """
    right = np.stack([heading[..., 1], -heading[..., 0]], axis=-1)
    ahead, side = np.sum(vectors[:, :2] * heading, axis=-1), np.sum(vectors[:, :2] * right, axis=-1)
    return np.degrees(np.arctan2(ahead, vectors[:, 2])), np.degrees(np.arctan2(side, vectors[:, 2]))


def across_vectors(clip: Clip, part: str) -> Array | None:
    """Return the vectors (F, 3), meters, world, from the right joint of a pair to the left; ``None`` if one is missing.

    Args:
        clip: the motion.
        part: role without side: ``"thigh"`` for the line across the pelvis, ``"upper_arm"`` for that across the chest.
    """
    roles = clip.skeleton.roles
    if f"{part}.L" not in roles or f"{part}.R" not in roles:
        return None
    return clip.positions[:, roles[f"{part}.L"]] - clip.positions[:, roles[f"{part}.R"]]


def line_yaw(across: Array) -> Array:
    """Return the yaw (F), degrees, without jumps at 180, of vectors across the body (F, 3); left is positive."""
    return np.degrees(np.unwrap(np.arctan2(across[:, 1], across[:, 0])))


def line_tilt(across: Array) -> Array:
    """Return the elevation (F), degrees, of vectors from right to left (F, 3); positive if the left side is higher."""
    return np.degrees(np.arctan2(across[:, 2], np.linalg.norm(across[:, :2], axis=-1)))


def arm_vectors(clip: Clip, side: str) -> Array | None:
    """Return the vectors (F, 3), meters, world, from shoulder to elbow; ``None`` if the body has no arms.

    Args:
        clip: the motion.
        side: ``"L"`` or ``"R"``.
    """
    roles = clip.skeleton.roles
    if f"upper_arm.{side}" not in roles or f"forearm.{side}" not in roles:
        return None
    return clip.positions[:, roles[f"forearm.{side}"]] - clip.positions[:, roles[f"upper_arm.{side}"]]


def foot_elevation(clip: Clip, side: str) -> Array | None:
    """Return the elevation (F) of a foot's toe above its ankle, degrees; ``None`` if there is no toe.

    Args:
        clip: the motion.
        side: ``"L"`` or ``"R"``.
    """
    roles = clip.skeleton.roles
    if f"toe.{side}" not in roles:
        return None
    sole = normalize(clip.positions[:, roles[f"toe.{side}"]] - clip.positions[:, roles[f"foot.{side}"]])
    return np.degrees(np.arcsin(np.clip(sole[:, 2], -1.0, 1.0)))
