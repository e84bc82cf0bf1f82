"""A character's own mesh, bound to the joints of its skeleton."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion import Skeleton
from ..motion.rotations import Array, rotate
from .skinned_mesh import blend_rigid, rest_positions


@dataclass(frozen=True, eq=False)
class BoundSkin:
    """Vertices of a character's mesh at rest, with skin weights.

    Attributes:
        vertices: (V, 3) positions at rest, meters, relative to the root joint.
        joints: (V, K) indices of the joints that move each vertex, the strongest first.
        weights: (V, K) weights of these joints, which sum to 1.
        keeps_volume: (V) whether the vertex is skinned by dual quaternions (true) or linearly.
    """

    vertices: Array
    joints: NDArray[np.intp]
    weights: Array
    keeps_volume: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.vertices)

    def shares(self, joints: set[int]) -> Array:
        """Return the sum (V), 0 to 1, of the skin weights of the given joints at each vertex."""
        return np.where(np.isin(self.joints, list(joints)), self.weights, 0.0).sum(axis=1)

    def posed(self, skeleton: Skeleton, positions: Array, rotations: Array) -> Array:
        """Return the positions (V, 3) of the vertices in a pose, meters, world.

        Args:
            skeleton: skeleton of the skin.
            positions: (J, 3) positions of the joints in the pose, meters.
            rotations: (J, 4) world rotations in the pose; the identity at rest.
        """
        moves = positions - rotate(rotations, rest_positions(skeleton))
        each = rotate(rotations[self.joints], self.vertices[:, None]) + moves[self.joints]
        linear = np.einsum("vk,vkc->vc", self.weights, each)
        if not self.keeps_volume.any():
            return linear
        turns, shifts = blend_rigid(self.joints, self.weights, rotations, moves)
        return np.where(self.keeps_volume[:, None], rotate(turns, self.vertices) + shifts, linear)
