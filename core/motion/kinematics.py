"""Forward kinematics and its inverse in rotations, vectorized over frames."""

import numpy as np

from .rotations import Array, inverse, multiply, rotate
from .skeleton import Skeleton


def forward_kinematics(skeleton: Skeleton, root_positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Return the world positions (..., J, 3) and rotations (..., J, 4) of a skeleton's joints.

    Args:
        skeleton: skeleton of J joints.
        root_positions: (..., 3) root positions, meters, world.
        rotations: (..., J, 4) rotations, each relative to the joint's parent.
    """
    turned = np.array(np.moveaxis(rotations, -2, 0), dtype=float, order="C")  # joint by joint in memory
    for joints, parents in skeleton.depth_levels:
        turned[joints] = multiply(turned[parents], turned[joints])
    world = np.ascontiguousarray(np.moveaxis(turned, 0, -2))
    return world_positions(skeleton, root_positions, world), world


def world_positions(skeleton: Skeleton, root_positions: Array, rotations: Array) -> Array:
    """Return the world positions (..., J, 3), meters, of joints whose world rotations are known.

    Args:
        skeleton: skeleton of J joints.
        root_positions: (..., 3) root positions, meters, world.
        rotations: (..., J, 4) world rotations.
    """
    positions = np.empty((len(skeleton), *rotations.shape[:-2], 3))  # joint by joint in memory
    positions[0] = root_positions
    bones = rotate(rotations[..., list(skeleton.parents[1:]), :], skeleton.offsets[1:])
    positions[1:] = np.moveaxis(bones, -2, 0)
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        positions[joint] += positions[parent]
    return np.ascontiguousarray(np.moveaxis(positions, 0, -2))


def local_rotations(skeleton: Skeleton, global_rotations: Array) -> Array:
    """Convert world rotations (..., J, 4) to rotations (..., J, 4) relative to the parents."""
    parents = list(skeleton.parents[1:])
    local = global_rotations.copy()
    local[..., 1:, :] = multiply(inverse(global_rotations[..., parents, :]), global_rotations[..., 1:, :])
    return local
