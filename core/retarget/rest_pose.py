"""Rest poses: where bones point in them, which way the body stands, and the poses that everybody knows."""

from typing import Final, Literal

import numpy as np

from ..motion import Skeleton
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

# Which joint a bone leads to.
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
# Two bodies face the same way where less than this, radians, lies between them.
SAME_FACING_RAD: Final = 0.09
# Cosines: legs that hang down and trunks that stand up do so by more than this.
UPRIGHT_COSINE: Final = 0.7
ALIGNED_COSINE: Final = 0.6
# A foot that stands falls towards its toes by an angle whose sine is in this range.
SOLE_SLOPE_SINE_RANGE: Final = (-0.95, 0.15)

KnownPose = Literal["T", "A"]


def rest_position(skeleton: Skeleton, joint: int) -> Array:
    """Return a joint's place (3) in the zero pose, metres from the root."""
    result = np.zeros(3)
    while joint > 0:
        result = result + skeleton.offsets[joint]
        joint = skeleton.parents[joint]
    return result


def bone_vector(skeleton: Skeleton, joint: int, role: str) -> Array:
    """Where a joint's bone points at rest (3): to the first joint away from it on the way to the next role.

    Where there is no next role, it points to the mean of its children, or to its tip.
    """
    step = skeleton.roles.get(NEXT_ROLE.get(role, ""), -1)
    result = skeleton.bone_vectors[max(step, joint)]
    while step > joint:
        if np.linalg.norm(skeleton.offsets[step]) > 1e-3:
            result = skeleton.offsets[step]
        step = skeleton.parents[step]
    return result


def bone_frame(skeleton: Skeleton, role: str) -> Array | None:
    """How a joint is turned at rest (4): its bone, and across the body or along the toes; ``None`` where unknown."""
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
    first = normalize(first)
    second = normalize(second - (second @ first) * first)
    return from_matrix(np.stack([first, second, np.cross(first, second)], axis=-1))


def with_rest_pose(skeleton: Skeleton, pose: Array) -> Skeleton:
    """Return the same body with another zero pose: the one with these world rotations (J, 4)."""
    parents = np.maximum(skeleton.parents, 0)
    offsets = rotate(pose[parents], skeleton.offsets)
    return Skeleton(skeleton.names, skeleton.parents, offsets, rotate(pose, skeleton.tips), skeleton.roles)


def body_rotation(skeleton: Skeleton) -> Array:
    """Return the body's rotation at rest (4): of its left, its back and its up from the world's X, Y and Z.

    Left runs across the thighs, up from the thighs to the top of the trunk; where there is no trunk, from feet to hips.
    """
    roles = skeleton.roles
    left, right = (rest_position(skeleton, skeleton.joint(f"thigh.{side}")) for side in "LR")
    base = (left + right) / 2
    top = next((roles[role] for role in ("neck", "head", "chest") if role in roles), None)
    low = np.mean([rest_position(skeleton, roles[f"shin.{side}"]) for side in "LR"], axis=0)
    up = rest_position(skeleton, top) - base if top is not None else base - low
    across, up = normalize(left - right), normalize(up)
    up = normalize(up - (up @ across) * across)
    return from_matrix(np.stack([across, np.cross(up, across), up], axis=-1))


def heading_between(source: Skeleton, target: Skeleton) -> Array:
    """Return the turn (4) that brings the target at rest to stand and face as the source does.

    Upright bodies differ by a turn about the world's up axis alone, and by none where they nearly face one way; a body
    that lies because of its importer's axes is turned by quarter turns first.
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
    """Return the world's axis (3) along which the body stands at rest: +Z, unless its importer laid it down."""
    up = rotate(body_rotation(skeleton), np.eye(3)[2])
    axis = int(np.argmax(np.abs(up)))
    return np.eye(3)[axis] * np.sign(up[axis])


def _nearest_quarter_turn(rotation: Array) -> Array:
    """Return the nearest of the 24 rotations (4) that bring the axes to axes."""
    quarters = [from_axis_angle(axis, turns * np.pi / 2) for axis in np.eye(3) for turns in range(4)]
    every = np.array([multiply(a, b) for a in quarters for b in quarters])
    return every[np.argmax(np.abs(every @ rotation))]


def is_standing(skeleton: Skeleton) -> bool:
    """Whether the zero pose is somebody standing, whatever the arms do: then it says how trunk and soles are at rest.

    In some files it is not (ACCAD's limbs all lie along one axis): there it says nothing but the bones' lengths.
    """
    roles = skeleton.roles
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
    """World rotations (J, 4) of a T-pose or an A-pose: legs straight down, arms to the sides, or halfway down.

    The rest of the body is as in the zero pose.
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
        above = result[parent] if parent >= 0 and joint not in feet and _in_limb(skeleton, joint, goals) else IDENTITY
        result[joint] = above if role_turn is None else role_turn
    return result


def _in_limb(skeleton: Skeleton, joint: int, goals: dict[int, Array]) -> bool:
    while joint >= 0:
        if joint in goals:
            return True
        joint = skeleton.parents[joint]
    return False
