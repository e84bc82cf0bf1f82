"""The panel Ground under Direct: ground of a character, and objects that cannot be used."""

import bpy

from ...core.message import Message
from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel, draw_note
from .ground_choice import cached_choice, describe_choice, has_surface
from .ground_tags import TAGS, tag_of
from .operators import FOOTFALL_MT_walk_surface

MAX_LISTED_WARNINGS = 4


class FOOTFALL_PT_ground(FootfallPanel, bpy.types.Panel):
    """What the character walks on"""

    bl_label = "Ground"
    bl_parent_id = "FOOTFALL_PT_shot"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, active = self.layout, context.object
        armature = active_armature(context)
        if armature is not None:
            self._draw_settings(layout, armature.footfall.ground)
        row = layout.row(align=True)
        row.menu(FOOTFALL_MT_walk_surface.bl_idname, text="Set Walk Surface")
        row.prop(context.scene, "footfall_show_ground", toggle=True, icon="OVERLAY")
        if active is not None and has_surface(active) and (tag := tag_of(active)) is not None:
            draw_note(layout, Message("'{name}': {lower}", name=active.name, lower=TAGS[tag][0].lower()), TAGS[tag][2])
        if armature is not None:
            self._draw_choice(layout, context, armature)

    def _draw_settings(self, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "collection")
        column.prop(settings, "obstacles")

    def _draw_choice(self, layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        settings = armature.footfall.ground
        choice = cached_choice(context, armature)
        for sentence in describe_choice(choice, settings.collection.name if settings.collection else ""):
            draw_note(layout, sentence, "INFO")
        wrong = layout.column()
        wrong.alert = True
        for trouble in choice.warnings[:MAX_LISTED_WARNINGS]:
            draw_note(wrong, trouble, "ERROR")
        more = len(choice.warnings) - MAX_LISTED_WARNINGS
        if more > 0:
            draw_note(wrong, Message("{count} more objects cannot be used", count=more), "BLANK1")


CLASSES = (FOOTFALL_PT_ground,)
