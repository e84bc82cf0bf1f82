"""Objects of the scene as boxes that a character can touch."""

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.labelling.contacts.contact_objects import Target
from ....core.labelling.presets import LabellingPreset
from ....core.labelling.sensors import OBJECT
from ....core.motion import rotations as rot
from .curves import curves_of
from .reader import object_matrices, orthonormal


def read_targets(preset: LabellingPreset, first: int, count: int) -> dict[str, Target]:
    """The objects that a preset's sensors touch, by name, over ``count`` frames from the scene's frame ``first``.

    Raises:
        FootfallError: one of them is not in this file.
    """
    names = {s.against.removeprefix(OBJECT) for s in preset.sensors if s.against.startswith(OBJECT)}
    if names:
        bpy.context.view_layer.update()  # or world matrices are those from before a script's last change
    frames = np.arange(first, first + count, dtype=float)
    found: dict[str, Target] = {}
    for name in sorted(names):
        thing = bpy.data.objects.get(name)
        if thing is None:
            raise FootfallError(f"Object '{name}', which a sensor is to touch, is not in this file: choose another.")
        found[name] = _target(thing, frames)
    return found


def _target(thing: bpy.types.Object, frames: np.ndarray) -> Target:
    """The object's bounding box, moved by its own keys; constraints and drivers are not evaluated."""
    data = thing.animation_data
    curves = curves_of(data.action, data.action_slot) if data and data.action and data.action_slot else {}
    world = object_matrices(thing, curves, frames)[:, 0]
    corners = np.array([tuple(corner) for corner in thing.bound_box], dtype=float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre = world[:, :3, :3] @ ((low + high) / 2) + world[:, :3, 3]
    size = (high - low) * np.linalg.norm(world[0, :3, :3], axis=0)
    return Target(centre, rot.from_matrix(orthonormal(world[:, :3, :3])), size)
