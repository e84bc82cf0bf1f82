"""Elbows and knees as hinges: their axes give the roll of limbs about their bones, which joint positions hardly show.

A rig's elbow is slightly bent at rest, which shows its hinge axis. An actor's rest pose may not show the axis (arms are
straight in a T-pose), but the motion does (cf. O'Brien et al. 2000). Upper and lower limb are rolled about their bones
until the axes of rig and actor agree; joint positions stay the same, and skin does not twist at the elbow.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.rotations import Array, from_axis_angle, inverse, multiply, normalize, rotate, signed_angle_about
from . import rest_pose
from .calibration import Calibration

HINGED_LIMBS: Final = {"upper_arm": ("forearm", "hand"), "thigh": ("shin", "foot")}
"""Second and third body part of each limb, by its first part."""
MIN_REST_BEND_SINE: Final = 0.035
"""Sine of the bend above which a rest pose shows its hinge: two degrees."""
MIN_FRAME_BEND_SINE: Final = 0.2
"""Sine of the bend above which a frame of motion shows the hinge."""
MIN_BENT_TIME_S: Final = 0.25
"""Total duration of bent frames that makes a hinge reliable."""
MIN_MEAN_AXIS_LENGTH: Final = 0.8
"""Length of the mean of unit axes above which they belong to one hinge; freely swinging limbs have none."""
MIN_AHEAD_SINE: Final = 0.5
"""Least sine of the angle between an arm at rest and the forward direction for the latter to determine the elbow's
axis."""
MAX_ROLL_RAD: Final = 1.6
"""Largest plausible roll of a limb about its bone; a larger one means that bones are mapped to the wrong roles."""


def align_hinges(calibration: Calibration, clip: Clip) -> Calibration:
    """Return a calibration with limbs rolled about their bones until elbows and knees bend about the clip's axes.

    Args:
        calibration: calibration of the clip's skeleton to another skeleton.
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
            if mine is None and part == "upper_arm":
                mine = anatomical_elbow(target, roles)
            if theirs is None or mine is None:
                continue
            for role in roles[:2]:
                joint, other = target.roles[role], source.roles[role]
                if calibration.source_joints[joint] != ((other, 1.0),):
                    continue
                bone = normalize(rest_pose.bone_vector(source, other, role))
                angle = signed_angle_about(bone, rotate(offsets[joint][0], mine[role]), theirs[role])
                if abs(angle) < MAX_ROLL_RAD:
                    offsets[joint] = multiply(from_axis_angle(bone, angle), offsets[joint])
    return replace(calibration, rotation_offsets=tuple(offsets))


def hinge_axes(clip: Clip) -> dict[str, Array]:
    """Return the mean unit axes (3) about which elbows and knees bend in a clip, by role of the upper and lower joint.

    Each axis is in the frame of its joint; limbs that hardly bend are missing.
    """
    result: dict[str, Array] = {}
    for side in "LR":
        for part, (lower, end) in HINGED_LIMBS.items():
            roles = (f"{part}.{side}", f"{lower}.{side}", f"{end}.{side}")
            if all(role in clip.skeleton.roles for role in roles):
                result |= motion_hinge(clip, roles) or {}
    return result


def rest_hinge(skeleton: Skeleton, roles: tuple[str, str, str]) -> Mapping[str, Array] | None:
    """Return a limb's unit hinge axis (3) at rest, for its upper and its lower role; ``None`` if it is straight."""
    upper, lower, _ = roles
    along = [normalize(rest_pose.bone_vector(skeleton, skeleton.roles[role], role)) for role in (upper, lower)]
    axis = np.cross(along[0], along[1])
    return {upper: normalize(axis), lower: normalize(axis)} if np.linalg.norm(axis) > MIN_REST_BEND_SINE else None


def anatomical_elbow(skeleton: Skeleton, roles: tuple[str, str, str]) -> Mapping[str, Array] | None:
    """Return the unit axis (3) about which a straight arm's elbow flexes forward, for its upper and its lower role.

    A T-pose with straight arms does not show its elbow axes; skin bound in it is modeled for this axis. ``None`` for an
    arm that points forward, and for a rest pose that does not stand.
    """
    if not rest_pose.is_standing(skeleton):
        return None
    back = rotate(rest_pose.body_rotation(skeleton), np.array([0.0, 1.0, 0.0]))
    axis = np.cross(normalize(rest_pose.bone_vector(skeleton, skeleton.roles[roles[0]], roles[0])), -back)
    if np.linalg.norm(axis) < MIN_AHEAD_SINE:
        return None
    return dict.fromkeys(roles[:2], normalize(axis))


def motion_hinge(clip: Clip, roles: tuple[str, str, str]) -> Mapping[str, Array] | None:
    """Return the mean hinge axis of a limb in a clip, in the local frame of each of its two bones.

    Args:
        clip: the motion.
        roles: roles of the limb's upper, middle and end joint, such as thigh, shin and foot.

    Returns:
        Unit axes (3) by the role of the upper and of the middle joint, each in the frame of that joint; ``None`` if the
        limb is bent too rarely, or not about a single axis.
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
