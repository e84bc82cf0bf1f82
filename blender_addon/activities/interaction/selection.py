"""The selected objects that a character is to use."""

import bpy

from ...ui.operator_base import active_armature


def selected_meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected meshes that are part of no character."""
    armature = active_armature(context)
    return [
        one
        for one in context.selected_objects
        if one.type == "MESH" and one.find_armature() is None and (armature is None or one.parent != armature)
    ]
