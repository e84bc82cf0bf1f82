"""A path is edited under the live preview; marks, cues, worst frames; baked again, and from the command line."""

import json
import math
import time

from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
"""A place of the viewport, shares of its width and height, where nothing is."""
LENGTH, POINTS = 21.6, 9
"""Meters and points of the path: 20 s of walking and standing."""
SHOT = f"""
import math

for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add({POINTS - 1})
    for number, point in enumerate(spline.bezier_points):
        x = {LENGTH} * (number / {POINTS - 1} - 0.5) * 0.94
        point.co = (x, 2.0 * math.sin(x / 3), 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    way = bpy.data.objects.new("Way", data)
    bpy.context.collection.objects.link(way)
    bpy.ops.footfall.add_character()
    hero = bpy.context.object
    hero.footfall.path = way
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (3.0, 0.0, 0.0), 24.0
    bpy.ops.ed.undo_push(message="Shot")
draws = []
counter = bpy.types.SpaceView3D.draw_handler_add(draws.append, (0,), "WINDOW", "POST_PIXEL")

def keys():
    bags = [bag for layer in hero.animation_data.action.layers for strip in layer.strips for bag in strip.channelbags]
    curves = [curve for bag in bags for curve in bag.fcurves if curve.data_path.startswith("pose.bones")]
    return [[point.co[1] for point in curve.keyframe_points] for curve in curves]
"""
HERO = "hero = bpy.data.objects['Locomotion']"
"""After an undo step, what was known of objects is known no more."""
WORK = "bpy.context.window_manager.footfall.work_fraction"
ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"
PREVIEW = f"{ADDON.format('activities.walk.live_preview.operators')}.active_preview()"
LAST = "tuple(bpy.data.objects['Way'].data.splines[0].bezier_points[-2].co)"
WIGGLES = 40


def bake(gui: Window, button: str) -> float:
    """Presses a button that bakes, and waits; seconds."""
    place = gui.find(button)
    began = time.monotonic()
    gui.click(*place)
    gui.wait(f"{WORK} < 0", seconds=240)
    return time.monotonic() - began


def redraws_while_dragged(gui: Window, name: str) -> float:
    """Redraws a second while somebody takes the last point but one, in Edit Mode, and moves it to and fro."""
    x, y = gui.ask(f"spot({LAST})")
    gui.ask("bpy.context.view_layer.objects.active = way; hero.select_set(False); way.select_set(True)")
    gui.over("VIEW_3D", at=FREE)
    gui.key("Tab")
    gui.ask("[setattr(one, 'select_control_point', False) for one in way.data.splines[0].bezier_points]")
    gui.ask("setattr(way.data.splines[0].bezier_points[-2], 'select_control_point', True)")
    before = gui.ask(LAST)
    gui.move(x, y)
    gui.tool("do", "key", "g", "key", "shift+z")  # along the ground
    gui.settle()
    gui.ask("draws.clear()")
    began = time.monotonic()
    steps = [("mousemove", round(x + 60 * math.sin(0.3 * number)), round(y - number)) for number in range(1, WIGGLES)]
    gui.tool("do", *(part for step in steps for part in (*step, "sleep", "0.1")))
    redraws = gui.ask("len(draws)") / (time.monotonic() - began)
    gui.shot(name)
    gui.tool("do", "click", 1)
    gui.settle()
    gui.over("VIEW_3D", at=FREE)
    gui.key("Tab")
    assert math.dist(gui.ask(LAST), before) > 0.3
    return redraws


