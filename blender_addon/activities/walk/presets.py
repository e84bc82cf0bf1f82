"""Presets of the panel Direct: settings of walk and output, but not the path."""

from typing import Final

import bpy

from ...ui.presets import CharacterPresetPanel, SavePresetOperator

PRESET_SUBFOLDER: Final = "footfall/direct"
CHARACTER_PROPERTIES: Final = (
    *("controller", "controller_file", "performer", "style", "speed", "performer_share", "control_variation"),
    *("generator", "generator_file", "responsiveness", "start", "ball", "ball_radius"),
)
OUTPUT_PROPERTIES: Final = (
    "destination",
    "blend_in",
    "blend_out",
    "controls",
    "root_motion",
    "root_axes",
    "root_rotation",
    "reduce_keys",
    "max_error",
)
"""Properties of a character and its output in a preset; all others belong to the shot, the rig or a bake."""


class FOOTFALL_OT_save_direct_preset(SavePresetOperator, bpy.types.Operator):
    """Save the settings of the walk as a preset, or remove a preset. The path is not saved"""

    bl_idname = "footfall.save_direct_preset"
    bl_label = "Save Locomotion Preset"

    preset_menu = "FOOTFALL_PT_direct_presets"
    preset_defines = ["settings = bpy.context.window_manager.footfall.character.footfall"]
    preset_values = [
        *(f"settings.{name}" for name in CHARACTER_PROPERTIES),
        *(f"settings.output.{name}" for name in OUTPUT_PROPERTIES),
    ]
    preset_subdir = PRESET_SUBFOLDER


class FOOTFALL_PT_direct_presets(CharacterPresetPanel, bpy.types.Panel):
    """The presets, in a small window that opens from the panel's header."""

    bl_label = "Locomotion Presets"
    preset_subdir = PRESET_SUBFOLDER
    preset_add_operator = FOOTFALL_OT_save_direct_preset.bl_idname


CLASSES: Final = (FOOTFALL_OT_save_direct_preset, FOOTFALL_PT_direct_presets)
