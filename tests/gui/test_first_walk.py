"""The page of the first walk: from the tab to a baked walk along a path drawn by hand, back by Ctrl+Z, and changed."""

import math

from footfall.tests.gui.drawn_walk import draw_path
from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
"""A place of the viewport, shares of its width and height, where nothing is."""
STATE = """
def hero():
    return bpy.data.objects["Locomotion"]

def fcurves(action):
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]

def nearest(point):
    found = []
    for frame in range(bpy.context.scene.frame_start, bpy.context.scene.frame_end, 3):
        bpy.context.scene.frame_set(frame)
        hips = hero().matrix_world @ hero().pose.bones[0].head
        found.append(((hips.x - point[0]) ** 2 + (hips.y - point[1]) ** 2) ** 0.5)
    return min(found)

def state():
    scene = bpy.context.scene
    return {
        "objects": sorted(bpy.data.objects.keys()),
        "actions": {one.name: sum(len(curve.keyframe_points) for curve in fcurves(one)) for one in bpy.data.actions},
        "frames": [scene.frame_start, scene.frame_end, scene.render.fps],
        "custom": sorted(key for one in bpy.data.objects for key in one.keys()),
        "tracks": sum(len(one.animation_data.nla_tracks) for one in bpy.data.objects if one.animation_data),
        "pose": [list(row) for one in bpy.data.objects["Locomotion"].pose.bones for row in one.matrix_basis],
    }
"""
PATH = "bpy.context.object.footfall.path.data.splines[0]"
WORK = "bpy.context.window_manager.footfall.work_fraction"
MIDDLE = """[
    (path.matrix_world @ points[len(points) // 2].co.to_3d())[:] for path in [hero().footfall.path]
    for points in [path.data.splines[0].bezier_points]
][0]"""
"""A point in the middle of the path."""
DRAGGED_PX = 30
"""Pixels by which a point of the path is moved."""
END = "int(hero().animation_data.action.frame_range[1])"
WATCH = f"""
seen = []

def watch():
    seen.append({WORK})
    return 0.05

bpy.app.timers.register(watch)
"""


def test_the_tab_is_there(gui: Window) -> None:
    gui.over("VIEW_3D", at=FREE)
    gui.key("x", "Return")  # the cube that every new file has
    gui.clicks = 0
    gui.open_tab("Footfall")
    gui.shot("tab")


def test_a_character_is_added(gui: Window) -> None:
    gui.press("footfall.add_character")
    gui.wait("bpy.context.object is not None and bpy.context.object.type == 'ARMATURE'")
    gui.shot("character")


def test_a_path_is_drawn(gui: Window) -> None:
    draw_path(gui)
    assert gui.ask(f"len({PATH}.bezier_points) + len({PATH}.points)") > 2
    assert gui.ask(f"max(abs(one.co[2]) for one in (*{PATH}.bezier_points, *{PATH}.points))") < 1e-3, "on the ground"
    gui.ask(STATE)
    gui.ask("before = state()")
    gui.shot("drawn")


def test_the_preview_walks_along_it(gui: Window) -> None:
    clicks = gui.clicks
    button = gui.find("footfall.live_preview")
    gui.click(*button)
    assert gui.ask("bpy.context.window_manager.footfall.live_preview")
    gui.settle()
    gui.shot("preview")
    gui.click(*button)
    assert gui.ask("{key: now for key, now in state().items() if now != before[key]}") == {}, "nothing was made"
    gui.clicks = clicks  # one can do without


def test_a_walk_is_baked_while_the_window_goes_on(gui: Window) -> None:
    gui.ask(WATCH)
    gui.press("footfall.bake_shot")
    print(f"{gui.clicks} clicks and keys to the first walk; dragging the zip into Blender and saying OK are two more")
    assert gui.clicks <= 8
    gui.shot("baking")
    gui.wait(f"{WORK} < 0 and len(bpy.data.actions)", seconds=240)
    gui.ask("bpy.app.timers.unregister(watch)")
    assert gui.ask("len({fraction for fraction in seen if fraction > 0})") > 1, "it goes on"
    gui.over("VIEW_3D", at=FREE)
    gui.shot("baked")
    gui.ask("baked = state()")
    actions = gui.ask("baked['actions']")
    assert len(actions) == 1 and min(actions.values()) > 1000
    assert gui.ask("bpy.context.scene.frame_end") > 100


def test_it_is_where_the_path_is(gui: Window) -> None:
    ends = gui.ask("""[
        (path.matrix_world @ points[at].co.to_3d()).xy[:] for path in [bpy.context.object.footfall.path]
        for one in path.data.splines for points in [one.bezier_points or one.points] for at in (0, -1)
    ]""")
    for frame, (x, y) in zip(("frame_start", "frame_end"), ends, strict=True):
        gui.ask(f"bpy.context.scene.frame_set(bpy.context.scene.{frame})")
        hips = gui.ask("(bpy.context.object.matrix_world @ bpy.context.object.pose.bones[0].head).xy[:]")
        assert math.dist(hips, (x, y)) < 0.3, frame
    gui.shot("arrived")


def test_ctrl_z_takes_all_of_it_back(gui: Window) -> None:
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    assert gui.ask("{key: now for key, now in state().items() if now != before[key]}") == {}
    gui.shot("undone")


def test_and_again(gui: Window) -> None:
    gui.key("ctrl+shift+z")
    assert gui.ask("{key: now for key, now in state().items() if now != baked[key]}") == {}
    gui.shot("redone")


def test_it_plays(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(1)")
    gui.over("VIEW_3D", at=FREE)
    gui.key("KP_1", "Home", "space")
    gui.wait("bpy.context.scene.frame_current > 5")
    gui.shot("playing")
    gui.key("space")
    gui.wait("not bpy.context.screen.is_animation_playing")
    gui.ask("bpy.context.scene.frame_set(1)")


def test_three_meters_a_second_are_a_run(gui: Window) -> None:
    gui.ask(f"walked = {END}")
    gui.set_number("footfall.speed", "3")
    gui.press("footfall.update_bake")
    gui.wait(f"{WORK} < 0 and {END} < walked - 30", seconds=240)
    assert "RUN" in gui.ask("sorted({one.name.upper() for one in hero().animation_data.action.footfall.segments})")
    gui.ask("bpy.context.scene.frame_set(60)")
    gui.shot("running")


def test_the_path_is_edited_while_a_ghost_walks_along_it(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(1)")
    gui.over("VIEW_3D", at=FREE)
    gui.key("KP_7", "Home")
    gui.press("footfall.live_preview")
    before = gui.ask(MIDDLE)
    gui.click_on(before)
    assert gui.ask("bpy.context.object == hero().footfall.path")
    gui.key("Tab")
    gui.click_on(before)
    x, y = gui.ask(f"spot({before})")
    gui.key("g")
    gui.move(x + DRAGGED_PX, y)
    gui.tool("do", "click", 1)
    gui.settle()
    gui.shot("path_edited")
    gui.key("Tab")
    after = gui.ask(MIDDLE)
    assert gui.ask("bpy.context.mode") == "OBJECT"
    assert math.dist(before, after) > 0.3 and abs(after[2]) < 1e-3, "it stays on the ground"
    gui.ask(f"walked = {END}")
    gui.press("footfall.update_bake")
    gui.wait(f"{WORK} < 0 and {END} != walked", seconds=240)
    gui.shot("path_updated")
    assert gui.ask(f"nearest({after})") < 0.3, "it walks there"


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
