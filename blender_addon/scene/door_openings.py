"""The side to which the leaf of a door opens, kept with its object: it is the same for all characters."""

from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ...core.scene.affordances import Handle
from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

OPENINGS: Final = (
    ("both", "Both Ways", "Swings away from the character on either side, and is pushed", 0),
    ("front", "To the Front", "Opens toward its +Y, or its -X where it lies along Y, and is pulled there", 1),
    ("back", "To the Back", "Opens toward its -Y, or its +X where it lies along Y, and is pulled there", 2),
)
DIRECTIONS: Final = {"front": (0.0, 1.0), "back": (0.0, -1.0)}
"""Directions in the frame of the usage, whose +Y is the front."""


def with_opening(handle: Handle, obj: bpy.types.Object) -> Handle:
    """Return the handle of a door in the frame of its usage, with the direction to which its object says it opens."""
    direction = DIRECTIONS.get(obj.footfall_door_opening)
    return handle if direction is None else replace(handle, opens_toward=np.array(direction))


def register() -> None:
    """Add the property of objects."""
    bpy.types.Object.footfall_door_opening = bpy.props.EnumProperty(
        items=OPENINGS,
        name="Opens",
        description="Direction in which the door leaf swings",
        default="both",
        override=OVERRIDABLE,
        translation_context=CONTEXT,
    )


def unregister() -> None:
    """Undo :func:`register`."""
    del bpy.types.Object.footfall_door_opening
