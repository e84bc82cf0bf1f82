"""The panel Ground under Direct: what a character walks on, and what of it cannot be used."""

import bpy

from .ground_choice import known_choice, sentences
from .guard import active_armature, require_armature
from .operators_ground import FOOTFALL_MT_ground_tags
from .panel_parts import Tab, note

MOST_TROUBLES = 4


class FOOTFALL_PT_ground(Tab, bpy.types.Panel):
    """What the character walks on"""

    bl_label = "Ground"
    bl_parent_id = "FOOTFALL_PT_direct"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, require_armature(context)
        settings = armature.footfall.ground
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "collection")
        column.prop(settings, "obstacles")
        layout.menu(FOOTFALL_MT_ground_tags.bl_idname, text="Tag Selected Objects")
        choice = known_choice(context, armature)
        for sentence in sentences(choice, settings.collection.name if settings.collection else ""):
            note(layout, sentence, "INFO")
        wrong = layout.column()
        wrong.alert = True
        for trouble in choice.troubles[:MOST_TROUBLES]:
            note(wrong, trouble, "ERROR")
        more = len(choice.troubles) - MOST_TROUBLES
        if more > 0:
            note(wrong, f"and {more} more that cannot be used", "BLANK1")


CLASSES = (FOOTFALL_PT_ground,)
