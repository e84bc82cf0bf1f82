"""Blender's rotation modes: the channels of a rotation, from and to quaternions."""

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array


def rotation_channel(mode: str) -> str:
    """Return the name of the property that holds the rotation in a rotation mode."""
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")


def rotation_interpolation(mode: str) -> str:
    """Return the interpolation for keys on every frame: Bezier for Euler angles, else linear."""
    return "LINEAR" if mode in ("QUATERNION", "AXIS_ANGLE") else "BEZIER"


def rotation_values(rotations: Array, mode: str) -> Array:
    """Convert rotations (F, 4) to a channel's values (F, 3 or 4), as continuous as the rotation mode allows."""
    if mode == "QUATERNION":
        return rot.unroll(rotations)
    if mode == "AXIS_ANGLE":
        return _to_axis_angle(rotations)
    return continuous_euler(quaternion_to_euler(rotations, mode), mode)


def to_quaternions(values: Array, mode: str) -> Array:
    """Convert a channel's values (..., 3 or 4) to quaternions (..., 4), the inverse of :func:`rotation_values`."""
    if mode == "QUATERNION":
        return rot.normalize(values)
    if mode == "AXIS_ANGLE":
        return rot.from_axis_angle(rot.normalize(values[..., 1:]), values[..., 0])
    return euler_to_quaternion(values, mode)


def euler_to_quaternion(angles: Array, mode: str) -> Array:
    """Convert Blender's Euler angles (..., 3: x, y, z) to quaternions (..., 4); mode ``XYZ`` turns about X first."""
    applied_last_first = mode[::-1]
    return rot.from_euler(angles[..., ["XYZ".index(letter) for letter in applied_last_first]], applied_last_first)


def quaternion_to_euler(rotations: Array, mode: str) -> Array:
    """Convert quaternions to angles (..., 3) about x, y and z, the inverse of :func:`euler_to_quaternion`."""
    applied_last_first = mode[::-1]
    angles = rot.to_euler(rotations, applied_last_first)
    return angles[..., [applied_last_first.index(letter) for letter in "XYZ"]]


def continuous_euler(angles: Array, mode: str) -> Array:
    """Return Euler angles (F, 3: x, y, z) for the same rotations, without jumps by half or whole turns.

    Each rotation has two sets of angles, apart from whole turns; the set nearer to the previous frame is chosen.
    """
    first, middle, last = ("XYZ".index(letter) for letter in mode)
    other = angles.copy()
    other[:, [first, last]] += np.pi
    other[:, middle] = np.pi - other[:, middle]
    result = angles.copy()
    for frame in range(1, len(angles)):
        before = result[frame - 1]
        choices = [
            option + 2 * np.pi * np.round((before - option) / (2 * np.pi)) for option in (angles[frame], other[frame])
        ]
        result[frame] = min(choices, key=lambda option: float(np.abs(option - before).sum()))
    return result


def _to_axis_angle(rotations: Array) -> Array:
    """Convert rotations to an angle in [0, 2 pi] and a unit axis (F, 4), as continuous as possible."""
    continuous = rot.unroll(rotations)
    sine = np.linalg.norm(continuous[:, 1:], axis=-1, keepdims=True)
    axes = np.where(sine > 1e-9, continuous[:, 1:] / np.maximum(sine, 1e-9), [0.0, 1.0, 0.0])
    return np.concatenate([2 * np.arctan2(sine, continuous[:, :1]), axes], axis=-1)
