"""The interaction sensor: a grid of cells in an object, each with its position and occupancy (NSM section 4.3)."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.root_frame import into_frame
from ..motion.rotations import Array, rotate
from .collider import Collider

CELLS_PER_AXIS: Final = 8
"""Number of cells along each axis of the object's bounding box."""
CELL_COUNT: Final = CELLS_PER_AXIS**3


@dataclass(frozen=True, slots=True, eq=False)
class InteractionVolume:
    """A grid of 8 x 8 x 8 cells over the bounding box of an object.

    Attributes:
        centres: (512, 3) centers of the cells in object space, meters.
        occupancy: (512) occupancy of the cells: 1 if the center is in the collider, falling to 0 with its distance.
    """

    centres: Array
    occupancy: Array

    @staticmethod
    def from_collider(collider: Collider) -> "InteractionVolume":
        """Create the grid of cells over the bounding box of a collider, and measure their occupancies."""
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

    def hollow_below(self, height: float) -> "InteractionVolume":
        """Return the grid with all cells emptied that are inside the collider and centered below a height, meters.

        A block that is solid down to the floor is then sensed like a stool.
        """
        filled = (self.occupancy == 1.0) & (self.centres[:, 2] < height)
        return InteractionVolume(self.centres, np.where(filled, 0.0, self.occupancy))

    def sense(self, object_position: Array, object_rotation: Array, root_positions: Array, root_yaws: Array) -> Array:
        """Return the cells' positions and occupancy (B, 512, 4) in the root frames of B characters.

        Args:
            object_position: (3) or (B, 3) current or goal position of the object in the world, meters.
            object_rotation: (4) or (B, 4) rotation of the object.
            root_positions: (B, 3) positions of the characters' roots on the ground, world, meters.
            root_yaws: (B) yaws of the roots, radians.

        Returns:
            x, y, z in the root frame, meters, and the occupancy.
        """
        world = object_position[..., None, :] + rotate(object_rotation[..., None, :], self.centres)
        cells = np.empty((len(root_yaws), len(self.centres), 4))
        cells[..., :3] = into_frame(world - root_positions[:, None], root_yaws[:, None])
        cells[..., 3] = self.occupancy
        return cells
