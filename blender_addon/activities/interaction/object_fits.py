"""Fits of objects to captured motion, with their contact points: stored with the object.

Contact points are empties parented to the object, so that they move and scale with it, and may be moved by hand.
"""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.errors import FootfallError
from ....core.jobs.bounded_files import parse_json
from ....core.jobs.steps import finished
from ....core.jobs.typed_json import has_type
from ....core.labelling import Labels
from ....core.labelling.presets import find_preset
from ....core.labelling.semantics.actions import ACTION_NAMES
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ....core.motion.signals import runs_of
from ....core.scene.collider import Collider
from ....core.scene.collider_pose import AnimatedCollider, PosedCollider
from ....core.scene.contact_points import ContactPoint, find_contact_points
from ....core.scene.object_fitting import ObjectFit, find_static_frame, fit_object
from ...animation.fcurve_io.body_reader import read_body
from ...label.labels import read_labels
from ...rig.store import rig_map_of
from ...scene.fitted_objects import FIT_PROPERTY, stored_poses
from ...scene.objects import SceneInteractionObject, read_interaction_object

EMPTY_COLLIDER: Final = Collider(np.empty((0, 3)), np.empty((0, 3)))
CONTACT_EMPTY_SIZE_M: Final = 0.04
"""Meters that a contact point is drawn large."""


@dataclass(frozen=True, eq=False)
class StoredFit:
    """The motion to which an object was fitted, kept with the object.

    Attributes:
        armature: full name of the motion's armature.
        action: name of the motion's action.
        interaction: what is done with the object, such as ``"sit"``.
        positions: (F, 3) of the interaction object, world, meters.
        rotations: (F, 4) quaternions of the interaction object, world.
        contacts: contacts of the body with the object, by the joint's role.
    """

    armature: str
    action: str
    interaction: str
    positions: Array
    rotations: Array
    contacts: dict[str, ContactPoint]


def read_labeled_motion(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene
) -> tuple[Clip, int, Labels]:
    """Return the motion of a rig's body, its first frame in the scene, and its labels."""
    clip, first = finished(read_body(armature, action, scene, rig_map_of(armature)))
    return clip, first, read_labels(armature, action, clip, first, find_preset("interaction"))


def compute_fit(
    armature: bpy.types.Object, obj: bpy.types.Object, interaction: str, scene: bpy.types.Scene
) -> tuple[ObjectFit, SceneInteractionObject, Clip, int]:
    """Return an object fitted to the active action at the frame of rest.

    The frame is that at which the body rests, or the scene's current one if it does not rest.

    Raises:
        FootfallError: there is no such motion, or the object cannot be used so.
    """
    action = armature.animation_data.action
    clip, first, labels = read_labeled_motion(armature, action, scene)
    read = read_interaction_object(obj, interaction)
    now = scene.frame_current - first
    try:
        frame = find_static_frame(clip, labels.actions[:, ACTION_NAMES.index(interaction)], interaction)
    except FootfallError:
        if not 0 <= now < len(clip):
            raise
        frame = now
    affordance = read.interaction_object.handle if interaction == "open" else None
    return fit_object(clip, read.interaction_object.collider, interaction, frame, affordance), read, clip, first


