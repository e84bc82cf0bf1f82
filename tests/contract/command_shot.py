"""In Blender: writes shot.blend, with two characters and their paths. Arguments: a walk by CMU, the folder."""

import sys
from pathlib import Path

import bpy

import footfall
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.addon.support.statue import save_statue

CLIP, FOLDER = sys.argv[1], Path(sys.argv[2])

save_statue(CLIP, FOLDER / "statue.safetensors")
bpy.ops.wm.read_factory_settings(use_empty=True)
footfall.register()
for number, name in enumerate(("Hero", "Extra")):
    bpy.ops.footfall.add_character(controller="file", filepath=str(FOLDER / "statue.safetensors"))
    armature = bpy.context.object
    armature.name = name
    armature.footfall.path = add_curve("POLY", [(0, 2 * number, 0), (2, 2 * number, 0)], name=f"Way of {name}")
bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "shot.blend"))
