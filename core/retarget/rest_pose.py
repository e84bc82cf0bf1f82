"""Rest poses: bone directions, orientation of the body, and T- and A-poses."""

from typing import Final, Literal

import numpy as np

from ..motion import Skeleton
from ..motion.paws import stands_on_four
from ..motion.roles import is_quadruped
from ..motion.rotations import (
    IDENTITY,
    Array,
    from_axis_angle,
    from_matrix,
    inverse,
    multiply,
    normalize,
    rotate,
    rotation_between,
)
from .trunk import spine_joints

NEXT_ROLE: Final = {
    "hips": "spine",
    "spine": "chest",
    "chest": "neck",
    "neck": "head",
    **{
        f"{part}.{side}": f"{following}.{side}"
        for side in "LR"
        for part, following in (
            ("shoulder", "upper_arm"),
            ("upper_arm", "forearm"),
            ("forearm", "hand"),
            ("thigh", "shin"),
            ("shin", "foot"),
            ("foot", "toe"),
            ("front_shoulder", "front_thigh"),
            ("front_thigh", "front_shin"),
            ("front_shin", "front_foot"),
            ("front_foot", "front_toe"),
        )
    },
}
"""Role of the joint at the end of each role's bone."""
SAME_FACING_RAD: Final = 0.09
"""Angle between the facings of two bodies below which they count as equal."""
UPRIGHT_COSINE: Final = 0.7
"""Least cosine of the angle to the vertical of upright legs and bodies, and of raised arms to the side."""
ALIGNED_COSINE: Final = 0.6
"""Least cosine of the angle to the vertical of an upright trunk's bones, and to the front of forward feet."""
SOLE_SLOPE_SINE_RANGE: Final = (-0.95, 0.15)
"""Range of the sine of a standing foot's slope from ankle to toe; negative is downward."""

KnownPose = Literal["T", "A"]


def rest_position(skeleton: Skeleton, joint: int) -> Array:
    """Return a joint's position (3) in the rest pose, meters, relative to the skeleton's first joint."""
    result = np.zeros(3)
    while joint > 0:
        result = result + skeleton.offsets[joint]
        joint = skeleton.parents[joint]
    return result


def bone_vector(skeleton: Skeleton, joint: int, role: str) -> Array:
    """Return the vector (3), meters, of a joint's bone at rest, to the next joint on the way to the next body part.

    Joints at the same place are passed over. Without a next body part, the bone points to the mean of the joint's
    children, or to its tip.

    Args:
        skeleton: skeleton of the joint.
        joint: index of the joint.
        role: role of the joint, ``""`` for none.
    """
    step = skeleton.roles.get(NEXT_ROLE.get(role, ""), -1)
    result = skeleton.bone_vectors[max(step, joint)]
    while step > joint:
        if np.linalg.norm(skeleton.offsets[step]) > 1e-3:
            result = skeleton.offsets[step]
        step = skeleton.parents[step]
    return result


def bone_frame(skeleton: Skeleton, role: str) -> Array | None:
    """Return the rotation (4) of a joint's bone at rest: the first axis along the bone, the second fixes its roll.

    The second axis leans across the body or along shin or toes; ``None`` if either direction is unknown.
    """
    roles, side = skeleton.roles, role[-1:]
    across = {"hips": "thigh", "chest": "upper_arm"}.get(role)
    if across:
        pair = [roles.get(f"{across}.{side}") for side in "LR"]
        if role not in roles or None in pair or NEXT_ROLE[role] not in roles:
            return None
        left, right = (rest_position(skeleton, joint) for joint in pair if joint is not None)
        second = left - right
    elif role.startswith(("thigh.", "shin.")) and f"toe.{side}" in roles:
        second = skeleton.offsets[roles[f"toe.{side}"]]
    elif role.startswith("foot.") and f"toe.{side}" in roles:
        second = skeleton.offsets[roles[role]]
    else:
        return None
    return _frame_from_vectors(bone_vector(skeleton, roles[role], role), second)


def _frame_from_vectors(first: Array, second: Array) -> Array:
    """Return the rotation (4) whose first axis is along ``first`` and whose second axis leans toward ``second``."""
    first = normalize(first)
    second = normalize(second - (second @ first) * first)
    return from_matrix(np.stack([first, second, np.cross(first, second)], axis=-1))


def with_rest_pose(skeleton: Skeleton, pose: Array) -> Skeleton:
    """Return the skeleton whose rest pose is the pose of this one with world rotations ``pose`` (J, 4)."""
    parents = np.maximum(skeleton.parents, 0)
    offsets = rotate(pose[parents], skeleton.offsets)
    return Skeleton(skeleton.names, skeleton.parents, offsets, rotate(pose, skeleton.tips), skeleton.roles)


