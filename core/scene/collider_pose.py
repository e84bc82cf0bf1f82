"""Where an object is, and where it goes."""

from dataclasses import dataclass

import numpy as np

from ..motion.rotations import Array, inverse, rotate
from .collider import Collider


@dataclass(frozen=True, slots=True, eq=False)
class PosedCollider:
    """A collider in the world.

    Attributes:
        collider: in the object's own space, its scale applied.
        position: (3) metres.
        rotation: (4) quaternion.
    """

    collider: Collider
    position: Array
    rotation: Array

    def to_local(self, points: Array) -> Array:
        """World points (..., 3) in the object's space."""
        return (points - self.position) @ self._axes().T

    def horizontal_distances(self, positions: Array, low: float, high: float) -> Array:
        """Distances (N) over the ground of places (N, 2) from an upright object, of what of it is between two heights,
        metres.
        """
        inside = self.to_local(np.column_stack([positions, np.zeros(len(positions))]))
        return self.collider.footprint(low - self.position[2], high - self.position[2]).distances(inside)

    def clearance_displacement(self, position: Array, low: float, high: float, clearance: float) -> Array:
        """Return the way (2) over the ground from a place (2) to where it has so much room, metres, from what of an
        upright object is between two heights; nothing where it has.
        """
        flat = self.collider.footprint(low - self.position[2], high - self.position[2])
        if not len(flat.lower):
            return np.zeros(2)
        inside = self.to_local(np.append(position, 0.0)[None])
        off = (inside - flat.nearest_points(inside))[0, :2]
        gap = float(np.linalg.norm(off))
        if gap >= clearance:
            return np.zeros(2)
        if gap > 1e-6:
            way = off * (clearance - gap) / gap
        else:
            out = flat.exit_vectors(inside, horizontal=True)[0, :2]
            way = out * (1.0 + clearance / max(float(np.linalg.norm(out)), 1e-9))
        return (np.append(way, 0.0) @ self._axes())[:2]

    def to_world(self, points: Array) -> Array:
        """Return the inverse of :meth:`into`."""
        return points @ self._axes() + self.position

    def _axes(self) -> Array:
        """Return the object's axes (3, 3) in the world, one a row."""
        return rotate(np.broadcast_to(self.rotation, (3, 4)), np.eye(3))


@dataclass(frozen=True, slots=True, eq=False)
class AnimatedCollider:
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
    def static(posed_collider: PosedCollider, frame_count: int) -> "AnimatedCollider":
        """Return an object that stays where it is."""
        positions, rotations = (
            np.tile(value, (frame_count, 1)) for value in (posed_collider.position, posed_collider.rotation)
        )
        return AnimatedCollider(posed_collider.collider, positions, rotations)

    def at_frame(self, frame: int) -> PosedCollider:
        """Where it is at a frame."""
        return PosedCollider(self.collider, self.positions[frame], self.rotations[frame])

    def to_local(self, points: Array) -> Array:
        """World points of each frame (F, 3) or (F, N, 3) in the object's space."""
        between = (len(points), *[1] * (points.ndim - 2))
        turns = inverse(self.rotations).reshape(*between, 4)
        return rotate(turns, points - self.positions.reshape(*between, 3))

    def to_world(self, points: Array) -> Array:
        """Return the inverse of :meth:`into`."""
        between = (len(points), *[1] * (points.ndim - 2))
        return rotate(self.rotations.reshape(*between, 4), points) + self.positions.reshape(*between, 3)
