"""Settings of the ground under a character."""

import bpy

from ..ui.overridable import pointer


class FOOTFALL_PG_ground(bpy.types.PropertyGroup):
    """What a character walks on and goes round; kept with its armature."""

    collection: pointer(
        bpy.types.Collection,
        "Ground",
        "Collection to walk on. Leave empty for everything tagged Walkable, or level ground",
    )
    obstacles: pointer(
        bpy.types.Collection,
        "Obstacles",
        "Collection of obstacles to walk around, except objects with another walk surface tag",
    )
