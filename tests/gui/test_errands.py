"""The page *Sit and carry*: a character sits on a chair, is previewed while the chair moves, and is baked."""

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
    goal = bpy.data.objects.new("Goal", None)
    goal.location, goal.empty_display_size = (1.5, -1.0, 0.0), 0.3
    bpy.context.collection.objects.link(goal)
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (0.5, -1.0, 0.6), 7.0
    bpy.ops.ed.undo_push(message="Room")
"""
SEAT, BODY, GOAL = (0.0, -2.0, 0.3), (0.0, 0.0, 1.2), (1.5, -1.0, 0.0)
"""Points to click on."""
MOVED = 1.0
"""Meters by which the seat is moved."""
TASKS = "bpy.data.objects['Locomotion'].footfall.interaction_tasks"
WORK = "bpy.context.window_manager.footfall.work_fraction"
ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"
PREVIEW = f"{ADDON.format('activities.interaction.preview.operators')}.active_preview()"


def test_an_errand_is_added(gui: Window) -> None:
    gui.ask(ROOM)
    gui.open_tab("Footfall")
    gui.click_on(SEAT)
    gui.click_on(BODY, held="shift")
    gui.press("footfall.add_interaction_task", at=0.83)
    gui.wait(f"len({TASKS})")
    assert gui.ask(f"({TASKS}[0].type, {TASKS}[0].object.name)") == ["sit", "Stool"], "what is selected besides"
    gui.shot("errand")


def test_another_is_done_before(gui: Window) -> None:
    gui.click_on(GOAL)
    gui.click_on(BODY, held="shift")
    gui.press("footfall.add_interaction_task", at=0.83)
    gui.press("footfall.move_interaction_task", at=0.68)
    assert gui.ask(f"[(one.type, one.object is None, one.target is None) for one in {TASKS}]") == [
        ["walk", True, False],
        ["sit", False, True],
    ]
    gui.shot("order")


def test_it_is_previewed(gui: Window) -> None:
    before = gui.ask("(sorted(bpy.data.objects.keys()), len(bpy.data.actions))")
    gui.press("footfall.preview_interactions")
    gui.wait(f"{PREVIEW} is not None")
    gui.over("VIEW_3D", at=FREE)
    gui.key("space")
    assert not gui.ask(f"{PREVIEW}.running")
    gui.click_on(SEAT)
    gui.key("g", "x", str(int(MOVED)), "Return")
    gui.press("footfall.step_interaction_preview", at=0.5)
    gui.shot("moved")
    gui.click_on(BODY)
    gui.press("footfall.pause_interaction_preview", at=0.2)
    gui.wait(f"{PREVIEW}.is_done", seconds=240)
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
    frames = gui.ask(f"[(one.first_frame, one.last_frame) for one in {TASKS}]")
    assert 0 < frames[0][0] < frames[0][1] < frames[1][1], "the timeline has their bars"
    assert abs(x - MOVED) < 0.25 and abs(y + 2.0) < 0.25 and 0.4 < z < 0.75, (x, y, z)
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    assert not gui.ask("len(bpy.data.actions)")


def test_esc_ends_the_preview_and_cancels_the_bake(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(1)")
    gui.click_on(BODY)
    gui.press("footfall.preview_interactions")
    gui.wait(f"{PREVIEW} is not None")
    gui.over("VIEW_3D", at=FREE)
    gui.key("Escape")
    assert gui.ask(f"{PREVIEW} is None")
    gui.press("footfall.bake_shot")
    gui.over("VIEW_3D", at=FREE)
    gui.key("Escape")
    gui.wait(f"{WORK} < 0")
    assert not gui.ask("len(bpy.data.actions)")
    gui.shot("canceled")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
