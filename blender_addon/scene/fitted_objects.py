"""Objects fitted to captured motion, by their stored data: the motion's source, and their poses in it."""

import json
from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, parse_json
from ...core.motion.rotations import Array
from ...core.scene.clip_objects import ClipObject
from .objects import read_interaction_object

FIT_PROPERTY: Final = "footfall_prop_fit"
ADAPTED_KEY: Final = "adapted"
"""Key of the action that was last adapted to the object."""
UNIT_QUATERNION_TOLERANCE: Final = 1e-3
"""Largest deviation of a stored rotation's length from 1."""


@dataclass(frozen=True, eq=False)
class StoredPoses:
    """The poses of a fitted object in a motion of F frames.

    Attributes:
        interaction: action with the object.
        positions, rotations: (F, 3) positions, m, and (F, 4) rotations of the interaction object.
    """

    interaction: str
    positions: Array
    rotations: Array


def read_fit_data(obj: bpy.types.Object) -> dict[str, Any]:
    """Return the fit data stored with an object; empty if it was not fitted or the data is damaged."""
    try:
        data = parse_json(obj.get(FIT_PROPERTY, "{}"))
    except (ContentError, TypeError):  # the property may also have another type
        return {}
    return data if isinstance(data, dict) else {}


def source_names(obj: bpy.types.Object) -> tuple[str, str]:
    """Return the names of the armature and action to which an object was fitted; empty without a fit."""
    data = read_fit_data(obj)
    return str(data.get("armature", "")), str(data.get("action", ""))


def stored_poses(data: dict[str, Any], frames: int) -> StoredPoses:
    """Return the stored poses of an object for a motion of ``frames`` frames.

    Raises:
        KeyError, TypeError, ValueError: the data is damaged, or belongs to another motion.
    """
    positions, rotations = (np.array(data[name], dtype=float) for name in ("positions", "rotations"))
    if positions.shape[1:] != (3,) or rotations.shape[1:] != (4,) or not np.isfinite(positions).all():
        raise ValueError
    if not np.allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=UNIT_QUATERNION_TOLERANCE):
        raise ValueError
    if not isinstance(interaction := data["interaction"], str):
        raise ValueError
    if interaction != "carry":
        positions, rotations = (np.repeat(values[:1], frames, axis=0) for values in (positions, rotations))
    if not len(positions) == len(rotations) == frames:
        raise ValueError("the length of the object's motion differs from that of the clip")
    return StoredPoses(interaction, positions, rotations)


def remember_adapted(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Store that an action was adapted to an object in its current state; the object then belongs to the action."""
    obj[FIT_PROPERTY] = json.dumps({**read_fit_data(obj), ADAPTED_KEY: action.name})


def adapted_actions(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene
) -> list[bpy.types.Action]:
    """Return the actions made when an action was last adapted to the objects that are fitted to it."""
    found = [read_fit_data(obj) for obj in scene.objects if obj.type == "MESH"]
    names = [
        data.get(ADAPTED_KEY)
        for data in found
        if data.get("armature") == armature.name_full and data.get("action") == action.name
    ]
    made = (bpy.data.actions.get(name) for name in names if isinstance(name, str))
    return [one for one in made if one is not None]


def objects_in_motion(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene, frames: int
) -> list[ClipObject]:
    """Return the objects that the user has placed in a motion, such as seats and carried boxes.

    An object belongs to the action that was last adapted to it, else to the action of its fit. Objects that are not
    carried are returned at their current position.

    Raises:
        FootfallError: an object was fitted to a motion of another length.
    """
    found = []
    for obj in scene.objects:
        data = read_fit_data(obj) if obj.type == "MESH" else {}
        if data.get("armature") == armature.name_full and data.get(ADAPTED_KEY, data.get("action")) == action.name:
            found.append(_object_in_motion(obj, data, action, frames))
    return found


def _object_in_motion(obj: bpy.types.Object, data: dict[str, Any], action: bpy.types.Action, frames: int) -> ClipObject:
    """Return an object with its stored poses in an action; raise ``FootfallError`` if the action's length changed."""
    try:
        poses = stored_poses(data, frames)
    except (KeyError, TypeError, ValueError) as error:
        raise FootfallError(
            "The length of action '{action}' has changed since '{name}' was fitted to it: fit it again with Sit "
            "On, Carry or Open Door",
            name=obj.name,
            action=action.name,
        ) from error
    read = read_interaction_object(obj, poses.interaction).interaction_object
    positions, rotations = poses.positions, poses.rotations
    if poses.interaction != "carry":
        positions, rotations = np.asarray(read.position)[None], np.asarray(read.rotation)[None]
    return ClipObject(poses.interaction, obj.name, read.collider, positions, rotations)
