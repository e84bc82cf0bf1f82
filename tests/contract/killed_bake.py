"""In Blender: bakes a file by the command line, and is killed at a change. Arguments: the file, the change's number."""

import sys
from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.app.command_line.main import main
from footfall.tests.faults.injection import KILL, Fault, Injector

SHOT, NUMBER = Path(sys.argv[1]), int(sys.argv[2])

footfall.register()
bpy.ops.wm.open_mainfile(filepath=str(SHOT))
Injector(Fault(KILL, NUMBER), SHOT.parent)
raise SystemExit(main(["bake", "--object", "Hero", "--save"]))
