"""Where an object is, and where it goes."""

from dataclasses import dataclass

import numpy as np

from ..motion.rotations import Array, inverse, rotate
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
        """World points (..., 3) in the object's space."""
        return (points - self.position) @ self._axes().T

    def beside(self, places: Array, low: float, high: float) -> Array:
        """Distances (N) over the ground of places (N, 2) from an upright object, of what of it is between two heights,
        metres.
        """
        inside = self.into(np.column_stack([places, np.zeros(len(places))]))
        return self.collider.flattened(low - self.position[2], high - self.position[2]).distances(inside)

    def aside(self, place: Array, low: float, high: float, room: float) -> Array:
        """The way (2) over the ground from a place (2) to where it has so much room, metres, from what of an upright
        object is between two heights; nothing where it has.
        """
        flat = self.collider.flattened(low - self.position[2], high - self.position[2])
        if not len(flat.lower):
            return np.zeros(2)
        inside = self.into(np.append(place, 0.0)[None])
        off = (inside - flat.nearest(inside))[0, :2]
        gap = float(np.linalg.norm(off))
        if gap >= room:
            return np.zeros(2)
        if gap > 1e-6:
            way = off * (room - gap) / gap
        else:
            out = flat.ways_out(inside, level=True)[0, :2]
            way = out * (1.0 + room / max(float(np.linalg.norm(out)), 1e-9))
        return (np.append(way, 0.0) @ self._axes())[:2]

    def out(self, points: Array) -> Array:
        """The inverse of :meth:`into`."""
        return points @ self._axes() + self.position

    def _axes(self) -> Array:
        """The object's axes (3, 3) in the world, one a row."""
        return rotate(np.broadcast_to(self.rotation, (3, 4)), np.eye(3))


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """A collider that is moved through the world, frame by frame.

    Attributes:
        collider: in the object's own space, its scale applied.
        positions: (F, 3) metres.
        rotations: (F, 4) quaternions.
    """

    collider: Collider
    positions: Array
    rotations: Array

    @staticmethod
    def of(placed: Placed, frames: int) -> "Moving":
        """An object that stays where it is."""
        positions, rotations = (np.tile(value, (frames, 1)) for value in (placed.position, placed.rotation))
        return Moving(placed.collider, positions, rotations)

    def at(self, frame: int) -> Placed:
        """Where it is at a frame."""
        return Placed(self.collider, self.positions[frame], self.rotations[frame])

    def into(self, points: Array) -> Array:
        """World points of each frame (F, 3) or (F, N, 3) in the object's space."""
        between = (len(points), *[1] * (points.ndim - 2))
        turns = inverse(self.rotations).reshape(*between, 4)
        return rotate(turns, points - self.positions.reshape(*between, 3))

    def out(self, points: Array) -> Array:
        """The inverse of :meth:`into`."""
        between = (len(points), *[1] * (points.ndim - 2))
        return rotate(self.rotations.reshape(*between, 4), points) + self.positions.reshape(*between, 3)
