"""Contacts of key joints with a take's object, transferred to its replacement (NSM section 5.2, steps 2 to 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.features.interaction import ACTIONS
from ....core.motion.blending import blend_corrections
from ....core.motion.contacts import CONTACT_THRESHOLD
from ....core.motion.rotations import Array
from ....core.motion.signals import runs_of
from ....core.scene.affordances import Seat
from ....core.scene.collider_pose import AnimatedCollider
from ....core.scene.contact_points import (
    CONTACT_BLEND_S,
    KEY_JOINTS,
    ContactPoint,
    find_contact_points,
    nearest_surface_point,
)
from ....core.scene.object_retargeting import moves_with_object
from ....core.scene.seat_detection import find_seat
from ..take import TakeObject
from ..take_record import TakeRecord

HANDS: Final[tuple[str, ...]] = ("hand.L", "hand.R")


@dataclass(frozen=True, eq=False)
class KeyJointTrack:
    """A key joint in a take of F frames, with its contact.

    Attributes:
        contact: contact of the joint with the take's own object.
        positions: (F, 3) positions of the joint, m, world.
        edges: (E) first and last frame of each interval of contact.
        shares: (F, E) weights that blend the corrections at these frames between contacts; 0 in contact.
        weights: (F) weight of the contact: 1 in contact, fading to 0 over a second.
    """

    contact: ContactPoint
    positions: Array
    edges: NDArray[np.intp]
    shares: Array
    weights: Array

    @staticmethod
    def of(contact: ContactPoint, positions: Array, rate: float) -> "KeyJointTrack":
        """Return the track of a joint that has a contact.

        Args:
            contact: the joint's contact, of at least one frame.
            positions: (F, 3) positions of the joint, m, world.
            rate: frames per second.
        """
        runs = runs_of(contact.in_contact)
        edges = np.unique(np.column_stack([runs[:, 0], runs[:, 1] - 1]))
        chosen = np.zeros((len(positions), len(edges)))
        chosen[edges, np.arange(len(edges))] = 1.0
        shares = blend_corrections(chosen, runs, max(round(CONTACT_BLEND_S * rate), 1))
        shares[contact.in_contact] = 0.0
        weights = np.where(contact.in_contact, 1.0, shares.sum(axis=1))
        return KeyJointTrack(contact, positions, edges, shares, weights)

    def corrections(self, point: Array, own: TakeObject, new: TakeObject, frames: NDArray[np.intp]) -> Array:
        """Return the displacements (N, 3), m, world, that keep the joint on its contact point of the new object.

        Args:
            point: (3) contact point on the new object, in its space, m.
            own: the take's own object.
            new: the object that replaces it.
            frames: (N) frames of the take.
        """
        if not self.weights[frames].any():
            return np.zeros((len(frames), 3))
        at = np.concatenate([frames, self.edges])
        local = AnimatedCollider(own.collider, own.positions[at], own.rotations[at]).to_local(self.positions[at])
        followed = AnimatedCollider(new.collider, new.positions[at], new.rotations[at])
        moved = followed.to_world(point + local - self.contact.point) - self.positions[at]
        inside = np.where(self.contact.in_contact[frames][:, None], moved[: len(frames)], 0.0)
        return inside + self.shares[frames] @ moved[len(frames) :]


@dataclass(frozen=True, eq=False)
class TakeContacts:
    """The contacts of a take with its main object.

    Attributes:
        number: index of the main object among the take's objects.
        seat: seat of the object; ``None`` for a box.
        tracks: the key joints in contact, by role.
    """

    number: int
    seat: Seat | None
    tracks: Mapping[str, KeyJointTrack]

    @staticmethod
    def of(record: TakeRecord) -> "TakeContacts | None":
        """Return the contacts of a take; ``None`` if its main object is neither a seat nor a carried box."""
        number = int(record.goal_object.max(initial=-1))
        if number < 0 or not np.isin(record.goal_object, (-1, number)).all():
            return None
        about, positions = record.objects[number], record.clip.positions
        seat = find_seat(about.collider) if about.kind == "seat" else None
        contacts = _seat_contacts(record, about, seat) if seat else _box_contacts(record, about)
        if not contacts:
            return None
        joint = record.clip.skeleton.joint
        return TakeContacts(
            number,
            seat,
            {
                role: KeyJointTrack.of(contact, positions[:, joint(role)], record.clip.rate)
                for role, contact in contacts.items()
            },
        )

    def during(self, first: int, last: int) -> "TakeContacts":
        """Return the contacts of those key joints that touch the object between two frames."""
        about = slice(max(first, 0), max(last + 1, 0))
        tracks = {role: track for role, track in self.tracks.items() if track.weights[about].any()}
        return replace(self, tracks=tracks)


def _seat_contacts(record: TakeRecord, about: TakeObject, seat: Seat) -> dict[str, ContactPoint]:
    """Return the contacts with a seat: labeled contacts of the hips, at its middle, and other joints near it."""
    posed = AnimatedCollider(about.collider, about.positions, about.rotations)
    sits = record.labels.contacts[:, KEY_JOINTS.index("hips")] > CONTACT_THRESHOLD
    if not sits.any():
        return {}
    near = find_contact_points(record.clip, posed)
    contacts = {role: one for role, one in near.items() if moves_with_object(record.clip, role, one)}
    local = posed.to_local(record.clip.positions[:, record.clip.skeleton.joint("hips")])
    return contacts | {"hips": ContactPoint(seat.position, sits, local - seat.position)}


def _box_contacts(record: TakeRecord, about: TakeObject) -> dict[str, ContactPoint]:
    """Return the labeled contacts of the hands with a carried box; none if the box is not carried."""
    held = record.labels.contacts[:, [KEY_JOINTS.index(role) for role in HANDS]] > CONTACT_THRESHOLD
    carries = record.labels.actions[:, ACTIONS.index("carry")] > CONTACT_THRESHOLD
    if about.kind != "box" or not (held.all(axis=1) & carries).any():
        return {}
    posed, contacts = AnimatedCollider(about.collider, about.positions, about.rotations), {}
    for role, rows in zip(HANDS, held.T, strict=True):
        local = posed.to_local(record.clip.positions[:, record.clip.skeleton.joint(role)])
        frame = int(np.flatnonzero(rows)[len(np.flatnonzero(rows)) // 2])
        point = nearest_surface_point(about.collider, local[frame])
        contacts[role] = ContactPoint(point, rows, local - point)
    return contacts
