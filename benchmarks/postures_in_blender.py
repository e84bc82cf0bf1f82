"""Script for Blender's Python: retargets every source of motion to rigs, and measures their posture.

Arguments: the folder of motion capture, then names of characters, or none for all. Prints a JSON object a line.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from pathlib import Path

import bpy

import footfall
from footfall.benchmarks.postures import Figure, errors_on_rig, figures
from footfall.benchmarks.scripted_rigs.characters import CHARACTERS, MORE_BODIES, put_character
from footfall.blender_addon.rig.store import calibrate_armature
from footfall.core.errors import FootfallError


def measure(name: str, sources: list[Figure]) -> None:
    """Print the errors of each source on one character."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Object, "footfall"):
        footfall.register()
    try:
        armature = put_character((CHARACTERS | MORE_BODIES)[name])
    except FootfallError as error:
        print(json.dumps({"character": name, "error": str(error)}), flush=True)
        return
    for source in sources:
        found = errors_on_rig(source, calibrate_armature(armature, source.skeleton, source.stance))
        print(json.dumps({"character": name, "source": source.name, "errors": found}), flush=True)


every = {**CHARACTERS, **MORE_BODIES}
figures_found = figures(Path(sys.argv[1]))
for who in sys.argv[2:] or every:
    measure(who, figures_found)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
