"""What characters stand on: heights, normals and ceilings of any ground, level or rough, still or moving."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..motion.rotations import Array


class Ground(Protocol):
    """The ground under points of the world, metres; ``frame`` counts the walk's frames, for ground that moves.

    A surface counts from where one stands: the ground is the first one at or below a point, so that a roof overhead is
    none, and the ceiling the first one above it.
    """

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """Heights (...) of the first surface at or below points (..., 3); NaN where there is none."""
        ...

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """Unit normals (..., 3), pointing up, of those surfaces; straight up where there is none."""
        ...

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Heights (...) of the first surface above points (..., 3); infinite where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Plane:
    """Level ground without end, at a height in metres; its points are never under it."""

    height: float = 0.0

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], self.height)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], np.inf)
