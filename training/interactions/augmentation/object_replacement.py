"""Replacement of a take's object: a seat of another shape and height, or a box of another size (NSM 5.2, step 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....core.motion.root_frame import facing_direction, yaw_of
from ....core.motion.rotations import Array, inverse, multiply, rotate, rotation_about_up
from ....core.scene.collider import Collider
from ....core.scene.contact_points import nearest_surface_point
from ....core.scene.interaction_sensor import InteractionVolume
from ....core.tuning import Tuning, tuned
from ..take import TakeObject
from ..take_record import TakeRecord
from .key_joint_contacts import TakeContacts
from .object_pool import PooledSeat, SeatPool


@dataclass(frozen=True, slots=True)
class ObjectReplacementTuning(Tuning):
    seat_rise: float = tuned(0.1, "m", 0.0, 0.3)
    """Largest difference between the heights of the new seat and the old one."""
    seat_shift: float = tuned(0.06, "m", 0.0, 0.3)
    """Largest horizontal displacement of a seat along X and along Y."""
    seat_turn: float = tuned(0.17, "rad", 0.0, np.pi)
    """Largest turn of a seat."""
    max_projection: float = tuned(0.15, "m", 0.01, 1.0)
    """Distance from the new surface beyond which a contact point is dropped; its joint then just follows the body."""
    box_scale_range: tuple[float, float] = tuned((0.8, 1.2), "1", 0.2, 5.0)
    """Range of the scales of a box's width, depth and height."""
    box_rise: float = tuned(0.08, "m", 0.0, 0.3)
    """Largest change of the height of a box and of the tables under it."""
    box_shift: float = tuned(0.03, "m", 0.0, 0.3)
    """Largest displacement of a box to the side of its carrier, and away from the carrier."""
    on_floor_height: float = tuned(0.12, "m", 0.0, 0.5)
    """Height of a box's lower side below which it stands on the floor and keeps its height."""


TUNING: Final = ObjectReplacementTuning()


@dataclass(frozen=True, eq=False)
class ObjectReplacement:
    """Objects that replace a take's own objects.

    Attributes:
        objects: all objects of the take, with the new ones in place of those replaced.
        volume: the goal's object as the interaction sensor sees it: a grid of cells with occupancies.
        points: (3) contact points on the new object, in its space, m, by role of the key joint.
        turn: turn of the seat, rad; 0 for boxes.
        goal_shift: (3) displacement of the goal, m, in the frame in which the goal's direction is +Y.
    """

    objects: tuple[TakeObject, ...]
    volume: InteractionVolume
    points: Mapping[str, Array]
    turn: float
    goal_shift: Array

    def move_goals(self, positions: Array, directions: Array) -> tuple[Array, Array]:
        """Return goal positions (..., 3), m, and directions (..., 2) at the take's object, moved to the new one."""
        shift = rotate(rotation_about_up(yaw_of(directions)), np.broadcast_to(self.goal_shift, positions.shape))
        return positions + shift, facing_direction(yaw_of(directions) + self.turn)


def draw_replacement(
    record: TakeRecord, contacts: TakeContacts, pool: SeatPool, generator: np.random.Generator
) -> ObjectReplacement | None:
    """Draw random replacements for a take's objects; return ``None`` if the pool has no seat of similar height."""
    if contacts.seat is None:
        return _draw_box(record, contacts, generator)
    height, rise = float(contacts.seat.position[2]), TUNING.seat_rise
    piece = pool.draw(height - rise, height + rise, generator)
    if piece is None:
        return None
    shift = generator.uniform(-TUNING.seat_shift, TUNING.seat_shift, 2)
    return replace_seat(record, contacts, piece, shift, float(generator.uniform(-TUNING.seat_turn, TUNING.seat_turn)))