def test_a_shot_is_there(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    gui.shot("shot")


def test_the_preview_is_switched_on(gui: Window) -> None:
    gui.press("footfall.live_preview")
    assert gui.ask("bpy.context.window_manager.footfall.live_preview")
    gui.wait(f"not {PREVIEW}._is_computing and {PREVIEW}.partial_walk is not None")
    assert gui.ask(f"{PREVIEW}.error") == ""
    gui.shot("preview")


def test_a_point_is_dragged_under_it(gui: Window) -> None:
    with_preview = redraws_while_dragged(gui, "dragged")
    assert gui.ask(f"{PREVIEW}.error") == "" and gui.ask(f"{PREVIEW}.partial_walk.walk.frames_reused") > 60, (
        "its beginning is kept"
    )
    gui.press("footfall.live_preview")
    without = redraws_while_dragged(gui, "dragged_alone")
    print(f"redraws a second in a software-drawn window: {with_preview:.1f} with the preview, {without:.1f} without")


def test_the_bake_is_made_from_the_path(gui: Window) -> None:
    gui.ask("draws.clear()")
    print(f"baked in {bake(gui, 'footfall.bake_shot'):.1f} s, with {gui.ask('len(draws)')} redraws")
    gui.ask(HERO)
    assert gui.ask("hero.footfall.baked_action is not None") and gui.ask("bpy.context.object.name") == "Way"
    gui.ask("first = keys()")
    gui.shot("baked")


def test_baked_again_only_the_end_is_new(gui: Window) -> None:
    gui.ask("""
bpy.data.objects["Way"].data.splines[0].bezier_points[-1].co.y += 1.0
bpy.ops.ed.undo_push(message="Move")
""")
    print(f"baked again in {bake(gui, 'footfall.update_bake'):.1f} s")
    gui.ask(HERO)
    gui.ask("second = keys()")
    assert gui.ask("max(abs(a - b) for one, two in zip(first, second) for a, b in zip(one[:120], two[:120]))") == 0
    assert gui.ask("any(one != two for one, two in zip(first, second))")
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    gui.ask(HERO)
    assert gui.ask("keys() == first"), "one step takes it back"
    gui.key("ctrl+shift+z")
    gui.ask(HERO)
    assert gui.ask("keys() == second")


def test_a_mark_is_met(gui: Window) -> None:
    gui.unfold("directing#waypoints")
    gui.press("footfall.add_waypoint", at=0.83)
    gui.wait("len(bpy.data.objects['Locomotion'].footfall.waypoints)")
    gui.ask(HERO)
    gui.ask("mark = hero.footfall.waypoints[0]; mark.frame = 180; mark.empty.location = (-2.8, -1.5, 0.0)")
    bake(gui, "footfall.update_bake")
    gui.ask(HERO)
    assert gui.ask("hero.footfall.waypoints[0].result") and not gui.ask("hero.footfall.waypoints[0].missed")
    gui.ask("bpy.context.scene.frame_set(180)")
    x, y = gui.ask("(hero.matrix_world @ hero.pose.bones[0].head).xy[:]")
    assert math.dist((x, y), (-2.8, -1.5)) < 0.03
    gui.find("footfall.go_to_waypoint", at=0.83)
    gui.shot("mark")


def test_a_cue_is_added(gui: Window) -> None:
    gui.unfold("directing#path-events")
    gui.press("footfall.add_path_event", at=0.83)
    gui.wait("len(bpy.data.objects['Locomotion'].footfall.path_events)")
    gui.ask(HERO)
    gui.ask("cue = hero.footfall.path_events[0]; cue.type = 'SPEED'; cue.speed = 3.0; cue.range_type = 'DISTANCE'")
    gui.settle()
    gui.shot("cue")
    gui.ask("hero.footfall.waypoints[0].frame = 110")  # it is sooner there
    gui.ask("before = int(hero.animation_data.action.frame_range[1])")
    bake(gui, "footfall.update_bake")
    gui.ask(HERO)
    assert gui.ask("hero.footfall.path_events[0].speed") == 3.0 and not gui.ask("hero.footfall.waypoints[0].missed")
    assert gui.ask("int(hero.animation_data.action.frame_range[1]) < before - 30"), "who runs is sooner there"


def test_the_worst_frame_is_shown(gui: Window) -> None:
    if not gui.ask(f"{ADDON.format('shot.quality_panel')}.is_doubtful(hero)"):  # else it is open
        gui.unfold("after-the-bake")
    gui.press("footfall.show_worst_frame", at=0.83)
    gui.settle()
    gui.shot("worst")
    assert gui.ask("bpy.context.scene.frame_current") != 180


def test_it_is_baked_by_the_command_line(gui: Window) -> None:
    file = gui.folder / "shot.blend"
    gui.ask(f"bpy.ops.wm.save_as_mainfile(filepath={str(file)!r}, copy=True)")
    said = gui.inside(
        "blender", "-b", str(file), "--command", "footfall", "bake", "--all", "--save", "--json", seconds=240
    )
    report = json.loads(said[said.index("{") : said.rindex("}") + 1])
    assert report["exit_code"] == 0 and report["saved"] == str(file) and not report["errors"]
    (item,) = report["items"]
    assert (item["object"], item["status"], item["path"]) == ("Locomotion", "done", "Way")
    assert item["last_frame"] == gui.ask("int(hero.animation_data.action.frame_range[1])"), "as in the window"
    motion = {"path_deviation", "foot_sliding", "ground_penetration", "foot_floating", "jitter", "knee_hyperextension"}
    rig = {"posture", "sole_tilt", "sole_gap", "joint_flip", "off_plan", "travel_speed"}
    assert set(item["quality"]) == motion | {"sliding_pair"} | rig and len(item["waypoints"]) == 1


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    gui.ask("bpy.types.SpaceView3D.draw_handler_remove(counter, 'WINDOW')")
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
