"""The opening side of a door's leaf, stored with its object for all characters."""

from typing import Final

import bpy

from ...core.scene.object_placement import BOTH_WAYS
from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

OPENINGS: Final = (
    (BOTH_WAYS, "Both Ways", "Swings away from the character on either side, so the character pushes the door", 0),
    (
        "front",
        "To the Front",
        "Opens toward the front of the leaf: its +Y side, or -X if the leaf lies along Y",
        1,
    ),
    (
        "back",
        "To the Back",
        "Opens toward the back of the leaf: its -Y side, or +X if the leaf lies along Y",
        2,
    ),
)


def register() -> None:
    """Register the property on objects."""
    bpy.types.Object.footfall_door_opening = bpy.props.EnumProperty(
        items=OPENINGS,
        name="Opens",
        description="Direction in which the door leaf swings",
        default=BOTH_WAYS,
        override=OVERRIDABLE,
        translation_context=CONTEXT,
    )


def unregister() -> None:
    del bpy.types.Object.footfall_door_opening