def store_fit(
    obj: bpy.types.Object, armature: bpy.types.Object, fit: ObjectFit, clip: Clip, scene_object: SceneInteractionObject
) -> list[str]:
    """Store a fit with its object and create its contact points; return the roles of the contacts."""
    moving = fit.animated_collider(clip)
    contacts = find_contact_points(clip, moving)
    written: dict[str, Any] = {
        "armature": armature.name_full,
        "action": armature.animation_data.action.name,
        "interaction": fit.action,
        # What is not carried stays where it is: one place says it.
        "positions": (moving.positions if fit.action == "carry" else moving.positions[:1]).round(5).tolist(),
        "rotations": (moving.rotations if fit.action == "carry" else moving.rotations[:1]).round(7).tolist(),
        "contacts": {
            role: {"point": one.point.tolist(), "intervals": runs_of(one.in_contact).tolist()}
            for role, one in contacts.items()
        },
    }
    obj[FIT_PROPERTY] = json.dumps(written)
    remove_contact_empties(obj)
    back = scene_object.local_matrix.inverted()
    for role, one in contacts.items():
        empty = bpy.data.objects.new(f"{obj.name}.{role}", None)
        empty.empty_display_type, empty.empty_display_size = "SPHERE", CONTACT_EMPTY_SIZE_M
        empty[FIT_PROPERTY] = role
        for collection in obj.users_collection:
            collection.objects.link(empty)
        empty.parent = obj
        empty.location = back @ Vector(one.point)
    return list(contacts)


def contact_empties(obj: bpy.types.Object) -> dict[str, bpy.types.Object]:
    """Return the contact points of an object, by role."""
    return {
        str(child[FIT_PROPERTY]): child for child in obj.children if child.type == "EMPTY" and FIT_PROPERTY in child
    }


def remove_contact_empties(obj: bpy.types.Object) -> None:
    """Remove the contact points of an object."""
    for empty in contact_empties(obj).values():
        bpy.data.objects.remove(empty)


def read_stored_fit(obj: bpy.types.Object, clip: Clip) -> StoredFit:
    """Return the fit stored with an object, for the clip to which it was fitted.

    Raises:
        FootfallError: the object was fitted to no clip or to another clip, or its stored fit cannot be read.
    """
    if FIT_PROPERTY not in obj:
        raise FootfallError("'{name}' is not fitted to a motion: use Sit On, Carry or Open Door first", name=obj.name)
    try:
        data = parse_json(obj[FIT_PROPERTY])
        poses, contacts = stored_poses(data, len(clip)), {}
        moving = AnimatedCollider(EMPTY_COLLIDER, poses.positions, poses.rotations)
        if not has_type(data["contacts"], dict[str, dict[str, Any]]):
            raise ValueError
        for role, one in data["contacts"].items():
            intervals, point = one["intervals"], one["point"]
            if not has_type(intervals, list[tuple[int, int]]) or not has_type(point, tuple[float, float, float]):
                raise ValueError
            touching = np.zeros(len(clip), dtype=bool)
            for start, stop in intervals:
                touching[start:stop] = True
            point = np.array(point, dtype=float)
            track = moving.to_local(clip.positions[:, clip.skeleton.joint(role)])
            contacts[role] = ContactPoint(point, touching, track - point)
        return StoredFit(
            str(data["armature"]), str(data["action"]), poses.interaction, poses.positions, poses.rotations, contacts
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FootfallError(
            "'{name}' was fitted to another motion, or its fit is damaged: fit it again with Sit On, Carry or "
            "Open Door",
            name=obj.name,
        ) from error


def current_placement(
    obj: bpy.types.Object, fit: StoredFit
) -> tuple[PosedCollider | AnimatedCollider, dict[str, Array]]:
    """Return the current placement of an object, and its remaining contact points (3) on it, by role."""
    read = read_interaction_object(obj, fit.interaction)
    inside = read.local_matrix @ obj.matrix_world.inverted()
    points = {role: np.array((inside @ empty.matrix_world).translation) for role, empty in contact_empties(obj).items()}
    if fit.interaction == "carry":
        return AnimatedCollider(read.interaction_object.collider, fit.positions, fit.rotations), points
    return read.interaction_object.posed_collider, points


def object_matrix_at(scene_object: SceneInteractionObject, moving: AnimatedCollider, frame: int) -> Matrix:
    """Return the object's matrix at a frame of its motion."""
    return scene_object.scene_matrix(
        replace(scene_object.interaction_object, position=moving.positions[frame], rotation=moving.rotations[frame])
    )
