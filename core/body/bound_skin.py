"""A character's own skin, which its rig deforms: vertices, and the joints of the body that they follow."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion import Skeleton
from ..motion.rotations import Array, rotate
from .skinned_mesh import blend_rigid, rest_positions


@dataclass(frozen=True, eq=False)
class BoundSkin:
    """The vertices of a skin at the skeleton's rest pose.

    Attributes:
        vertices: (V, 3) vertices, meters from the root joint.
        joints: (V, K) the joints that a vertex follows, the strongest first.
        weights: (V, K) their shares, which sum to 1.
        keeps_volume: (V) whether the joints are blended by dual quaternions, and not linearly.
    """

    vertices: Array
    joints: NDArray[np.intp]
    weights: Array
    keeps_volume: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.vertices)

    def shares(self, joints: set[int]) -> Array:
        """Return the shares (V) with which vertices follow some joints."""
        return np.where(np.isin(self.joints, list(joints)), self.weights, 0.0).sum(axis=1)

    def posed(self, skeleton: Skeleton, positions: Array, rotations: Array) -> Array:
        """Return the vertices (V, 3) in a pose, meters.

        Args:
            skeleton: whose joints the skin follows.
            positions: places (J, 3) of the joints in the pose, meters.
            rotations: world rotations (J, 4) in the pose; at rest they are the identity.
        """
        moves = positions - rotate(rotations, rest_positions(skeleton))
        each = rotate(rotations[self.joints], self.vertices[:, None]) + moves[self.joints]
        linear = np.einsum("vk,vkc->vc", self.weights, each)
        if not self.keeps_volume.any():
            return linear
        turns, shifts = blend_rigid(self.joints, self.weights, rotations, moves)
        return np.where(self.keeps_volume[:, None], rotate(turns, self.vertices) + shifts, linear)
