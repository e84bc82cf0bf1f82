"""Settings of the ground that a character walks on."""

import bpy

from ..ui.overridable import OVERRIDABLE


class FOOTFALL_PG_ground(bpy.types.PropertyGroup):
    """What a character walks on and goes round; kept with its armature."""

    collection: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Collection,
        name="Ground",
        description="All of this collection is walked on, but for what is tagged otherwise. "
        "Where it is empty, everything tagged Walkable is; where nothing is, the ground is level",
    )
    obstacles: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Collection,
        name="Obstacles",
        description="The character goes round all of this collection, but for what is tagged otherwise",
    )
