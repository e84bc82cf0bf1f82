"""Objects of a scene with their pose and their affordances."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from ..motion.root_frame import yaw_of
from ..motion.rotations import Array, multiply, rotate, rotation_about_up
from .affordances import Grips, Handle, Seat, find_grips
from .collider import Collider
from .collider_pose import AnimatedCollider, PosedCollider
from .interaction_sensor import InteractionVolume
from .mesh_surface import MeshSurface
from .seat_detection import find_seat

OBJECT_KINDS: Final = ("seat", "box", "surface", "door", "obstacle", "climb")
SEAT_THICKNESS_M: Final = 0.1
"""Depth below a seat's top from which the sensor treats the inside of the object as empty."""
AFFORDANCE_CACHE_SIZE: Final = 256
"""Number of colliders with cached affordances."""


@dataclass(frozen=True, eq=False)
class InteractionObject:
    """A scene object with a collider and affordances.

    Attributes:
        name: the user's name of the object.
        kind: one of :data:`OBJECT_KINDS`.
        collider: cuboids in the object's own space, meters.
        position: (3) position in the world, meters.
        rotation: (4) rotation from the object's own space to the world.
        seat_override: a given seat; without it the seat is found from the collider.
        grips_override: given grips; without them the grips are found from the collider.
        handle: the handle of a door.
        surface: the exact surface on which hands are put; without it, hands are put on the collider.
    """

    name: str
    kind: str
    collider: Collider
    position: Array
    rotation: Array
    seat_override: Seat | None = None
    grips_override: Grips | None = None
    handle: Handle | None = None
    surface: MeshSurface | None = None

    @cached_property
    def interaction_volume(self) -> InteractionVolume:
        """The object as the interaction sensor sees it: a grid of 8 x 8 x 8 cells with occupancies."""
        return _cached_volume(self.collider)

    @cached_property
    def seat_volume(self) -> InteractionVolume:
        """The sensor's grid of cells for sitting: empty below the seat, like the furniture of captured sitting."""
        seat = self.seat
        assert seat is not None
        return _cached_seat_volume(self.collider, float(seat.position[2]) - SEAT_THICKNESS_M)

    @cached_property
    def posed_collider(self) -> PosedCollider:
        """The collider at the object's pose in the world."""
        return PosedCollider(self.collider, self.position, self.rotation)

    @cached_property
    def front_direction(self) -> Array:
        """Horizontal direction (2) of the object's front, its +Y axis, in the world."""
        return rotate(self.rotation, np.array([0.0, 1.0, 0.0]))[:2]

    @cached_property
    def seat(self) -> Seat | None:
        """The seat in object space: the given one, or else the one found from the collider; ``None`` without a seat."""
        return self.seat_override or _cached_seat(self.collider)

    @cached_property
    def grips(self) -> Grips | None:
        """The grips in object space: the given ones, or else those found from the collider; ``None`` without grips."""
        return self.grips_override or _cached_grips(self.collider, self.surface)

    @cached_property
    def grip_centre(self) -> Array:
        """Middle (3) between the grips in object space, meters; without grips, the middle of the bounding box."""
        grips = self.grips
        return grips.hands.mean(axis=0) if grips else np.mean(self.collider.bounds, axis=0)

    def facing_side(self, side: int) -> "InteractionObject":
        """Return the object, in the same place, with another of its sides as the front.

        Args:
            side: quarter turns from the present front, counter-clockwise; after a half turn, a door has its other
                handle.
        """
        if side % 4 == 0:
            return self
        if side % 4 not in self._other_sides:
            self._other_sides[side % 4] = self._turned(side % 4)
        return self._other_sides[side % 4]

    @cached_property
    def _other_sides(self) -> "dict[int, InteractionObject]":
        """Results of :meth:`facing_side` by quarter turns."""
        return {}

    def _turned(self, side: int) -> "InteractionObject":
        """Compute the result of :meth:`facing_side`."""
        back = rotation_about_up(np.array(-side * np.pi / 2))

        def turned(point: Array) -> Array:
            return rotate(back, point)

        def faced(direction: Array) -> Array:
            return rotate(back, np.append(direction, 0.0))[:2]

        seat, grips, handle = self.seat_override, self.grips_override, self.handle
        if handle is not None:
            handle = handle.opposite_handle() if side % 4 == 2 else handle
            opens = None if handle.opens_toward is None else faced(handle.opens_toward)
            handle = Handle(turned(handle.position), faced(handle.direction), turned(handle.hinge), opens)
        return replace(
            self,
            collider=self.collider.rotate_quarter_turns(-side),
            rotation=multiply(self.rotation, rotation_about_up(np.array(side * np.pi / 2))),
            seat_override=seat and replace(seat, position=turned(seat.position), direction=faced(seat.direction)),
            # Given grips keep their places on the object for every side of the approach.
            grips_override=grips and replace(grips, hands=turned(grips.hands), direction=faced(grips.direction)),
            handle=handle,
            surface=self.surface and self.surface.rotate_quarter_turns(-side),
        )

    def place_at(self, position: Array, direction: Array) -> "InteractionObject":
        """Return the object placed upright at a position (3), meters, with its front facing a direction (2)."""
        return replace(self, position=position, rotation=rotation_about_up(yaw_of(direction)))

    def swing_open(self, angle: float) -> "InteractionObject":
        """Return the door with its leaf turned about the hinge by an angle, radians, counter-clockwise from above."""
        assert self.handle is not None
        pivot = self.posed_collider.to_world(self.handle.hinge[None])[0]
        swing = rotation_about_up(np.array(angle))
        position = pivot + rotate(swing, self.position - pivot)
        return replace(self, position=position, rotation=multiply(swing, self.rotation))


def animated_collider(objects: Sequence[InteractionObject], scale: float = 1.0) -> AnimatedCollider:
    """Return the moving collider of one object, given once per frame (F), with lengths multiplied by ``scale``."""
    places, turns = (np.stack([getattr(one, part) for one in objects]) for part in ("position", "rotation"))
    collider = objects[0].collider
    if scale != 1.0:
        collider = Collider(scale * collider.lower, scale * collider.upper)
    return AnimatedCollider(collider, scale * places, turns)


# A carried object is a new InteractionObject at each frame, with the same collider, the key of these caches.
@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_volume(collider: Collider) -> InteractionVolume:
    """Return the cells of a collider's bounding box; cached."""
    return InteractionVolume.from_collider(collider)


@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_seat_volume(collider: Collider, height: float) -> InteractionVolume:
    """Return the cells of a collider, with those inside it emptied below a height, meters; cached."""
    return _cached_volume(collider).hollow_below(height)


@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_seat(collider: Collider) -> Seat | None:
    """Find a collider's seat; the result is cached."""
    return find_seat(collider)


@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_grips(collider: Collider, surface: MeshSurface | None) -> Grips | None:
    """Find a collider's grips, on the exact surface if one is given; the result is cached."""
    grips = find_grips(collider)
    return surface.snap_grips(grips) if grips and surface else grips
