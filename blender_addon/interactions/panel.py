"""The panel Errands. Nothing is computed here: panels show what is known."""

import bpy

from ..ui.operator_base import active_armature
from ..ui.panel_parts import Tab, big_button, note
from .fit_operators import FOOTFALL_OT_adapt_to_object, FOOTFALL_OT_fit_object, chosen_thing
from .object_fits import STORED, source_names
from .operators import (
    FOOTFALL_OT_add_errand,
    FOOTFALL_OT_bake_errands,
    FOOTFALL_OT_move_errand,
    FOOTFALL_OT_remove_errand,
)
from .preview.operators import (
    FOOTFALL_OT_bake_preview,
    FOOTFALL_OT_pause_preview,
    FOOTFALL_OT_preview_errands,
    FOOTFALL_OT_restart_preview,
    FOOTFALL_OT_step_preview,
    shown,
)
from .tasks import ACTIONS, STAYS, WITH_PLACE, WITH_THING

ROWS = 4


class FOOTFALL_PT_errands(Tab, bpy.types.Panel):
    """Errands: sit, carry, open, one after the other."""

    bl_label = "Errands"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings, session = armature.footfall, context.window_manager.footfall
        layout.prop(settings, "interaction_file")
        row = layout.row()
        row.template_list("FOOTFALL_UL_errands", "", settings, "errands", settings, "active_errand", rows=ROWS)
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_errand.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_errand.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_move_errand.bl_idname, text="", icon="TRIA_UP").later = False
        buttons.operator(FOOTFALL_OT_move_errand.bl_idname, text="", icon="TRIA_DOWN").later = True
        if settings.active_errand < len(settings.errands):
            self._errand(settings.errands[settings.active_errand])
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        if shown() is not None:
            self._preview(context)
            return
        layout.operator(FOOTFALL_OT_preview_errands.bl_idname, text="Preview", icon="HIDE_OFF")
        big_button(layout, context, FOOTFALL_OT_bake_errands, "ANIM")

    def _preview(self, context: bpy.types.Context) -> None:
        acting = shown()
        assert acting is not None
        row = self.layout.row(align=True)
        picture, title = ("PAUSE", "Pause") if acting.running else ("PLAY", "Play")
        row.operator(FOOTFALL_OT_pause_preview.bl_idname, text=title, icon=picture)
        row.operator(FOOTFALL_OT_step_preview.bl_idname, text="Step", icon="FRAME_NEXT")
        row.operator(FOOTFALL_OT_restart_preview.bl_idname, text="Restart", icon="FILE_REFRESH")
        column = self.layout.column(align=True)
        column.label(text="Shown with it")
        column.props_enum(context.window_manager.footfall, "preview_shows")
        big_button(self.layout, context, FOOTFALL_OT_bake_preview, "ANIM")

    def _errand(self, errand: bpy.types.PropertyGroup) -> None:
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(errand, "action")
        if errand.action in WITH_THING:
            column.prop(errand, "thing")
        if errand.action in WITH_PLACE:
            column.prop(errand, "place")
        if errand.action == "carry":
            column.prop(errand.id_data.footfall, "carried_by")
        if errand.action in STAYS:
            column.prop(errand, "seconds")


class FOOTFALL_PT_object_fits(Tab, bpy.types.Panel):
    """Objects under one's own clips, and clips adapted to other objects."""

    bl_label = "Objects in Clips"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, thing = self.layout, chosen_thing(context)
        if thing is None:
            note(layout, "Select an object, then the armature", "INFO")
            return
        row = layout.row(align=True)
        for action, title, _, picture, _ in ACTIONS:
            if action in WITH_THING:
                row.operator(FOOTFALL_OT_fit_object.bl_idname, text=title, icon=picture).action = action
        if STORED in thing:
            _, action = source_names(thing)
            note(layout, f"Under '{action}'", "CHECKMARK")
            layout.prop(context.window_manager.footfall, "show_contacts")
            big_button(layout, context, FOOTFALL_OT_adapt_to_object, "MOD_ARMATURE")


CLASSES = (FOOTFALL_PT_errands, FOOTFALL_PT_object_fits)
