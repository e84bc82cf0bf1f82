"""A controller gated by local phases is chosen, follows as closely as it is told to, and its walk is baked."""

from footfall.tests.gui.window import Window

SHOT = """
for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for number, point in enumerate(spline.bezier_points):
        point.co = (2.5 * (number - 1), 0.8 * (number % 2), 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    way = bpy.data.objects.new("Way", data)
    bpy.context.collection.objects.link(way)
    bpy.ops.footfall.add_character()
    bpy.context.object.name = "Hero"
    bpy.context.object.footfall.path = way
    bpy.ops.ed.undo_push(message="Shot")

def hero():
    return bpy.data.objects["Hero"]

def keys():
    bags = [bag for layer in hero().animation_data.action.layers for strip in layer.strips for bag in strip.channelbags]
    curves = [curve for bag in bags for curve in bag.fcurves if curve.data_path.startswith("pose.bones")]
    return [[point.co[1] for point in curve.keyframe_points] for curve in curves]
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"


def bake(gui: Window, button: str, name: str) -> None:
    """Presses a button that bakes, waits, and remembers the keys by a name."""
    gui.press(button)
    gui.wait(f"{WORK} < 0 and hero().footfall.baked_action is not None", seconds=240)
    gui.settle()
    gui.ask(f"{name} = keys()")


def test_the_controller_is_chosen_under_direct(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    gui.choose("footfall.controller_choice", "hero().footfall.controller == 'preset:phase_system'")
    gui.shot("chosen")


def test_its_responsiveness_is_typed_and_the_walk_is_baked(gui: Window) -> None:
    gui.set_number("footfall.responsiveness", "0.9")
    assert gui.ask("round(hero().footfall.responsiveness, 3)") == 0.9
    bake(gui, "footfall.bake_walk", "close")
    assert gui.ask("hero().footfall.quality_summary")
    gui.shot("baked")


def test_it_has_arrived_at_the_end_of_the_path(gui: Window) -> None:
    gui.ask("bpy.context.scene.frame_set(int(hero().animation_data.action.frame_range[1]))")
    x, y = gui.ask("(hero().matrix_world @ hero().pose.bones[0].head).xy[:]")
    assert abs(x - 2.5) < 0.3 and abs(y) < 0.3
    gui.settle()
    gui.shot("arrived")


def test_another_responsiveness_is_another_walk(gui: Window) -> None:
    gui.set_number("footfall.responsiveness", "0.2")
    bake(gui, "footfall.update_bake", "loose")
    assert gui.ask("loose != close")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    assert gui.ask("keys() == close"), "one step takes the bake back"
    gui.key("ctrl+shift+z")
    assert gui.ask("keys() == loose")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
