"""An object pushed along the floor: its straight path, its progress, and the obstacles that stop it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class PushingTuning(Tuning):
    face_distance: float = tuned(0.54, "m", 0.3, 0.9)
    """Distance from the hips forward to the pushed face: the middle of the captured distances."""
    max_slant: float = tuned(np.radians(20.0), "rad", 0.0, np.pi / 4)
    """Largest angle between an object's path and the normal of the pushed side."""
    max_speed: float = tuned(1.0, "m/s", 0.1, 3.0)
    """Largest speed of a pushed object."""
    floor_clearance: float = tuned(0.03, "m", 0.0, 0.1)
    """Height above the floor below which obstacles do not stop a pushed object."""
    outline_spacing: float = tuned(0.1, "m", 0.01, 0.5)
    """Spacing of the points on a pushed object's outline that are checked for obstacles."""


TUNING: Final = PushingTuning()


def pushing_side(target: InteractionObject, place: Array) -> tuple[int, float]:
    """Return the side from which to push an object to `place` (3), meters, world, and the slant of the path, radians.

    The side is in quarter turns from the object's front. The slant is the angle between the path and the normal of that
    side.
    """
    line = (place - target.position)[:2]
    ahead = line / max(float(np.linalg.norm(line)), 1e-9)
    along = [-float(target.facing_side(side).front_direction @ ahead) for side in range(4)]
    side = int(np.argmax(along))
    return side, float(np.arccos(np.clip(along[side], -1.0, 1.0)))


def pushed_place(target: InteractionObject, place: Array) -> Array:
    """Return a destination (3), meters, world, projected onto the line along which the object can be pushed."""
    side, _ = pushing_side(target, place)
    ahead = -target.facing_side(side).front_direction
    return target.position + np.append(float((place - target.position)[:2] @ ahead) * ahead, 0.0)


def is_blocked(moved: InteractionObject, others: Sequence[PosedCollider]) -> bool:
    """Return whether an object, once moved, would overlap any of the other objects' colliders."""
    lower, upper = moved.collider.bounds
    across, deep = (
        np.linspace(lower[axis], upper[axis], max(int(np.ceil((upper - lower)[axis] / TUNING.outline_spacing)), 1) + 1)
        for axis in (0, 1)
    )
    grid = np.stack(np.meshgrid(across, deep), axis=-1).reshape(-1, 2)
    points = moved.posed_collider.to_world(np.column_stack([grid, np.zeros(len(grid))]))[:, :2]
    bottom = float(moved.position[2] + lower[2])
    heights = bottom + TUNING.floor_clearance, bottom + float(upper[2] - lower[2])
    return any(float(other.horizontal_distances(points, *heights).min()) <= 0.0 for other in others)


@dataclass(frozen=True, slots=True, eq=False)
class Pushing:
    """An object that is pushed along a straight line on the floor.

    Attributes:
        object_index: index of the object.
        start: the object before the push.
        place: (3) destination, meters, world.
        root: (2) root of the character at the start of the push, meters, world.
        progress: distance that the object has been pushed, meters.
        is_stopped: whether an obstacle has stopped the object.
    """

    object_index: int
    start: InteractionObject
    place: Array
    root: Array
    progress: float = 0.0
    is_stopped: bool = False

    @property
    def line(self) -> Array:
        """Vector (2) from the object's first position to its destination, meters, world."""
        return (self.place - self.start.position)[:2]

    @property
    def distance(self) -> float:
        """Distance from the object's first position to its destination, meters."""
        return float(np.linalg.norm(self.line))

    @property
    def ahead(self) -> Array:
        """Unit direction (2), world, in which the object moves."""
        return self.line / max(self.distance, 1e-9)

    @property
    def pushed_object(self) -> InteractionObject:
        """The object at its current position."""
        return self.object_at(self.progress)

    @property
    def placed_object(self) -> InteractionObject:
        """The object at its destination."""
        return self.object_at(self.distance)

    def advanced(self, root: Array, others: Sequence[PosedCollider], rate: float) -> "Pushing":
        """Return the state of the push a frame later.

        The object moves with the character, never back, and at most to its destination.

        Args:
            root: (2) root of the character, meters, world.
            others: colliders of the obstacles.
            rate: frames per second.
        """
        wanted = float((root - self.root) @ self.ahead)
        progress = float(np.clip(wanted, self.progress, min(self.progress + TUNING.max_speed / rate, self.distance)))
        if progress > self.progress and is_blocked(self.object_at(progress), others):
            return replace(self, is_stopped=True)
        return replace(self, progress=progress)

    def object_at(self, progress: float) -> InteractionObject:
        """Return the object after a progress along its line, meters."""
        return replace(self.start, position=self.start.position + np.append(progress * self.ahead, 0.0))
