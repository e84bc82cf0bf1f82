"""What an object is like, from where a character is: a grid of cells in it, each with where it is and how full (NSM
section 4.3).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.root_frame import into_frame
from ..motion.rotations import Array, rotate
from .collider import Collider

CELLS_PER_AXIS: Final = 8
"""Along each axis of the object's box."""
CELL_COUNT: Final = CELLS_PER_AXIS**3


@dataclass(frozen=True, slots=True, eq=False)
class InteractionVolume:
    """An object's cells.

    Attributes:
        centres: (512, 3) metres, in the object's space.
        filled: (512) 1 where a cell's middle is within the collider, 0 where the cell is empty, between them else.
    """

    centres: Array
    occupancy: Array

    @staticmethod
    def from_collider(collider: Collider) -> "InteractionVolume":
        """Return the cells of a collider's box."""
        lower, upper = collider.bounds
        step = (upper - lower) / CELLS_PER_AXIS
        axes = [lower[axis] + step[axis] * (np.arange(CELLS_PER_AXIS) + 0.5) for axis in range(3)]
        centres = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        distances = collider.distances(centres)
        meets = np.zeros(len(centres), dtype=bool)
        for low, high in zip(collider.lower, collider.upper, strict=True):
            meets |= ((centres + step / 2 > low) & (centres - step / 2 < high)).all(axis=-1)
        diagonal = max(float(np.linalg.norm(step)), 1e-9)
        return InteractionVolume(centres, np.where(meets, 1.0 - distances / diagonal, 0.0))

    def sense(self, object_position: Array, object_rotation: Array, root_positions: Array, root_yaws: Array) -> Array:
        """Where the cells are from B characters, and how full (B, 512, 4): x, y, z in the root's frame, metres.

        Args:
            position, rotation: (3) metres and (4), or (B, 3) and (B, 4): where the object is in the world, or is to be.
            root_positions: (B, 3) of the characters' roots on the ground, metres, world.
            root_yaws: (B) radians.
        """
        world = object_position[..., None, :] + rotate(object_rotation[..., None, :], self.centres)
        seen = into_frame(world - root_positions[:, None], root_yaws[:, None])
        return np.concatenate([seen, np.broadcast_to(self.occupancy[:, None], (*seen.shape[:-1], 1))], axis=-1)
