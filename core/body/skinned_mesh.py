"""A mesh skinned to joints by dual quaternions (Kavan, Collins, Zara and O'Sullivan 2007)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Skeleton
from ..motion.rotations import Array, inverse, multiply, rotate

MAX_INFLUENCE_COUNT: Final = 4
"""Largest number of joints that move a vertex."""


class Material(IntEnum):
    """Material slots of a body mesh: trunk, left limbs, right limbs and visor."""

    TRUNK = 0
    LEFT = 1
    RIGHT = 2
    VISOR = 3

    @staticmethod
    def of_side(side: str) -> "Material":
        """Return the material of limbs on side ``"L"`` or ``"R"``, or that of the trunk for any other side."""
        return {"L": Material.LEFT, "R": Material.RIGHT}.get(side, Material.TRUNK)


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """A skinned mesh in the skeleton's rest pose.

    Attributes:
        vertices: (V, 3) positions at rest, meters, relative to the root joint.
        faces: vertex indices of each polygon, counterclockwise as seen from outside.
        materials: the :class:`Material` of each polygon.
        joints: (V, 4) indices of the joints that move each vertex.
        weights: (V, 4) weights of these joints, which sum to 1.
    """

    vertices: Array
    faces: list[tuple[int, ...]]
    materials: NDArray[np.intp]
    joints: NDArray[np.intp]
    weights: Array

    def blended(self, skeleton: Skeleton, positions: Array, rotations: Array) -> tuple[Array, Array]:
        """Return the rotations (V, 4) and translations (V, 3), meters, that move the vertices from rest to a pose.

        Args:
            skeleton: skeleton of the mesh.
            positions: (J, 3) positions of the joints in the pose, meters.
            rotations: (J, 4) world rotations in the pose; the identity at rest.
        """
        moves = positions - rotate(rotations, rest_positions(skeleton))
        return blend_rigid(self.joints, self.weights, rotations, moves)

    def posed(self, skeleton: Skeleton, positions: Array, rotations: Array) -> Array:
        """Return the positions (V, 3) of the vertices in a pose, meters; the arguments are those of :meth:`blended`."""
        turns, moves = self.blended(skeleton, positions, rotations)
        return rotate(turns, self.vertices) + moves


def rest_positions(skeleton: Skeleton) -> Array:
    """Return the positions (J, 3) of the joints at rest, meters from the root."""
    places = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        places[joint] = places[parent] + skeleton.offsets[joint]
    return places


def blend_rigid(joints: NDArray[np.intp], weights: Array, rotations: Array, moves: Array) -> tuple[Array, Array]:
    """Return the rotations (V, 4) and translations (V, 3), meters, of vertices, blended by dual quaternions.

    Args:
        joints: (V, 4) indices of the joints that move each vertex; quaternion signs follow the first of them.
        weights: (V, 4) weights of the joints.
        rotations: (J, 4) rotations of the joints from rest.
        moves: (J, 3) translations of the joints after the rotations, meters.
    """
    dual = 0.5 * multiply(np.concatenate([np.zeros((len(moves), 1)), moves], axis=-1), rotations)
    real = rotations[joints]
    signs = np.where(np.sum(real * real[:, :1], axis=-1) < 0, -1.0, 1.0) * weights
    turn, shift = np.einsum("vk,vkc->vc", signs, real), np.einsum("vk,vkc->vc", signs, dual[joints])
    size = np.linalg.norm(turn, axis=-1, keepdims=True)
    turn, shift = turn / size, shift / size
    return turn, 2 * multiply(shift, inverse(turn))[:, 1:]


def strongest(weights: Array) -> tuple[NDArray[np.intp], Array]:
    """Return the four joints with the largest weights at each vertex, given the weights (V, J) of all joints.

    Returns:
        The joints (V, 4) and their weights (V, 4), which sum to 1.
    """
    joints = np.argsort(-weights, axis=-1, kind="stable")[:, :MAX_INFLUENCE_COUNT]
    shares = np.take_along_axis(weights, joints, axis=-1)
    return joints, shares / shares.sum(axis=-1, keepdims=True)
