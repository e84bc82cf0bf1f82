"""Elbows and knees as hinges: how a limb is turned about its own bone, which the places of joints hardly show.

At rest a rig's elbow is bent a little, which shows the axis about which it bends. An actor's zero pose need not show it
(a T-pose has straight arms), but the actor's motion does. Upper and lower limb are turned about their bones until both
agree; the joints' places stay, and skin does not wring at the elbow.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.rotations import Array, from_axis_angle, inverse, multiply, normalize, rotate
from . import rest_pose
from .calibration import Calibration

HINGED_LIMBS: Final = {"upper_arm": ("forearm", "hand"), "thigh": ("shin", "foot")}
# Sine of the bend from which a rest pose shows its hinge: two degrees.
MIN_REST_BEND_SINE: Final = 0.035
# Sine of the bend from which a frame counts, and how many seconds of such frames are needed.
MIN_FRAME_BEND_SINE: Final = 0.2
MIN_BENT_TIME_S: Final = 0.25
# Length of the mean axis of a hinge that is one; a limb that is tossed about has none.
MIN_MEAN_AXIS_LENGTH: Final = 0.8
# A limb is turned by no more than this, radians: more is no roll but another way to name its bones.
MAX_ROLL_RAD: Final = 1.6


def align_hinges(calibration: Calibration, clip: Clip) -> Calibration:
    """Return the calibration, upper and lower limbs turned about their bones so that hinges agree with those of a clip.

    Args:
        calibration: of the clip's skeleton to another one.
        clip: motion in which elbows and knees bend.
    """
    source, target = calibration.source, calibration.target
    offsets = list(calibration.rotation_offsets)
    for side in "LR":
        for part, (lower, end) in HINGED_LIMBS.items():
            roles = (f"{part}.{side}", f"{lower}.{side}", f"{end}.{side}")
            if any(role not in skeleton.roles for role in roles for skeleton in (source, target)):
                continue
            theirs, mine = motion_hinge(clip, roles), rest_hinge(target, roles)
            if mine is None and roles[0] in calibration.hinges:
                mine = calibration.hinges
            if theirs is None or mine is None:
                continue
            for role in roles[:2]:
                joint, other = target.roles[role], source.roles[role]
                if calibration.source_joints[joint] != ((other, 1.0),):
                    continue
                bone = normalize(rest_pose.bone_vector(source, other, role))
                angle = _angle_about(bone, rotate(offsets[joint][0], mine[role]), theirs[role])
                if abs(angle) < MAX_ROLL_RAD:
                    offsets[joint] = multiply(from_axis_angle(bone, angle), offsets[joint])
    return replace(calibration, rotation_offsets=tuple(offsets))


def hinge_axes(clip: Clip) -> dict[str, Array]:
    """Return the axes (3) about which a clip's elbows and knees bend, by role, in the frames of upper and lower
    limbs.
    """
    result: dict[str, Array] = {}
    for side in "LR":
        for part, (lower, end) in HINGED_LIMBS.items():
            roles = (f"{part}.{side}", f"{lower}.{side}", f"{end}.{side}")
            if all(role in clip.skeleton.roles for role in roles):
                result |= motion_hinge(clip, roles) or {}
    return result


def rest_hinge(skeleton: Skeleton, roles: tuple[str, str, str]) -> Mapping[str, Array] | None:
    """Return the axis (3) about which a limb bends, in both joints' frames; ``None`` where it is straight at rest."""
    upper, lower, _ = roles
    along = [normalize(rest_pose.bone_vector(skeleton, skeleton.roles[role], role)) for role in (upper, lower)]
    axis = np.cross(along[0], along[1])
    return {upper: normalize(axis), lower: normalize(axis)} if np.linalg.norm(axis) > MIN_REST_BEND_SINE else None


def motion_hinge(clip: Clip, roles: tuple[str, str, str]) -> Mapping[str, Array] | None:
    """Return the mean axis (3) about which a limb bends in a clip, in upper and lower joint's frames.

    ``None`` where the limb is too rarely bent, or not about one axis.
    """
    positions, world = clip.world
    first, middle, last = (clip.skeleton.roles[role] for role in roles)
    axis = np.cross(
        normalize(positions[:, middle] - positions[:, first]), normalize(positions[:, last] - positions[:, middle])
    )
    bent = np.linalg.norm(axis, axis=-1) > MIN_FRAME_BEND_SINE
    if bent.sum() < MIN_BENT_TIME_S * clip.rate:
        return None
    result: dict[str, Array] = {}
    for role, joint in zip(roles[:2], (first, middle), strict=True):
        mean = rotate(inverse(world[bent, joint]), normalize(axis[bent])).mean(axis=0)
        if np.linalg.norm(mean) < MIN_MEAN_AXIS_LENGTH:
            return None
        result[role] = normalize(mean)
    return result


def _angle_about(axis: Array, a: Array, b: Array) -> float:
    """Return the angle about an axis (3) from one direction (3) to another."""
    across = np.cross(axis, a)
    return float(np.arctan2(across @ b, np.cross(across, axis) @ b))
