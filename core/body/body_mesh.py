"""The surface of a person around a skeleton."""

from enum import IntEnum

import numpy as np

from ..motion import Skeleton
from ..motion.rotations import Array, rotate
from .control_cage import ControlCage
from .design_pose import DesignPose
from .foot import add_foot
from .hand import add_hand
from .head import add_head
from .limbs import add_arm, add_leg
from .shape import SHAPES, BodyType
from .skinned_mesh import SkinnedMesh, strongest, unposed
from .subdivision import subdivide
from .trunk import add_trunk


class Material(IntEnum):
    """Parts of a body that are colored apart."""

    TRUNK = 0
    LEFT = 1
    RIGHT = 2
    FACE = 3


def body_mesh(skeleton: Skeleton, body_type: BodyType, stance: Array | None = None) -> SkinnedMesh | None:
    """Return the surface of a person; ``None`` if the skeleton is not known to be one."""
    pose = DesignPose.of(skeleton, stance)
    if pose is None:
        return None
    shape, cage = SHAPES[body_type], ControlCage(len(skeleton))
    trunk = add_trunk(cage, pose, shape, Material.TRUNK)
    add_head(cage, pose, shape, trunk.neck, Material.TRUNK, Material.FACE)
    for side, material in (("L", Material.LEFT), ("R", Material.RIGHT)):
        add_hand(cage, pose, shape, side, add_arm(cage, pose, shape, side, trunk.arms[side], material), material)
        add_foot(cage, pose, shape, side, add_leg(cage, pose, shape, side, trunk.legs[side], material), material)
    values, quads, owners = subdivide(*cage.surface())
    points, (joints, weights) = values[:, :3], strongest(values[:, 3:])
    points[:, 2] = np.maximum(points[:, 2], 0.0)
    moves = pose.positions - rotate(pose.rotations, _rest_positions(skeleton))
    vertices = unposed(points, joints, weights, pose.rotations, moves)
    return SkinnedMesh(vertices, [tuple(quad) for quad in quads.tolist()], cage.materials[owners], joints, weights)


def _rest_positions(skeleton: Skeleton) -> Array:
    """Return the places (J, 3) of the joints at rest, meters from the root."""
    places = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        places[joint] = places[parent] + skeleton.offsets[joint]
    return places
