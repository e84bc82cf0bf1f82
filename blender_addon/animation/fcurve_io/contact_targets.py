"""Objects of the scene as boxes for contacts of a character."""

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.labelling.contacts.contact_objects import ContactObject
from ....core.labelling.presets import LabellingPreset
from ....core.labelling.sensors import OBJECT_PREFIX
from ....core.motion import rotations as rot
from .curves import curves_of
from .reader import object_matrices, orthonormal


def read_contact_objects(preset: LabellingPreset, first_frame: int, frame_count: int) -> dict[str, ContactObject]:
    """Return the objects that a preset's sensors touch, by name, over a range of scene frames.

    Raises:
        FootfallError: an object is missing in this file.
    """
    names = {s.against.removeprefix(OBJECT_PREFIX) for s in preset.sensors if s.against.startswith(OBJECT_PREFIX)}
    if names:
        bpy.context.view_layer.update()  # or world matrices would predate a script's last change
    frames = np.arange(first_frame, first_frame + frame_count, dtype=float)
    found: dict[str, ContactObject] = {}
    for name in sorted(names):
        thing = bpy.data.objects.get(name)
        if thing is None:
            raise FootfallError(
                "Object '{name}', used by a contact point, is not in this file: choose another one", name=name
            )
        found[name] = _contact_object(thing, frames)
    return found


def _contact_object(obj: bpy.types.Object, frames: np.ndarray) -> ContactObject:
    """Return an object's bounding box moved by the object's own keys; constraints and drivers are ignored."""
    data = obj.animation_data
    curves = curves_of(data.action, data.action_slot) if data and data.action and data.action_slot else {}
    world = object_matrices(obj, curves, frames)[:, 0]
    corners = np.array([tuple(corner) for corner in obj.bound_box], dtype=float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre = world[:, :3, :3] @ ((low + high) / 2) + world[:, :3, 3]
    size = (high - low) * np.linalg.norm(world[0, :3, :3], axis=0)
    return ContactObject(centre, rot.from_matrix(orthonormal(world[:, :3, :3])), size)