def replace_seat(
    record: TakeRecord, contacts: TakeContacts, piece: PooledSeat, shift: Array, turn: float
) -> ObjectReplacement:
    """Return the replacement of a take's seat by another seat.

    Args:
        record: the take.
        contacts: the take's contacts with its own seat.
        piece: the other seat.
        shift: (2) displacement of the new seat from the take's own, m, world.
        turn: turn of the new seat relative to the take's own, rad.
    """
    own, seat = record.objects[contacts.number], contacts.seat
    assert seat is not None
    piece = piece.facing(seat.direction)
    rotation = multiply(rotation_about_up(np.array(turn)), own.rotations[0])
    place = own.positions[0] + rotate(own.rotations[0], seat.position)
    origin = np.append((place - rotate(rotation, piece.seat.position))[:2] + shift, own.positions[0, 2])
    points = {}
    for role, track in contacts.tracks.items():
        beside = track.contact.point - seat.position + piece.seat.position
        point = beside if role == "hips" else nearest_surface_point(piece.collider, beside)
        if np.linalg.norm(point - beside) < TUNING.max_projection:
            points[role] = point
    count = len(record)
    new = TakeObject(
        own.name, own.kind, piece.collider, np.broadcast_to(origin, (count, 3)), np.broadcast_to(rotation, (count, 4))
    )
    goal = rotate(inverse(own.rotations[0]), origin - own.positions[0])
    return ObjectReplacement(_with(record.objects, contacts.number, new), piece.volume, points, turn, goal)


def _draw_box(record: TakeRecord, contacts: TakeContacts, generator: np.random.Generator) -> ObjectReplacement:
    """Return a take's objects with the box resized and slightly displaced, and tables of another height."""
    scale = generator.uniform(*TUNING.box_scale_range, 3)
    aside, away = generator.uniform(-TUNING.box_shift, TUNING.box_shift), generator.uniform(0.0, TUNING.box_shift)
    rise = float(generator.uniform(-TUNING.box_rise, TUNING.box_rise))
    return replace_box(record, contacts, scale, np.array([aside, -away]), rise)


def replace_box(
    record: TakeRecord, contacts: TakeContacts, scale: Array, shift: Array, rise: float
) -> ObjectReplacement:
    """Return the replacement of a take's box by one of another size; the side toward the character stays in place.

    Args:
        record: the take.
        contacts: contacts of the hands with the take's own box.
        scale: (3) factors of width, depth and height.
        shift: (2) displacement of the box in its own frame, m.
        rise: rise of the box and the tables under it, m; a box on the floor stays there.
    """
    own = record.objects[contacts.number]
    rests = own.positions[[0, -1], 2]
    rise = rise if rests.min() > TUNING.on_floor_height else 0.0
    near = float(own.collider.upper[:, 1].max())
    local = np.array([shift[0], shift[1] - (scale[1] - 1.0) * near, rise])
    collider = Collider(own.collider.lower * scale, own.collider.upper * scale)
    positions = own.positions + rotate(own.rotations, np.broadcast_to(local, own.positions.shape))
    objects = _with(record.objects, contacts.number, replace(own, collider=collider, positions=positions))
    if rise:
        objects = tuple(_raised(one, rise) if one.kind == "surface" else one for one in objects)
    points = {role: track.contact.point * scale for role, track in contacts.tracks.items()}
    return ObjectReplacement(objects, InteractionVolume.from_collider(collider), points, 0.0, local)


def _with(objects: tuple[TakeObject, ...], number: int, new: TakeObject) -> tuple[TakeObject, ...]:
    """Return a tuple of objects with the one at an index replaced."""
    return (*objects[:number], new, *objects[number + 1 :])


def _raised(table: TakeObject, rise: float) -> TakeObject:
    """Return a table raised by ``rise``, m, by scaling its height."""
    height = float(table.collider.upper[:, 2].max())
    scale = np.array([1.0, 1.0, (height + rise) / height])
    return replace(table, collider=Collider(table.collider.lower * scale, table.collider.upper * scale))
