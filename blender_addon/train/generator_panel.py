"""The panel Generator: training of a generator from the same list, and its use."""

from pathlib import Path
from typing import Final

import bpy

from ..ui.panel_parts import FootfallPanel
from .generator_operators import FOOTFALL_OT_train_generator, FOOTFALL_OT_use_generator


class FOOTFALL_PT_train_generator(FootfallPanel, bpy.types.Panel):
    """A generator, which varies walks, from the actions and folders above."""

    bl_label = "Generator"
    bl_parent_id = "FOOTFALL_PT_train"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 4

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, context.scene.footfall
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "generator_kind")
        session = context.window_manager.footfall
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Press Esc to cancel", icon="INFO")
            return
        layout.operator(FOOTFALL_OT_train_generator.bl_idname, icon="PLAY")
        if settings.generator_file:
            layout.label(text=Path(settings.generator_file).stem, icon="CHECKMARK", translate=False)
        layout.operator(FOOTFALL_OT_use_generator.bl_idname, icon="CHECKMARK")


CLASSES: Final = (FOOTFALL_PT_train_generator,)
