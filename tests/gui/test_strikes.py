"""A pad is struck: the strike is added, previewed and baked, and undone in one step."""

from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
ROOM = """
for name in ("Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    pad = bpy.data.objects["Cube"]
    pad.name, pad.scale, pad.location = "Pad", (0.15, 0.05, 0.15), (0.0, -0.75, 1.45)
    bpy.ops.footfall.add_character()
    hero = bpy.context.object
    pad.select_set(True)
    bpy.context.scene.frame_set(60)
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (0.5, -0.5, 0.8), 5.0
    bpy.ops.ed.undo_push(message="Room")
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"
ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"
PREVIEW = f"{ADDON.format('activities.interaction.preview.operators')}.active_preview()"
BEATS = "bpy.data.objects['Locomotion'].footfall.interaction_tasks"


def test_a_strike_is_added(gui: Window) -> None:
    gui.ask(ROOM)
    gui.open_tab("Footfall")
    gui.press("footfall.add_interaction_task", at=0.83)
    gui.wait(f"len({BEATS})")
    gui.choose("footfall.interaction_tasks[0].type", f"{BEATS}[0].type == 'strike'")
    gui.ask(f"setattr({BEATS}[0], 'target', bpy.data.objects['Pad'])")
    gui.ask(f"[setattr({BEATS}[0], name, value) for name, value in (('has_end', True), ('end_frame', 90))]")
    gui.shot("strike")


def test_it_is_previewed(gui: Window) -> None:
    before = gui.ask("(sorted(bpy.data.objects.keys()), len(bpy.data.actions))")
    gui.press("footfall.preview_interactions")
    gui.wait(f"{PREVIEW} is not None and {PREVIEW}.is_done", seconds=240)
    gui.shot("preview")
    assert gui.ask("(sorted(bpy.data.objects.keys()), len(bpy.data.actions))") == before, "nothing was made"
    gui.over("VIEW_3D", at=FREE)
    gui.key("Escape")
    gui.wait(f"{PREVIEW} is None")


def test_it_is_baked_and_undone_in_one_step(gui: Window) -> None:
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and len(bpy.data.actions)", seconds=240)
    gui.settle()
    gui.ask("hero = bpy.data.objects['Locomotion']; bpy.context.scene.frame_set(90)")
    x, y, z = gui.ask("(hero.matrix_world @ hero.pose.bones['RightHand'].tail)[:]")
    gui.shot("struck")
    assert abs(x) < 0.03 and abs(y + 0.75) < 0.03 and abs(z - 1.45) < 0.03, (x, y, z)
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    assert not gui.ask("len(bpy.data.actions)")
    assert gui.ask(f"len({BEATS})") == 1
