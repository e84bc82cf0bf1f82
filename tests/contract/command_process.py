"""In Blender: what ``blender -b FILE --command footfall ...`` does. Arguments: the file, and what follows."""

import sys

import bpy

import footfall
from footfall.blender_addon.app import command_line

footfall.register()
bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
bpy.app.handlers.save_pre.append(lambda *_: print("printed by another add-on"))
print("what the command prints:", flush=True)
raise SystemExit(command_line.execute(sys.argv[2:]))
