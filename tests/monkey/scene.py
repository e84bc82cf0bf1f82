"""The scene in which the walk begins: two characters, a clip, ground, a path, furniture and what is aimed at."""

import os
import sys
from pathlib import Path

import bpy

from footfall.core.motion.bvh import write_bvh
from footfall.tests.addon.support.empty_blender import enable_add_on
from footfall.tests.addon.support.puppet import save_puppet
from footfall.tests.addon.support.scenes import add_box, add_curve, add_plane
from footfall.tests.addon.support.statue import save_statue
from footfall.tests.support.walker import Walker

from .changes import LIBRARY
from .state import KEPT


def make_scene(folder: Path) -> None:
    """Make the scene, and save it in a folder with the controllers that it uses."""
    walk, statue, puppet = (folder / name for name in ("walk.bvh", "statue.safetensors", "puppet.safetensors"))
    write_bvh(walk, Walker(seconds=3.0).clip())
    save_statue(walk, statue)
    save_puppet(walk, puppet)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enable_add_on()
    bpy.ops.import_anim.bvh(filepath=str(walk), axis_forward="Y", axis_up="Z")
    kept = bpy.context.object.animation_data.action.copy()
    kept.name, kept.use_fake_user = KEPT, True
    for number, name in enumerate(("Hero", "Other")):
        bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
        armature = bpy.context.object
        armature.name = name
        settings = armature.footfall
        settings.path = add_curve("POLY", [(0, number, 0), (1.5, number, 0)], name=f"Way of {name}")
        settings.interaction_controller_file = str(puppet)
    add_plane(20.0, name="Ground")
    add_box("Seat", (2.0, 2.0, 0.22), (0.5, 0.5, 0.44))
    add_box("Box", (-2.0, 0.0, 0.2), (0.3, 0.3, 0.3))
    for name, place in (("Target", (1.0, -1.0, 1.2)), ("Hoop", (4.0, 0.0, 3.05))):
        empty = bpy.data.objects.new(name, None)
        empty.location = place
        bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / LIBRARY), copy=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))


if __name__ == "__main__":
    make_scene(Path(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)
