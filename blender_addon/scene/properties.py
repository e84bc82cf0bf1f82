"""Settings of the ground under a character."""

import bpy

from ..ui.overridable import OVERRIDABLE


class FOOTFALL_PG_ground(bpy.types.PropertyGroup):
    """What a character walks on and goes round; kept with its armature."""

    collection: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Collection,
        name="Ground",
        description="Collection to walk on. Leave empty for everything tagged Walkable, or level ground",
    )
    obstacles: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Collection,
        name="Obstacles",
        description="Collection to walk around, except for objects tagged otherwise",
    )
