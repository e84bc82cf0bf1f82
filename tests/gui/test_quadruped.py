"""An animal's trot on the spot travels, and the animal walks along a path by the controller of four legs."""

import math

from footfall.core.motion.bvh import write_bvh
from footfall.tests.gui.window import Window
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, trot

SPEED = 2 * BEAT_HZ * STRIDE_M
"""Speed of stance paws: their way in half a cycle."""
SHOT = """
for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.import_anim.bvh(filepath={file!r}, global_scale=0.01, update_scene_fps=True, update_scene_duration=True)
    bpy.context.object.name = "Dog"
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (0.0, -1.0, 0.0), 6.0
    bpy.ops.ed.undo_push(message="Import")

def animal():
    return bpy.data.objects["Dog"]

def hips_at(frame):
    bpy.context.scene.frame_set(int(frame))
    return (animal().matrix_world @ animal().pose.bones["hips"].head).xy[:]
"""
PATH = """
data = bpy.data.curves.new("Way", "CURVE")
data.dimensions = "3D"
spline = data.splines.new("POLY")
spline.points.add(1)
spline.points[1].co = (0.0, -3.0, 0.0, 1.0)
way = bpy.data.objects.new("Way", data)
bpy.context.collection.objects.link(way)
animal().footfall.path = way
bpy.ops.ed.undo_push(message="Path")
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"


def test_an_animal_on_the_spot_is_imported(gui: Window) -> None:
    file = gui.folder / "trot.bvh"
    write_bvh(file, trot(dog())[0])
    gui.ask(SHOT.format(file=str(file)))
    gui.open_tab("Footfall")
    gui.settle()
    assert math.dist(gui.ask("hips_at(1)"), gui.ask("hips_at(61)")) < 0.05
    gui.shot("imported")


def test_its_rig_is_guessed(gui: Window) -> None:
    gui.unfold("rig")
    gui.press("footfall.guess_rig")
    assert {"front_thigh.L", "front_thigh.R"} <= set(gui.ask("[row.name for row in animal().footfall.rig.roles]"))
    gui.shot("rig")


def test_its_trot_travels_as_its_paws_say(gui: Window) -> None:
    gui.unfold("blender#motion-capture")
    gui.unfold("animals#root-motion-from-stance")
    gui.press("footfall.root_motion_from_stance")
    gui.wait(f"{WORK} < 0 and animal().animation_data.action.name == 'trot travelling'")
    (x, y), start = gui.ask("hips_at(61)"), gui.ask("hips_at(1)")
    assert abs(x - start[0]) < 0.05 and abs(y - start[1] + SPEED) < 0.1, "a second, ahead along -Y"
    gui.shot("travelling")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    assert gui.ask("animal().animation_data.action.name") == "trot", "one step takes it back"
    gui.key("ctrl+shift+z")
    assert gui.ask("animal().animation_data.action.name") == "trot travelling"


def test_the_controller_of_four_legs_is_chosen_and_a_path_is_walked(gui: Window) -> None:
    gui.ask(PATH)
    gui.choose("footfall.controller_choice", "animal().footfall.controller == 'preset:quadruped'")
    gui.set_number("footfall.speed", "0.8")
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and animal().footfall.baked_action is not None", seconds=240)
    assert gui.ask("animal().footfall.quality_summary")
    gui.shot("baked")
    x, y = gui.ask("hips_at(animal().animation_data.action.frame_range[1])")
    assert abs(x) < 0.2 and -3.0 < y < -2.2, "the middle of its trunk, ahead of its hips, is at the path's end"
    gui.settle()
    gui.shot("arrived")


def test_the_trot_is_kept(gui: Window) -> None:
    strips = "[strip.action.name for track in animal().animation_data.nla_tracks for strip in track.strips]"
    assert set(gui.ask(strips)) == {"trot", "trot travelling"}
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    assert gui.ask("animal().animation_data.action.name") == "trot travelling"


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
