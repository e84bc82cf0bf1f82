"""In Blender: a preset of the panel Direct. Argument: "save", and in another Blender of the same user "find again"."""

import sys
from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.activities.walk import presets
from footfall.tests.addon.support.armatures import make_armature

bpy.ops.wm.read_factory_settings(use_empty=True)
footfall.register()
settings = make_armature().footfall
file = Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / presets.PRESET_SUBFOLDER / "Games_slow.py"
if sys.argv[1] == "save":
    settings.style = "sneak"
    assert bpy.ops.footfall.save_direct_preset(name="Games slow") == {"FINISHED"}
    assert file.is_file()
else:
    bpy.ops.script.execute_preset(filepath=str(file), menu_idname="FOOTFALL_PT_direct_presets")
    assert settings.style == "sneak"
    assert bpy.ops.footfall.save_direct_preset(name="Games slow", remove_name=True) == {"FINISHED"}
    assert not file.exists()
