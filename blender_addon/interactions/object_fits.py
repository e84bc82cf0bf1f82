"""Objects that were put under a captured motion, and what of the motion touches them: kept with the object.

Contact points are empties that hang on the object, so that they go and grow with it, and may be moved by hand.
"""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.errors import FootfallError
from ...core.labelling import Labels
from ...core.labelling.presets import find_preset
from ...core.labelling.semantics.actions import NAMES
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of
from ...core.scene.collider import Collider
from ...core.scene.collider_pose import AnimatedCollider, PosedCollider
from ...core.scene.contact_points import ContactPoint, find_contact_points
from ...core.scene.object_fitting import ObjectFit, find_static_frame, fit_object
from ..animation.fcurve_io.body_reader import finished, read_body
from ..label.labels import read_labels
from ..rig.store import rig_map_of
from ..scene.objects import SceneThing, read_thing

STORED: Final = "footfall_fit"
NOWHERE: Final = Collider(np.empty((0, 3)), np.empty((0, 3)))
SIZE: Final = 0.04
"""Metres that a contact point is drawn large."""


@dataclass(frozen=True, eq=False)
class StoredFit:
    """What an object remembers of the motion that it was put under.

    Attributes:
        armature, action: the names of whose motion it was.
        kind: what is done with the object.
        positions, rotations: (F, 3) metres and (F, 4), the object as a thing at each frame.
        contacts: what touches it, by role.
    """

    armature: str
    action: str
    kind: str
    positions: Array
    rotations: Array
    contacts: dict[str, ContactPoint]


def motion_of(armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene) -> tuple[Clip, int, Labels]:
    """The motion of a rig's body, its first frame in the scene, and its labels."""
    clip, first = finished(read_body(armature, action, scene, rig_map_of(armature)))
    return clip, first, read_labels(armature, action, clip, first, find_preset("interaction"))


def fitted(
    armature: bpy.types.Object, thing: bpy.types.Object, kind: str, scene: bpy.types.Scene
) -> tuple[ObjectFit, SceneThing, Clip, int]:
    """An object put under the active action: the frame is that at which the body rests, the scene's current one where
    nobody is seen to rest.

    Raises:
        FootfallError: there is no such motion, or the object cannot be used so.
    """
    action = armature.animation_data.action
    clip, first, labels = motion_of(armature, action, scene)
    read = read_thing(thing, kind)
    now = scene.frame_current - first
    try:
        frame = find_static_frame(clip, labels.actions[:, NAMES.index(kind)], kind)
    except FootfallError:
        if not 0 <= now < len(clip):
            raise
        frame = now
    affordance = read.thing.handle if kind == "open" else None
    return fit_object(clip, read.thing.collider, kind, frame, affordance), read, clip, first


def store(
    thing: bpy.types.Object, armature: bpy.types.Object, fit: ObjectFit, clip: Clip, read: SceneThing
) -> list[str]:
    """Keeps a fit with its object, and makes its contact points; returns the roles of what touches it."""
    moving = fit.animated_collider(clip)
    contacts = find_contact_points(clip, moving)
    written: dict[str, Any] = {
        "armature": armature.name_full,
        "action": armature.animation_data.action.name,
        "kind": fit.action,
        # What is not carried stays where it is: one place says it.
        "positions": (moving.positions if fit.action == "carry" else moving.positions[:1]).round(5).tolist(),
        "rotations": (moving.rotations if fit.action == "carry" else moving.rotations[:1]).round(7).tolist(),
        "contacts": {
            role: {"point": one.point.tolist(), "runs": runs_of(one.in_contact).tolist()}
            for role, one in contacts.items()
        },
    }
    thing[STORED] = json.dumps(written)
    clear_points(thing)
    back = read.own.inverted()
    for role, one in contacts.items():
        empty = bpy.data.objects.new(f"{thing.name}.{role}", None)
        empty.empty_display_type, empty.empty_display_size = "SPHERE", SIZE
        empty[STORED] = role
        for collection in thing.users_collection:
            collection.objects.link(empty)
        empty.parent = thing
        empty.location = back @ Vector(one.point)
    return list(contacts)


def points_of(thing: bpy.types.Object) -> dict[str, bpy.types.Object]:
    """The contact points of an object, by role."""
    return {str(child[STORED]): child for child in thing.children if child.type == "EMPTY" and STORED in child}


def clear_points(thing: bpy.types.Object) -> None:
    """Removes the contact points of an object."""
    for empty in points_of(thing).values():
        bpy.data.objects.remove(empty)


def stored_fit(thing: bpy.types.Object, clip: Clip) -> StoredFit:
    """What an object remembers, for the clip that it was put under.

    Raises:
        FootfallError: it was put under none, or what it remembers cannot be read or is of another clip.
    """
    if STORED not in thing:
        raise FootfallError(f"'{thing.name}' was not put under a motion: use Fit Object to Clip first.")
    try:
        data = json.loads(thing[STORED])
        positions, rotations = (np.array(data[name], dtype=float) for name in ("positions", "rotations"))
        if data["kind"] != "carry":
            positions, rotations = (np.repeat(values[:1], len(clip), axis=0) for values in (positions, rotations))
        if positions.shape != (len(clip), 3) or rotations.shape != (len(clip), 4):
            raise ValueError("another length")
        contacts = {}
        moving = AnimatedCollider(NOWHERE, positions, rotations)
        for role, one in data["contacts"].items():
            touching = np.zeros(len(clip), dtype=bool)
            for start, stop in one["runs"]:
                touching[start:stop] = True
            point = np.array(one["point"], dtype=float)
            track = moving.to_local(clip.positions[:, clip.skeleton.role(role)])
            contacts[role] = ContactPoint(point, touching, track - point)
        return StoredFit(data["armature"], data["action"], data["kind"], positions, rotations, contacts)
    except (ValueError, KeyError, TypeError) as error:
        raise FootfallError(
            f"What '{thing.name}' remembers is of another motion or is damaged: use Fit Object to Clip again."
        ) from error


def source_names(thing: bpy.types.Object) -> tuple[str, str]:
    """The armature and the action that an object was put under; empty names where it was put under none."""
    try:
        data = json.loads(thing.get(STORED, "{}"))
        return str(data.get("armature", "")), str(data.get("action", ""))
    except (ValueError, AttributeError):
        return "", ""


def as_it_is(thing: bpy.types.Object, fit: StoredFit) -> tuple[PosedCollider | AnimatedCollider, dict[str, Array]]:
    """Where an object is now, and where its contact points are on it (3), by role: those that were not deleted."""
    read = read_thing(thing, fit.kind)
    inside = read.own @ thing.matrix_world.inverted()
    points = {role: np.array((inside @ empty.matrix_world).translation) for role, empty in points_of(thing).items()}
    if fit.kind == "carry":
        return AnimatedCollider(read.thing.collider, fit.positions, fit.rotations), points
    return read.thing.posed_collider, points


def matrix_at(read: SceneThing, moving: AnimatedCollider, frame: int) -> Matrix:
    """The object's matrix at a frame of its motion."""
    return read.matrix(replace(read.thing, position=moving.positions[frame], rotation=moving.rotations[frame]))
