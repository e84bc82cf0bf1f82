"""Presets of strikes: combinations of end effectors and times, without targets."""

from typing import Final

import bpy

from ...ui.presets import CharacterPresetPanel, SavePresetOperator

PRESET_SUBFOLDER: Final = "footfall/strikes"


class FOOTFALL_OT_save_strike_preset(SavePresetOperator, bpy.types.Operator):
    """Save the strikes of the shot as a preset, or remove a preset. Targets are not saved"""

    bl_idname = "footfall.save_strike_preset"
    bl_label = "Save Strike Preset"

    preset_menu = "FOOTFALL_PT_strike_presets"
    preset_defines = ["settings = bpy.context.window_manager.footfall.character.footfall"]
    preset_values = ["settings.strike_controller_file", "settings.combination"]
    preset_subdir = PRESET_SUBFOLDER


class FOOTFALL_PT_strike_presets(CharacterPresetPanel, bpy.types.Panel):
    """The presets, in a small window that opens from the panel's header."""

    bl_label = "Strike Presets"
    preset_subdir = PRESET_SUBFOLDER
    preset_add_operator = FOOTFALL_OT_save_strike_preset.bl_idname


CLASSES: Final = (FOOTFALL_OT_save_strike_preset, FOOTFALL_PT_strike_presets)
