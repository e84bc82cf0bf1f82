"""A bake is edited: a pose is kept, takes are baked and chosen, and everything is taken back."""

from footfall.tests.gui.drawn_walk import SHOT, bake
from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
"""A place of the viewport, shares of its width and height, where nothing is."""
FRAME = 60
RAISE = f"""
bpy.context.scene.frame_set({FRAME})
from mathutils import Quaternion
arm = next(bone for bone in hero().pose.bones if "upper" in bone.name.lower() and "left" in bone.name.lower()
           and "arm" in bone.name.lower())
arm.rotation_quaternion = arm.rotation_quaternion @ Quaternion((0.0, 0.0, 1.0), 1.0)
bpy.context.view_layer.update()
posed = tuple(hero().matrix_world @ arm.tail)
arm_name = arm.name
"""
OFF = """
bpy.context.scene.frame_set(60)
bpy.context.view_layer.update()
tail = hero().matrix_world @ hero().pose.bones[arm_name].tail
off = sum((a - b) ** 2 for a, b in zip(tail, posed)) ** 0.5
"""


def test_a_pose_is_kept_and_the_next_bake_goes_through_it(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    bake(gui, "footfall.bake_shot", "first")
    gui.unfold("directing#edits")
    gui.unfold("directing#key-poses")
    gui.ask(RAISE)
    gui.press("footfall.keep_pose")
    gui.wait("len(hero().footfall.key_poses) == 1")
    gui.shot("kept")
    bake(gui, "footfall.update_bake", "second")
    gui.ask(OFF)
    assert gui.ask("off") < 0.002
    gui.shot("posed")


def test_a_footprint_is_moved_and_the_next_bake_steps_there(gui: Window) -> None:
    gui.unfold("directing#edited-steps")
    gui.press("footfall.edit_step", at=0.25)
    gui.wait("len(hero().footfall.edited_steps) == 1")
    gui.ask("footprint = hero().footfall.edited_steps[0].handle; footprint.location.y += 0.12")
    gui.shot("footprint")
    bake(gui, "footfall.update_bake", "third")
    assert abs(gui.ask("footprint.location[1] - hero().footfall.edited_steps[0].home[1]") - 0.12) < 1e-4
    gui.shot("stepped")


def test_takes_are_baked_shown_side_by_side_and_one_is_used(gui: Window) -> None:
    gui.unfold("directing#takes")
    gui.press("footfall.bake_takes")
    gui.wait("len(hero().footfall.takes) == 3 and bpy.context.window_manager.footfall.work_fraction < 0", seconds=240)
    gui.press("footfall.show_takes")
    gui.settle()
    gui.shot("takes")
    gui.ask("hero().footfall.active_take = 2")
    gui.press("footfall.use_take", at=0.3)
    gui.wait("hero().footfall.baked_action == hero().footfall.takes[2].action")
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    assert gui.ask("hero().footfall.baked_action != hero().footfall.takes[2].action"), "one step takes it back"


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log()