def body_rotation(skeleton: Skeleton) -> Array:
    """Return the body's rotation at rest (4), which maps the world's X, Y and Z to its left, back and up.

    Left is across the thighs; up is from the thighs to the top of the trunk, or without a trunk from feet to hips. The
    back direction of a quadruped is from its shoulders to its hips.
    """
    roles = skeleton.roles
    left, right = (rest_position(skeleton, skeleton.joint(f"thigh.{side}")) for side in "LR")
    base = (left + right) / 2
    if is_quadruped(roles):
        shoulders = np.mean([rest_position(skeleton, roles[f"front_thigh.{side}"]) for side in "LR"], axis=0)
        across, back = normalize(left - right), base - shoulders
        back = normalize(back - (back @ across) * across)
        return from_matrix(np.stack([across, back, np.cross(across, back)], axis=-1))
    top = next((roles[role] for role in ("neck", "head", "chest") if role in roles), None)
    low = np.mean([rest_position(skeleton, roles[f"shin.{side}"]) for side in "LR"], axis=0)
    up = rest_position(skeleton, top) - base if top is not None else base - low
    across, up = normalize(left - right), normalize(up)
    up = normalize(up - (up @ across) * across)
    return from_matrix(np.stack([across, np.cross(up, across), up], axis=-1))


def heading_between(source: Skeleton, target: Skeleton) -> Array:
    """Return the world rotation (4) that turns the target at rest to the source's orientation and facing.

    For upright bodies it is about the world's up axis, and the identity if they face nearly alike; a body that lies
    because of its importer's axes is first turned by quarter turns.
    """
    mine, theirs = body_rotation(target), body_rotation(source)
    left, _, up = np.eye(3)
    whole = multiply(theirs, inverse(mine))
    leaning = rotate(mine, up) @ rotate(theirs, up) < UPRIGHT_COSINE
    tilt = _nearest_quarter_turn(whole) if leaning else IDENTITY
    axis, across, goal = up_axis(source), rotate(multiply(tilt, mine), left), rotate(theirs, left)
    angle = float(np.arctan2(np.cross(across, goal) @ axis, across @ goal))
    return tilt if abs(angle) < SAME_FACING_RAD else multiply(from_axis_angle(axis, angle), tilt)


def up_axis(skeleton: Skeleton) -> Array:
    """Return the world axis (3) along which the body stands at rest: +Z, unless an importer laid the body down."""
    up = rotate(body_rotation(skeleton), np.eye(3)[2])
    axis = int(np.argmax(np.abs(up)))
    return np.eye(3)[axis] * np.sign(up[axis])


def _nearest_quarter_turn(rotation: Array) -> Array:
    """Return the rotation (4) nearest to ``rotation`` among the 24 that map axes to axes."""
    quarters = [from_axis_angle(axis, turns * np.pi / 2) for axis in np.eye(3) for turns in range(4)]
    every = np.array([multiply(a, b) for a in quarters for b in quarters])
    return every[np.argmax(np.abs(every @ rotation))]


def is_standing(skeleton: Skeleton) -> bool:
    """Return whether the body stands in its rest pose, with the arms in any position.

    A standing rest pose shows the orientation of trunk and soles. Others only show the lengths of bones, as in ACCAD,
    where all limbs point along one axis.
    """
    roles = skeleton.roles
    if is_quadruped(roles):
        return stands_on_four(skeleton)
    axes = body_rotation(skeleton)
    left, back, up = rotate(np.stack([axes] * 3), np.eye(3))
    legs = [
        normalize(bone_vector(skeleton, roles[f"{part}.{side}"], f"{part}.{side}"))
        for part in ("thigh", "shin")
        for side in "LR"
    ]
    trunk = [normalize(bone_vector(skeleton, joint, "")) for joint in spine_joints(skeleton)[:-1]]
    trunk = [bone for bone in trunk if np.linalg.norm(bone) > 0]
    if any(bone @ up > -UPRIGHT_COSINE for bone in legs) or any(bone @ up < ALIGNED_COSINE for bone in trunk):
        return False
    if all(f"upper_arm.{side}" in roles for side in "LR"):
        across = rest_position(skeleton, roles["upper_arm.L"]) - rest_position(skeleton, roles["upper_arm.R"])
        if normalize(across) @ left < UPRIGHT_COSINE:
            return False
    for side in "LR":
        if f"toe.{side}" in roles:
            foot = normalize(skeleton.offsets[roles[f"toe.{side}"]])
            if (
                not SOLE_SLOPE_SINE_RANGE[0] < foot @ up < SOLE_SLOPE_SINE_RANGE[1]
                or normalize(foot - (foot @ up) * up) @ back > -ALIGNED_COSINE
            ):
                return False
    return True


def make_known_pose(skeleton: Skeleton, pose: KnownPose) -> Array:
    """Return world rotations (J, 4), from rest, of a T-pose (arms to the sides) or an A-pose (arms halfway down).

    The legs are straight down; the rest of the body is as in the rest pose.
    """
    axes = body_rotation(skeleton)
    left, _, up = rotate(np.stack([axes] * 3), np.eye(3))
    result = np.tile(IDENTITY, (len(skeleton), 1))
    goals: dict[int, Array] = {}
    for side, out in (("L", left), ("R", -left)):
        arm = out if pose == "T" else normalize(out - up)
        for part, goal in (("upper_arm", arm), ("forearm", arm), ("thigh", -up), ("shin", -up)):
            role = f"{part}.{side}"
            if role in skeleton.roles:
                joint = skeleton.roles[role]
                goals[joint] = rotation_between(bone_vector(skeleton, joint, role), goal)
    feet = [skeleton.roles.get(f"{part}.{side}") for side in "LR" for part in ("foot", "toe")]
    for joint, parent in enumerate(skeleton.parents):
        role_turn = goals.get(joint)
        above = result[parent] if parent >= 0 and joint not in feet else IDENTITY
        result[joint] = above if role_turn is None else role_turn
    return result
