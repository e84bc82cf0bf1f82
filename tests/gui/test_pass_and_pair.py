"""A ball is passed from one character to another by the panel's cues, and one of them then faces the other."""

from footfall.tests.gui.window import Window

FREE = (0.3, 0.75)
"""A place of the viewport, shares of its width and height, where nothing is."""
SCENE = """
for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
bpy.context.scene.render.fps = 30
with bpy.context.temp_override(**region("VIEW_3D")):
    made = []
    for name, points in (("Passer", [(0, 0), (1, 0)]), ("Receiver", [(5, -2), (5, 0)])):
        data = bpy.data.curves.new(name + " Way", "CURVE")
        data.dimensions = "3D"
        spline = data.splines.new("POLY")
        spline.points.add(1)
        for point, (x, y) in zip(spline.points, points):
            point.co = (x, y, 0.0, 1.0)
        way = bpy.data.objects.new(name + " Way", data)
        bpy.context.collection.objects.link(way)
        bpy.ops.footfall.add_character()
        bpy.context.object.name = name
        bpy.context.object.footfall.path = way
        made.append(bpy.context.object)
    for one, other, kind, at in ((*made, "PASS", 1.0), (*made[::-1], "CATCH", 2.0)):
        cue = one.footfall.path_events.add()
        cue.type, cue.target, cue.start_distance = kind, other, at
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_location, view.view_distance = (2.5, -0.5, 1.0), 12.0
    bpy.ops.ed.undo_push(message="Players")

def player(name):
    return bpy.data.objects[name]

def activate(name):
    for one in bpy.context.view_layer.objects:
        one.select_set(one.name == name)
    bpy.context.view_layer.objects.active = player(name)

def balls():
    return [one for one in bpy.data.objects if "footfall_ball" in one]
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"
ADDON = "__import__('importlib').import_module('bl_ext.user_default.footfall.blender_addon.{}')"
WALK = f"{ADDON.format('activities.walk.live_preview.operators')}.active_preview()"
SHOT = f"{ADDON.format('activities.interaction.preview.operators')}.active_preview()"


def test_the_receiver_s_preview_has_the_ball_in_its_hands_and_is_baked(gui: Window) -> None:
    gui.ask(SCENE)
    gui.open_tab("Footfall")
    gui.press("footfall.live_preview")
    gui.wait(f"{WALK}.partial_walk is not None and not {WALK}._is_computing", seconds=120)
    assert gui.ask(f"{WALK}.error") == ""
    assert gui.ask(f"{WALK}.partial_walk.ball(0) is not None")
    gui.shot("catch_previewed")
    gui.press("footfall.live_preview")
    gui.press("footfall.bake_shot")
    gui.wait(f"player('Receiver').footfall.baked_action is not None and {WORK} < 0", seconds=240)


def test_the_passer_s_bake_plays_the_same_ball_and_is_undone(gui: Window) -> None:
    gui.ask("activate('Passer')")
    gui.press("footfall.bake_shot")
    gui.wait(f"player('Passer').footfall.baked_action is not None and {WORK} < 0", seconds=240)
    assert gui.ask("len(balls())") == 1
    gui.shot("passed")
    gui.over("VIEW_3D", at=FREE)
    gui.key("ctrl+z")
    gui.wait("player('Passer').footfall.baked_action is None")
    assert gui.ask("len(balls())") == 1, "the receiver's is left"


def test_the_passer_faces_its_partner(gui: Window) -> None:
    gui.ask("activate('Passer')")
    gui.ask("player('Receiver').select_set(True)")
    gui.ask("setattr(player('Passer').footfall, 'path', None)")
    gui.press("footfall.add_interaction_task", at=0.83)
    beat = "player('Passer').footfall.interaction_tasks[0]"
    gui.wait(f"{beat}.partner == player('Receiver')")
    gui.choose("footfall.interaction_tasks[0].type", f"{beat}.type == 'face'")
    gui.press("footfall.preview_interactions")
    gui.wait(f"{SHOT} is not None and {SHOT}.frames_shown > 60", seconds=240)
    gui.shot("pair_previewed")
    gui.press("footfall.bake_interaction_preview")
    gui.wait(f"player('Passer').footfall.baked_action is not None and {WORK} < 0", seconds=240)
    gui.shot("faced")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log()
