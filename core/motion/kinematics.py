"""Forward kinematics and its inverse in rotations, vectorized over frames."""

import numpy as np

from .rotations import Array, inverse, multiply, rotate
from .skeleton import Skeleton


def forward_kinematics(skeleton: Skeleton, root_positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Return the world positions (..., J, 3), meters, and world rotations (..., J, 4) of a skeleton's joints.

    Args:
        skeleton: skeleton of J joints.
        root_positions: (..., 3) root positions, meters, world.
        rotations: (..., J, 4) rotations, each relative to the joint's parent.
    """
    positions = np.empty((*rotations.shape[:-1], 3))
    turned = np.empty(rotations.shape)
    positions[..., 0, :], turned[..., 0, :] = root_positions, rotations[..., 0, :]
    for joints, parents in skeleton.depth_levels:
        above = turned[..., parents, :]
        turned[..., joints, :] = multiply(above, rotations[..., joints, :])
        positions[..., joints, :] = positions[..., parents, :] + rotate(above, skeleton.offsets[joints])
    return positions, turned


def world_positions(skeleton: Skeleton, root_positions: Array, rotations: Array) -> Array:
    """Return the world positions (..., J, 3), meters, of joints whose world rotations are known.

    Args:
        skeleton: skeleton of J joints.
        root_positions: (..., 3) root positions, meters, world.
        rotations: (..., J, 4) world rotations.
    """
    positions = np.empty((*rotations.shape[:-1], 3))
    positions[..., 0, :] = root_positions
    positions[..., 1:, :] = rotate(rotations[..., list(skeleton.parents[1:]), :], skeleton.offsets[1:])
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        positions[..., joint, :] += positions[..., parent, :]
    return positions


def local_rotations(skeleton: Skeleton, global_rotations: Array) -> Array:
    """Convert world rotations (..., J, 4) to rotations (..., J, 4) relative to the parents."""
    parents = list(skeleton.parents[1:])
    local = global_rotations.copy()
    local[..., 1:, :] = multiply(inverse(global_rotations[..., parents, :]), global_rotations[..., 1:, :])
    return local
