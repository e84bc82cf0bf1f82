"""What an object is like, from where a character is: a grid of cells in it, each with where it is and how full (NSM
section 4.3).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.root_frame import into_frame
from ..motion.rotations import Array, rotate
from .collider import Collider

CELLS: Final = 8
"""Along each axis of the object's box."""
COUNT: Final = CELLS**3


@dataclass(frozen=True, slots=True, eq=False)
class InteractionVolume:
    """An object's cells.

    Attributes:
        centres: (512, 3) metres, in the object's space.
        filled: (512) 1 where a cell's middle is within the collider, 0 where the cell is empty, between them else.
    """

    centres: Array
    filled: Array

    @staticmethod
    def of(collider: Collider) -> "InteractionVolume":
        """The cells of a collider's box."""
        lower, upper = collider.box
        step = (upper - lower) / CELLS
        axes = [lower[axis] + step[axis] * (np.arange(CELLS) + 0.5) for axis in range(3)]
        centres = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        distances = collider.distances(centres)
        meets = np.zeros(len(centres), dtype=bool)
        for low, high in zip(collider.lower, collider.upper, strict=True):
            meets |= ((centres + step / 2 > low) & (centres - step / 2 < high)).all(axis=-1)
        diagonal = max(float(np.linalg.norm(step)), 1e-9)
        return InteractionVolume(centres, np.where(meets, 1.0 - distances / diagonal, 0.0))

    def sense(self, position: Array, rotation: Array, positions: Array, yaws: Array) -> Array:
        """Where the cells are from B characters, and how full (B, 512, 4): x, y, z in the root's frame, metres.

        Args:
            position, rotation: (3) metres and (4), or (B, 3) and (B, 4): where the object is in the world, or is to be.
            positions: (B, 3) of the characters' roots on the ground, metres, world.
            yaws: (B) radians.
        """
        world = position[..., None, :] + rotate(rotation[..., None, :], self.centres)
        seen = into_frame(world - positions[:, None], yaws[:, None])
        return np.concatenate([seen, np.broadcast_to(self.filled[:, None], (*seen.shape[:-1], 1))], axis=-1)
