"""Presets of a panel of a character, by Blender's own system: their operator, and the window that lists them.

A preset is a file saved by the user below ``presets`` of Blender's user scripts, and can be shared with others. It
remains when Footfall is disabled or uninstalled, and only the user adds presets there.
"""

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from .operator_base import FootfallOperator, why_not_animatable
from .panel_parts import draw_note


class SavePresetOperator(AddPresetBase, FootfallOperator):
    """A mix-in for operators that save a preset of the active character, or remove one."""

    bl_options = {"REGISTER", "INTERNAL"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_not_animatable(context)


class CharacterPresetPanel(PresetPanel):
    """A mix-in for the presets in a small window that opens from a panel's header."""

    bl_space_type = "VIEW_3D"
    preset_operator = "script.execute_preset"

    def draw(self, context: bpy.types.Context) -> None:
        reason = why_not_animatable(context)
        if reason is not None:
            draw_note(self.layout, reason, "INFO")
            return
        if bpy.utils.preset_paths(self.preset_subdir):
            super().draw(context)
            return
        row, manager = self.layout.row(), context.window_manager  # Blender would report missing paths
        row.prop(manager, "preset_name", text="")
        row.operator(self.preset_add_operator, text="", icon="ADD").name = manager.preset_name
