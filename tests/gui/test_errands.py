"""Somebody is sent to a chair: previewed in the viewport, and baked."""

from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
ROOM = """
for name in ("Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    seat = bpy.data.objects["Cube"]
    seat.name, seat.scale, seat.location = "Stool", (0.22, 0.22, 0.22), (0.0, -2.0, 0.22)
    bpy.ops.footfall.add_character()
    hero = bpy.context.object
    seat.select_set(True)
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (0.5, -1.0, 0.6), 7.0
    bpy.ops.ed.undo_push(message="Room")
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"
ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"
PREVIEW = f"{ADDON.format('interactions.preview.operators')}.active_preview()"


def test_an_errand_is_added(gui: Window) -> None:
    gui.ask(ROOM)
    gui.open_tab("Footfall")
    gui.unfold("sit-and-carry#interactions")
    gui.press("footfall.add_interaction_task", at=0.83)
    gui.wait("len(bpy.data.objects['Locomotion'].footfall.interaction_tasks)")
    errand = "bpy.data.objects['Locomotion'].footfall.interaction_tasks[0]"
    assert gui.ask(f"({errand}.type, {errand}.object.name)") == ["sit", "Stool"], "what is selected besides"
    gui.shot("errand")


def test_it_is_previewed(gui: Window) -> None:
    before = gui.ask("(sorted(bpy.data.objects.keys()), len(bpy.data.actions))")
    gui.press("footfall.preview_interactions")
    gui.wait(f"{PREVIEW} is not None")
    gui.settle()
    gui.shot("preview")
    gui.press("footfall.pause_interaction_preview", at=0.2)
    gui.settle()
    gui.shot("paused")
    assert gui.ask("(sorted(bpy.data.objects.keys()), len(bpy.data.actions))") == before, "nothing was made"


def test_it_is_baked_from_the_preview(gui: Window) -> None:
    gui.press("footfall.bake_interaction_preview")
    gui.wait(f"{WORK} < 0 and len(bpy.data.actions)", seconds=240)
    gui.settle()
    gui.ask("hero = bpy.data.objects['Locomotion']; scene = bpy.context.scene")
    gui.ask("scene.frame_set(int(hero.animation_data.action.frame_range[1]))")
    x, y, z = gui.ask("(hero.matrix_world @ hero.pose.bones[0].head)[:]")
    gui.shot("seated")
    assert abs(x) < 0.25 and abs(y + 2.0) < 0.25 and 0.4 < z < 0.75, (x, y, z)
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    assert not gui.ask("len(bpy.data.actions)")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
