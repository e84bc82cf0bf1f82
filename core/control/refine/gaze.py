"""Gaze: head and neck are turned to what a character looks at, as far as they can."""

from typing import Final

import numpy as np
import scipy

from ...motion import Clip, Skeleton
from ...motion.limb_ik import rest_forward_direction, with_world_rotations
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import Array, from_axis_angle, multiply, rotate, rotation_about_up, wrap_angle

MAX_YAW_RAD, MAX_PITCH_RAD = 1.2, 0.6
"""Largest angles between the faces of head and trunk."""
NECK_SHARE: Final = 0.4
"""Share of the turn that the neck does."""
SMOOTHING_S: Final = 0.15
"""Standard deviation of the Gaussian that smooths the angles."""


def look_at(clip: Clip, targets: Array) -> Clip:
    """Return a motion whose head is turned to a point at each frame; one without a head as it is.

    Args:
        clip: F frames.
        targets: (F, 3) meters, world.
    """
    skeleton = clip.skeleton
    if "head" not in skeleton.roles:
        return clip
    head, sigma = skeleton.roles["head"], SMOOTHING_S * clip.rate
    rotations = clip.world[1].copy()
    ahead = rotate(rotations[:, head], np.broadcast_to(rest_forward_direction(skeleton), (len(clip), 3)))
    there = targets - clip.positions[:, head]
    body = root_track(clip).yaws
    yaw = np.clip(wrap_angle(yaw_of(there[:, :2]) - body), -MAX_YAW_RAD, MAX_YAW_RAD)
    pitch = np.clip(_pitch(there), -MAX_PITCH_RAD, MAX_PITCH_RAD)
    yaw, pitch = (scipy.ndimage.gaussian_filter1d(angle, sigma, mode="nearest") for angle in (yaw, pitch))
    turn, nod = wrap_angle(body + yaw - yaw_of(ahead[:, :2])), pitch - _pitch(ahead)
    joints = [(below, 1.0) for below in _descendants(skeleton, head)]
    if "neck" in skeleton.roles:
        joints.append((skeleton.roles["neck"], NECK_SHARE))
    right = rotate(rotation_about_up(body + yaw), np.array([1.0, 0.0, 0.0]))
    for joint, share in joints:
        turned = multiply(rotation_about_up(share * turn), rotations[:, joint])
        rotations[:, joint] = multiply(from_axis_angle(right, share * nod), turned)
    return with_world_rotations(clip, clip.root_positions, rotations)


def face_of(clip: Clip) -> Array:
    """Return the points (F, 3), meters, at which others look: the head, or the hips of a body without one."""
    roles = clip.skeleton.roles
    return clip.positions[:, roles["head" if "head" in roles else "hips"]]


def _pitch(directions: Array) -> Array:
    """Return the angles (F) of directions (F, 3) above the horizon, radians."""
    return np.arctan2(directions[:, 2], np.linalg.norm(directions[:, :2], axis=-1))


def _descendants(skeleton: Skeleton, joint: int) -> list[int]:
    """Return a joint and all joints below it."""
    found = [joint]
    for other, parent in enumerate(skeleton.parents):
        if parent in found:
            found.append(other)
    return found
