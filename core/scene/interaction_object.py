"""Things of a scene: what they are, where they are, and what can be done with them."""

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
from .seat_detection import find_seat

OBJECT_KINDS: Final = ("seat", "box", "surface", "door", "obstacle")
AFFORDANCE_CACHE_SIZE: Final = 256
"""Colliders of which it is remembered what can be done with them."""
UP_AXIS: Final = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class InteractionObject:
    """One thing.

    Attributes:
        name: what the user calls it.
        kind: one of :data:`OBJECT_KINDS`.
        collider: in its own space.
        position, rotation: (3) metres and (4), where it is.
        seat, grips, handle: what can be done with it, where somebody said so; else it is found.
    """

    name: str
    kind: str
    collider: Collider
    position: Array
    rotation: Array
    seat_override: Seat | None = None
    grips_override: Grips | None = None
    handle: Handle | None = None

    @cached_property
    def interaction_volume(self) -> InteractionVolume:
        """Its cells."""
        return _cached_volume(self.collider)

    @cached_property
    def posed_collider(self) -> PosedCollider:
        """The collider where it is."""
        return PosedCollider(self.collider, self.position, self.rotation)

    @cached_property
    def front_direction(self) -> Array:
        """Its front's direction (2) in the world."""
        return rotate(self.rotation, np.array([0.0, 1.0, 0.0]))[:2]

    @cached_property
    def seat(self) -> Seat | None:
        """Where one sits on it."""
        return self.seat_override or _cached_seat(self.collider)

    @cached_property
    def grips(self) -> Grips | None:
        """Where one takes hold of it."""
        return self.grips_override or _cached_grips(self.collider)

    @cached_property
    def grip_centre(self) -> Array:
        """The middle (3) between its grips, in its own space; of its box without any."""
        grips = self.grips
        return grips.hands.mean(axis=0) if grips else np.mean(self.collider.bounds, axis=0)

    def facing_side(self, side: int) -> "InteractionObject":
        """Return the same thing in the same place whose front is another of its sides: so many quarters on,
        counter-clockwise.

        A door's leaf has two sides with a handle.
        """
        if side % 4 == 0:
            return self
        back = rotation_about_up(np.array(-side * np.pi / 2))

        def turned(point: Array) -> Array:
            return rotate(back, point)

        def faced(direction: Array) -> Array:
            return rotate(back, np.append(direction, 0.0))[:2]

        seat, grips, handle = self.seat_override, self.grips_override, self.handle
        if handle is not None:
            handle = handle.opposite_handle() if side % 4 == 2 else handle
            handle = Handle(turned(handle.position), faced(handle.direction), turned(handle.hinge))
        return replace(
            self,
            collider=self.collider.rotate_quarter_turns(-side),
            rotation=multiply(self.rotation, rotation_about_up(np.array(side * np.pi / 2))),
            seat_override=seat and replace(seat, position=turned(seat.position), direction=faced(seat.direction)),
            # Whoever said where to take hold of it meant those places, from wherever somebody comes.
            grips_override=grips and replace(grips, hands=turned(grips.hands), direction=faced(grips.direction)),
            handle=handle,
        )

    def place_at(self, position: Array, direction: Array) -> "InteractionObject":
        """Return the same thing elsewhere: upright at ``position`` (3), its front towards ``direction`` (2)."""
        return replace(self, position=position, rotation=rotation_about_up(yaw_of(direction)))

    def swing_open(self, angle: float) -> "InteractionObject":
        """Return a door's leaf, swung by ``angle`` radians about its hinge from where it is."""
        assert self.handle is not None
        pivot = self.posed_collider.to_world(self.handle.hinge[None])[0]
        swing = rotation_about_up(np.array(angle))
        position = pivot + rotate(swing, self.position - pivot)
        return replace(self, position=position, rotation=multiply(swing, self.rotation))


def animated_collider(objects: Sequence[InteractionObject], scale: float = 1.0) -> AnimatedCollider:
    """Return a thing as it is at each frame (F), in metres that are ``scale`` times as short."""
    places, turns = (np.stack([getattr(one, part) for one in objects]) for part in ("position", "rotation"))
    collider = objects[0].collider
    if scale != 1.0:
        collider = Collider(scale * collider.lower, scale * collider.upper)
    return AnimatedCollider(collider, scale * places, turns)


# A thing that is carried is a new one at each frame; its collider is not, and what follows from that is found once.
@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_volume(collider: Collider) -> InteractionVolume:
    return InteractionVolume.from_collider(collider)


@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_seat(collider: Collider) -> Seat | None:
    return find_seat(collider)


@lru_cache(maxsize=AFFORDANCE_CACHE_SIZE)
def _cached_grips(collider: Collider) -> Grips | None:
    return find_grips(collider)
