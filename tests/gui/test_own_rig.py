"""A user's own rig: Rigify generates it, its bones are detected, and it walks along a path by its controls."""

from footfall.tests.gui.window import Window

GENERATE = """
import addon_utils

with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    bpy.data.objects.remove(metarig)
data = bpy.data.curves.new("Way", "CURVE")
data.dimensions = "3D"
spline = data.splines.new("BEZIER")
spline.bezier_points.add(2)
for point, at in zip(spline.bezier_points, ((0, 0, 0), (1.5, -1.2, 0), (3.5, -1.0, 0))):
    point.co = at
    point.handle_left_type = point.handle_right_type = "AUTO"
way = bpy.data.objects.new("Way", data)
bpy.context.collection.objects.link(way)
bpy.data.objects["rig"].footfall.path = way
bpy.ops.ed.undo_push(message="Rig")
"""
LOOK = """
bpy.context.scene.frame_set(45)
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.view3d.view_selected()
"""
WORK = "bpy.context.window_manager.footfall.work_fraction"


def test_a_rig_is_generated(gui: Window) -> None:
    gui.ask(GENERATE, seconds=240)
    gui.open_tab("Footfall")
    assert gui.ask("bpy.context.object.name") == "rig"


def test_its_bones_are_detected(gui: Window) -> None:
    gui.unfold("rig")
    gui.press("footfall.guess_rig")
    roles = gui.ask("[(row.name, row.bone) for row in bpy.context.object.footfall.rig.roles]")
    assert ["hips", "ORG-spine"] in [list(role) for role in roles], roles


def test_it_walks_by_its_controls(gui: Window) -> None:
    gui.press("footfall.bake_walk")
    gui.wait(f"{WORK} < 0 and bpy.context.object.footfall.baked_action is not None", seconds=240)
    gui.ask(LOOK)
    gui.find("footfall.guess_rig")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.shot("walked")
    keyed = "bpy.context.object.animation_data.action.layers[0].strips[0].channelbags[0].fcurves"
    assert gui.ask(f"any('foot_ik.L' in curve.data_path for curve in {keyed})")
