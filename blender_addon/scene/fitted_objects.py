"""Objects that were fitted to captured motion, by what is stored with them: whose motion, and their poses in it."""

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
        interaction: what is done with the object.
        positions, rotations: (F, 3), m, and (F, 4), of the interaction object.
    """

    interaction: str
    positions: Array
    rotations: Array


def read_fit_data(obj: bpy.types.Object) -> dict[str, Any]:
    """Return what is stored with an object; empty if it was not fitted, or if that is damaged."""
    try:
        data = parse_json(obj.get(FIT_PROPERTY, "{}"))
    except (ContentError, TypeError):  # The property may also be of another type.
        return {}
    return data if isinstance(data, dict) else {}


def source_names(obj: bpy.types.Object) -> tuple[str, str]:
    """Return the armature and the action that an object was fitted to; empty names if there are none."""
    data = read_fit_data(obj)
    return str(data.get("armature", "")), str(data.get("action", ""))


def stored_poses(data: dict[str, Any], frames: int) -> StoredPoses:
    """Return the stored poses of an object in a motion of a number of frames.

    Raises:
        KeyError, TypeError, ValueError: they are damaged, or of another motion.
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
        raise ValueError("another length")
    return StoredPoses(interaction, positions, rotations)


def remember_adapted(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Store which action was adapted to an object as it is now: it is this action that the object belongs to."""
    obj[FIT_PROPERTY] = json.dumps({**read_fit_data(obj), ADAPTED_KEY: action.name})


def adapted_actions(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene
) -> list[bpy.types.Action]:
    """Return the actions that were made of an action when it was last adapted to the objects fitted to it."""
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
    """Return the objects that the user put into a motion.

    An object belongs to the action that was last adapted to it, else to that which it was fitted to. What is not
    carried is where it is now.

    Raises:
        FootfallError: an object was fitted to another length of the motion.
    """
    found = []
    for obj in scene.objects:
        data = read_fit_data(obj) if obj.type == "MESH" else {}
        if data.get("armature") == armature.name_full and data.get(ADAPTED_KEY, data.get("action")) == action.name:
            found.append(_object_in_motion(obj, data, action, frames))
    return found


def _object_in_motion(obj: bpy.types.Object, data: dict[str, Any], action: bpy.types.Action, frames: int) -> ClipObject:
    """Return an object in a motion, see :func:`objects_in_motion`."""
    try:
        poses = stored_poses(data, frames)
    except (KeyError, TypeError, ValueError) as error:
        raise FootfallError(
            "'{name}' was fitted to action '{action}' at another length: fit it again with Sit On, Carry or Open Door",
            name=obj.name,
            action=action.name,
        ) from error
    read = read_interaction_object(obj, poses.interaction).interaction_object
    positions, rotations = poses.positions, poses.rotations
    if poses.interaction != "carry":
        positions, rotations = np.asarray(read.position)[None], np.asarray(read.rotation)[None]
    return ClipObject(poses.interaction, obj.name, read.collider, positions, rotations)
