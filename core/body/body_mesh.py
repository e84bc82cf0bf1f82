"""The surface of a body around a skeleton."""

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import inverse, rotate
from .capsules import capsule_body
from .control_cage import ControlCage
from .design_pose import DesignPose
from .foot import add_foot
from .hand import add_hand
from .head import add_head
from .limbs import add_arm, add_leg
from .shape import SHAPES, BodyType
from .skinned_mesh import SkinnedMesh, blend_rigid, rest_positions, strongest
from .subdivision import subdivide
from .trunk import add_trunk


def body_mesh(skeleton: Skeleton, body_type: BodyType = BodyType.MASCULINE) -> SkinnedMesh:
    """Return a skinned surface around a skeleton at rest: a person's body, or rounded limbs if it is not human."""
    pose = DesignPose.of(skeleton)
    return capsule_body(skeleton) if pose is None else _person(pose, body_type)


def _person(pose: DesignPose, body_type: BodyType) -> SkinnedMesh:
    """Return the surface of a person's body of the given type."""
    shape, cage = SHAPES[body_type], ControlCage(len(pose.skeleton))
    trunk = add_trunk(cage, pose, shape)
    add_head(cage, pose, shape, trunk.neck)
    for side in "LR":
        add_hand(cage, pose, shape, side, add_arm(cage, pose, shape, side, trunk.arms[side]))
        add_foot(cage, pose, shape, side, add_leg(cage, pose, side, trunk.legs[side]))
    values, quads, owners = subdivide(*cage.surface())
    points, (joints, weights) = values[:, :3], strongest(values[:, 3:])
    points[:, 2] = np.maximum(points[:, 2], 0.0)
    moves = pose.positions - rotate(pose.rotations, rest_positions(pose.skeleton))
    turns, shifts = blend_rigid(joints, weights, pose.rotations, moves)
    vertices = rotate(inverse(turns), points - shifts)
    return SkinnedMesh(vertices, [tuple(quad) for quad in quads.tolist()], cage.materials[owners], joints, weights)
