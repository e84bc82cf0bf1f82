"""Where an object is."""

from dataclasses import dataclass

import numpy as np

from ..motion.rotations import Array, rotate
from .collider import Collider


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A collider in the world.

    Attributes:
        collider: in the object's own space, its scale applied.
        position: (3) metres.
        rotation: (4) quaternion.
    """

    collider: Collider
    position: Array
    rotation: Array

    def into(self, points: Array) -> Array:
        """World points (N, 3) in the object's space."""
        return (points - self.position) @ self._axes().T

    def out(self, points: Array) -> Array:
        """The inverse of :meth:`into`."""
        return points @ self._axes() + self.position

    def _axes(self) -> Array:
        """The object's axes (3, 3) in the world, one a row."""
        return rotate(np.broadcast_to(self.rotation, (3, 4)), np.eye(3))
