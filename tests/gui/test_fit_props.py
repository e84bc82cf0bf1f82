"""The page *Sit and carry*: a stool goes under a captured clip, is raised, and the clip is adapted to it."""

from pathlib import Path

import pytest

from footfall.tests.gui.window import Window

pytestmark = pytest.mark.usefixtures("shared_data")
CLIP = Path("mocap/gazebo_actor/sit/sit_down.bvh")
SEATED = 136
"""A frame at which the actor sits."""
RAISED = 0.1
"""Meters by which the stool is raised."""
ROOM = """
for name in ("Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
seat = bpy.data.objects["Cube"]
seat.name, seat.scale, seat.location = "Stool", (0.22, 0.22, 0.22), (1.5, 1.0, 0.22)
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.import_anim.bvh(filepath={!r}, global_scale=0.01, update_scene_fps=True, update_scene_duration=True)
hero = bpy.context.object
view = region("VIEW_3D")["area"].spaces.active.region_3d
view.view_location, view.view_distance = (0.3, 0.3, 0.6), 5.0
bpy.ops.ed.undo_push(message="Clip")

def hips():
    return (hero.matrix_world @ hero.pose.bones[0].head)[:]
"""
STOOL = "(seat.location.x + 0.2, seat.location.y - 0.17, seat.location.z - 0.12)"
"""A place of the stool beside the legs."""
SPINE = "(hero.matrix_world @ hero.pose.bones['Spine'].head)[:]"


def test_a_stool_goes_under_the_clip(gui: Window, shared_data: Path) -> None:
    clip = gui.folder / CLIP.name
    clip.write_bytes((shared_data / CLIP).read_bytes())
    gui.ask(ROOM.format(str(clip)))
    gui.open_tab("Footfall")
    gui.click_on(gui.ask(STOOL))
    gui.click_on(gui.ask(SPINE), held="shift")
    gui.unfold("blender#more")
    gui.unfold("sit-and-carry#fit-props")
    gui.press("footfall.fit_prop", at=0.2)
    gui.wait("len(seat.children)")
    gui.press("footfall.show_object_contacts")
    gui.ask(f"bpy.context.scene.frame_set({SEATED})")
    gui.shot("fitted")
    x, y, z = gui.ask("hips()")
    seat_x, seat_y, top = gui.ask("(*seat.location[:2], seat.location.z + 0.22)")
    assert abs(seat_x - x) < 0.2 and abs(seat_y - y) < 0.2 and 0.0 < z - top < 0.25
    assert {"Stool.hips", "Stool.foot.L", "Stool.foot.R"} <= set(gui.ask("[one.name for one in seat.children]"))


def test_the_clip_is_adapted_to_the_raised_stool(gui: Window) -> None:
    _, _, before = gui.ask("hips()")
    gui.click_on(gui.ask(STOOL))
    gui.key("g", "z", "0", "period", "1", "Return")
    gui.click_on(gui.ask(SPINE), held="shift")
    gui.press("footfall.adapt_motion")
    gui.wait("len(bpy.data.actions) == 2")
    gui.ask(f"bpy.context.scene.frame_set({SEATED})")
    _, _, after = gui.ask("hips()")
    gui.shot("adapted")
    assert abs(after - before - RAISED) < 0.02, "the hips follow"
    assert gui.ask("hero.animation_data.action.name") == "sit_down_on_Stool"


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
