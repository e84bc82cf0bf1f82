"""Colliders in the world: at one pose, and animated."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..motion.rotations import Array, inverse, rotate
from .collider import Collider


@dataclass(frozen=True, eq=False)
class PosedCollider:
    """A collider at one pose in the world.

    Attributes:
        collider: cuboids in the object's own space, with the scale applied.
        position: (3) position of the object's origin in the world, meters.
        rotation: (4) rotation from object space to the world, quaternion.
    """

    collider: Collider
    position: Array
    rotation: Array

    def to_local(self, points: Array) -> Array:
        """Convert points (..., 3), meters, from the world to object space."""
        return (points - self.position) @ self._axes.T

    def horizontal_distances(self, positions: Array, low: float, high: float) -> Array:
        """Return horizontal distances (N), meters, of positions from an upright object's part between two heights.

        Args:
            positions: (N, 2) positions, world, meters.
            low: lower end of the height range, world, meters.
            high: upper end of the height range, world, meters.
        """
        inside = self.to_local(np.column_stack([positions, np.zeros(len(positions))]))
        return self.collider.footprint(low - self.position[2], high - self.position[2]).distances(inside)

    def clearance_displacement(self, position: Array, low: float, high: float, clearance: float) -> Array:
        """Return the shortest horizontal displacement (2), m, that moves a position clear of an upright object.

        Only the part of the object between two heights counts. The displacement is zero for a position that is clear
        already.

        Args:
            position: (2) position, world, meters.
            low: lower end of the height range, world, meters.
            high: upper end of the height range, world, meters.
            clearance: required distance, meters.
        """
        flat = self.collider.footprint(low - self.position[2], high - self.position[2])
        if not len(flat.lower):
            return np.zeros(2)
        away = position - self.position[:2]
        if away[0] * away[0] + away[1] * away[1] > (flat.horizontal_reach + clearance) ** 2:
            return np.zeros(2)
        inside = self.to_local(np.append(position, 0.0)[None])
        off = (inside - flat.nearest_points(inside))[0, :2]
        gap = float(np.linalg.norm(off))
        if gap >= clearance:
            return np.zeros(2)
        if gap > 1e-6:
            displacement = off * (clearance - gap) / gap
        else:
            # Exits are from the outline grown by the clearance, so that a point exactly on the edge has one, too.
            ways = [(axis, sign) for axis in range(2) for sign in (-1.0, 1.0)]
            lengths = [float(flat.exit_distances(inside, np.array([clearance]), *way)[0]) for way in ways]
            axis, sign = ways[int(np.argmin(lengths))]
            displacement = sign * min(lengths) * np.eye(2)[axis]
        return (np.append(displacement, 0.0) @ self._axes)[:2]

    def to_world(self, points: Array) -> Array:
        """Convert points (..., 3), meters, from object space to the world."""
        return points @ self._axes + self.position

    @cached_property
    def _axes(self) -> Array:
        """Return the object's axes (3, 3) in the world, one per row."""
        return rotate(np.broadcast_to(self.rotation, (3, 4)), np.eye(3))


@dataclass(frozen=True, slots=True, eq=False)
class AnimatedCollider:
    """A collider that moves through the world, frame by frame.

    Attributes:
        collider: cuboids in the object's own space, with the scale applied.
        positions: (F, 3) positions of the object's origin in the world, meters.
        rotations: (F, 4) rotations from object space to the world, quaternions.
    """

    collider: Collider
    positions: Array
    rotations: Array

    @staticmethod
    def static(posed_collider: PosedCollider, frame_count: int) -> "AnimatedCollider":
        """Create the collider that keeps the pose of ``posed_collider`` for a number of frames."""
        positions, rotations = (
            np.tile(value, (frame_count, 1)) for value in (posed_collider.position, posed_collider.rotation)
        )
        return AnimatedCollider(posed_collider.collider, positions, rotations)

    def at_frame(self, frame: int) -> PosedCollider:
        """Return the collider at its pose in one frame."""
        return PosedCollider(self.collider, self.positions[frame], self.rotations[frame])

    def to_local(self, points: Array) -> Array:
        """Convert points of each frame, (F, 3) or (F, N, 3), meters, from the world to object space."""
        between = (len(points), *[1] * (points.ndim - 2))
        turns = inverse(self.rotations).reshape(*between, 4)
        return rotate(turns, points - self.positions.reshape(*between, 3))

    def to_world(self, points: Array) -> Array:
        """Convert points of each frame, (F, 3) or (F, N, 3), meters, from object space to the world."""
        between = (len(points), *[1] * (points.ndim - 2))
        return rotate(self.rotations.reshape(*between, 4), points) + self.positions.reshape(*between, 3)
