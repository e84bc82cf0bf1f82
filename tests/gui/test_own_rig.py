"""The tutorial of one's own rig: Rigify is enabled, generates a rig, and it walks along a path by its controls."""

from footfall.tests.gui.drawn_walk import BAD, WORK, draw_path
from footfall.tests.gui.window import ADD, FURTHER_WINDOW, Window

SEARCH, TICK = (340, 18), (211, 55)
"""Pixels in the preferences' window: the search field, and the tick of the only add-on that is found."""
ARMATURE, META_RIGS, HUMAN = (323, 239), (521, 280), (672, 280)
"""Entries of the menu *Add* and those that it opens."""
DATA_TAB = (1332, 548)
"""The tab of the Properties editor with an armature's bones."""
LOOK = """
bpy.context.scene.frame_set(45)
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.view3d.view_selected()
"""


def test_rigify_is_enabled(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("x", "Return")
    gui.open_preferences("Add-ons")
    left, top = FURTHER_WINDOW
    gui.click(left + SEARCH[0], top + SEARCH[1])
    gui.key("ctrl+a")
    gui.type("rigify")
    gui.key("Return")
    gui.click(left + TICK[0], top + TICK[1])
    gui.wait("'rigify' in bpy.context.preferences.addons")
    gui.shot("enabled")
    gui.close_window()


def test_a_rig_is_generated(gui: Window) -> None:
    gui.click(*ADD)
    for x, y in (ARMATURE, META_RIGS, HUMAN):
        gui.move(x - 20, y)
        gui.click(x, y)
    gui.wait("bpy.context.object is not None and bpy.context.object.name == 'metarig'")
    gui.click(*DATA_TAB)
    assert gui.ask("region('PROPERTIES')['area'].spaces.active.context") == "DATA"
    gui.click(*gui.find("pose.rigify_generate", "WINDOW", 0.5, "PROPERTIES"))
    gui.wait("'rig' in bpy.data.objects", seconds=240)
    assert gui.ask("[one.name for one in bpy.context.selected_objects]") == ["rig"]
    gui.shot("generated")


def test_it_walks_by_its_controls(gui: Window) -> None:
    gui.open_tab("Footfall")
    draw_path(gui)
    assert gui.ask("bpy.context.object.footfall.output.controls") == "IK"
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and bpy.context.object.footfall.baked_action is not None", seconds=240)
    assert gui.ask(BAD.format("bpy.context.object")) == [], "it stands upright and looks it"
    keyed = "bpy.context.object.animation_data.action.layers[0].strips[0].channelbags[0].fcurves"
    assert gui.ask(f"any('foot_ik.L' in curve.data_path for curve in {keyed})")


def test_its_bones_are_listed(gui: Window) -> None:
    gui.unfold("rig")
    gui.press("footfall.guess_rig")
    roles = gui.ask("[(row.name, row.bone) for row in bpy.context.object.footfall.rig.roles]")
    assert ["hips", "ORG-spine"] in [list(role) for role in roles], roles
    gui.ask(LOOK)
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.shot("walked")
