"""Presets of strikes, by Blender's own system: a combination of end effectors in time, but not their targets."""

from typing import Final

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from ..ui.operator_base import FootfallOperator, why_not_animatable
from ..ui.panel_parts import draw_note

PRESET_SUBFOLDER: Final = "footfall/strikes"


class FOOTFALL_OT_save_strike_preset(AddPresetBase, FootfallOperator, bpy.types.Operator):
    """Save these strikes as your own preset, or remove one. Targets are not part of it"""

    bl_idname = "footfall.save_strike_preset"
    bl_label = "Save Strike Preset"
    bl_options = {"REGISTER", "INTERNAL"}

    preset_menu = "FOOTFALL_PT_strike_presets"
    preset_defines = ["settings = bpy.context.window_manager.footfall.character.footfall.combat"]
    preset_values = ["settings.controller_file", "settings.combination"]
    preset_subdir = PRESET_SUBFOLDER

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_not_animatable(context)


class FOOTFALL_PT_strike_presets(PresetPanel, bpy.types.Panel):
    """The presets, in a small window that opens from the panel's header."""

    bl_space_type = "VIEW_3D"
    bl_label = "Strike Presets"
    preset_subdir = PRESET_SUBFOLDER
    preset_operator = "script.execute_preset"
    preset_add_operator = FOOTFALL_OT_save_strike_preset.bl_idname

    def draw(self, context: bpy.types.Context) -> None:
        reason = why_not_animatable(context)
        if reason is not None:
            draw_note(self.layout, reason, "INFO")
            return
        if bpy.utils.preset_paths(PRESET_SUBFOLDER):
            super().draw(context)
            return
        row, manager = self.layout.row(), context.window_manager  # Blender would speak of missing paths
        row.prop(manager, "preset_name", text="")
        row.operator(FOOTFALL_OT_save_strike_preset.bl_idname, text="", icon="ADD").name = manager.preset_name


CLASSES: Final = (FOOTFALL_OT_save_strike_preset, FOOTFALL_PT_strike_presets)
