"""The object and the point under the mouse in a viewport."""

import bpy
from bpy_extras import view3d_utils
from mathutils import Vector


def is_click(context: bpy.types.Context, region: bpy.types.Region, event: bpy.types.Event) -> bool:
    """Return whether an event is a click into a viewport's region, and not into a panel on top of it."""
    if event.type != "LEFTMOUSE" or event.value != "PRESS":
        return False
    if event.alt and context.preferences.inputs.use_mouse_emulate_3_button:
        return False  # it turns the view

    def contains(part: bpy.types.Region) -> bool:
        return part.x <= event.mouse_x < part.x + part.width and part.y <= event.mouse_y < part.y + part.height

    panels = [part for part in context.area.regions if part.type != "WINDOW" and part.width > 1 and part.height > 1]
    return contains(region) and not any(contains(part) for part in panels)


def pick(
    context: bpy.types.Context, region: bpy.types.Region, event: bpy.types.Event
) -> tuple[bpy.types.Object | None, Vector]:
    """Return the object under the mouse (``None`` without one) and the clicked point of its surface, meters, world."""
    at, view = (event.mouse_x - region.x, event.mouse_y - region.y), region.data
    origin = view3d_utils.region_2d_to_origin_3d(region, view, at)
    direction = view3d_utils.region_2d_to_vector_3d(region, view, at)
    hit, point, _, _, found, _ = context.scene.ray_cast(context.evaluated_depsgraph_get(), origin, direction)
    return (found.original if hit else None), point
