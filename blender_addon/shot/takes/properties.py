"""A character's takes, stored with its armature."""

import bpy

from ...ui.overridable import collection, flag, integer, pointer, text

STARS = ("SOLO_OFF", "SOLO_ON")


class FOOTFALL_PG_taken_object(bpy.types.PropertyGroup):
    """An object that a take moves."""

    object: pointer(bpy.types.Object, "Object", "Object that the take moves")
    action: pointer(bpy.types.Action, "Action", "Action with the motion of the object in this take")


class FOOTFALL_PG_take(bpy.types.PropertyGroup):
    """One take."""

    action: pointer(bpy.types.Action, "Action", "Action of the take")
    seed: integer("Seed", "Seed of the take")
    controller: text("Controller", "Controller of the take")
    controller_file: text("File", "Controller file of the take", subtype="FILE_PATH")
    quality: text("Quality", "Quality of the take, as a sentence")
    things: collection(FOOTFALL_PG_taken_object)
    has_star: flag("Star", "Mark the take as a favorite")


class FOOTFALL_UL_takes(bpy.types.UIList):
    """The takes, in the order in which they were baked."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one take."""
        row = layout.row(align=True)
        row.prop(item, "has_star", text="", icon=STARS[item.has_star], emboss=False)
        name = item.action.name if item.action else "-"
        row.label(text=name, translate=False, icon="CHECKMARK" if _is_used(data, item) else "ACTION")


def _is_used(settings: bpy.types.PropertyGroup, item: bpy.types.PropertyGroup) -> bool:
    """Return whether a take is in use as the character's bake."""
    return item.action is not None and settings.baked_action == item.action


CLASSES = (FOOTFALL_PG_taken_object, FOOTFALL_PG_take, FOOTFALL_UL_takes)
