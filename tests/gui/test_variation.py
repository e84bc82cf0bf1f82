"""A walk is varied: a seed is typed, the slider is moved, and each bake is another walk of the same person."""

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
        point.co = (2.5 * (number - 1), 0.4 * (number % 2), 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    way = bpy.data.objects.new("Way", data)
    bpy.context.collection.objects.link(way)
    bpy.ops.footfall.add_character()
    hero = bpy.context.object
    hero.footfall.path, hero.footfall.performer_share = way, 0.0
    bpy.ops.ed.undo_push(message="Shot")

def keys():
    bags = [bag for layer in hero.animation_data.action.layers for strip in layer.strips for bag in strip.channelbags]
    curves = [curve for bag in bags for curve in bag.fcurves if curve.data_path.startswith("pose.bones")]
    return [[point.co[1] for point in curve.keyframe_points] for curve in curves]
"""
HERO = "hero = bpy.data.objects['Locomotion']"
WORK = "bpy.context.window_manager.footfall.work_fraction"


def bake(gui: Window, button: str, name: str) -> None:
    """Presses a button that bakes, waits, and remembers the keys by a name."""
    gui.press(button)
    gui.wait(f"{WORK} < 0 and bpy.data.objects['Locomotion'].footfall.baked_action is not None", seconds=240)
    gui.settle()
    gui.ask(HERO)
    gui.ask(f"{name} = keys()")


def test_a_seed_is_typed_and_the_walk_is_baked(gui: Window) -> None:
    gui.ask(SHOT)
    gui.open_tab("Footfall")
    gui.settle()
    gui.set_number("footfall.seed", "3")
    gui.ask(HERO)
    assert gui.ask("hero.footfall.seed") == 3
    gui.find("footfall.control_variation")
    gui.shot("seed")
    bake(gui, "footfall.bake_walk", "varied")


def test_the_slider_is_moved_to_zero(gui: Window) -> None:
    gui.set_number("footfall.control_variation", "0")
    gui.ask(HERO)
    assert gui.ask("hero.footfall.control_variation") == 0.0
    bake(gui, "footfall.update_bake", "plain")
    assert gui.ask("plain != varied")
    gui.shot("plain")


def test_it_is_taken_back_and_done_again(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+z")
    gui.ask(HERO)
    assert gui.ask("keys() == varied"), "one step takes the bake back"
    gui.key("ctrl+shift+z")
    gui.ask(HERO)
    assert gui.ask("keys() == plain")


def test_the_same_variation_is_the_same_walk(gui: Window) -> None:
    gui.set_number("footfall.control_variation", "0.8")
    gui.ask(HERO)
    bake(gui, "footfall.update_bake", "again")
    assert gui.ask("again == varied")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
