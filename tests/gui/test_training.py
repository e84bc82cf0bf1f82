"""The tutorial of training: set up, a folder of motion capture, its coverage, a short run, and its walk."""

import sys
from pathlib import Path

import pytest

from footfall.tests.gui.drawn_walk import VIEW, WORK, draw_path
from footfall.tests.gui.window import WHEEL_DOWN, Window

pytestmark = pytest.mark.usefixtures("shared_data")
FOLDER = Path("mocap/accad_male1")
CLIPS = ("idle/*.bvh", "walk/*_B*.bvh", "turn/*_B*.bvh")
"""Standing, walking, starts, stops and turns to both sides; in its rest pose the pelvis of this actor lies flat."""
MINUTES = 0.5
"""Time limit of the run, set by a user's preset; a longer run walks better."""
ONLINE, INSTALL, PYTHON, CHECK = (318, 265), (354, 500), (430, 447), (364, 475)
"""Pixels in the preferences: Allow Online Access; in those of the add-on the buttons and the field of the Python."""
OWN = "bpy.context.preferences.addons['bl_ext.user_default.footfall'].preferences"
SESSION = "bpy.context.window_manager.footfall"
RUN = f"{SESSION}.training_runs[0]"
WATCH = f"""
shown = []
drawn = bpy.types.SpacePreferences.draw_handler_add(
    lambda: shown.append({SESSION}.environment_error), (), "WINDOW", "POST_PIXEL"
)
"""
HIPS = ("Hips", "LeftUpperLeg", "RightUpperLeg")
RIGIFY_HIPS = ("ORG-spine", "ORG-thigh.L", "ORG-thigh.R")
UPRIGHT = """
from math import degrees

def tilt(name):
    rig = bpy.context.object
    bone = rig.pose.bones[name]
    turn = (rig.matrix_world @ bone.matrix @ bone.bone.matrix_local.inverted()).to_3x3()
    return degrees((turn @ Vector((0, 0, 1))).angle(Vector((0, 0, 1))))
"""
RIGIFY = """
bpy.ops.preferences.addon_enable(module="rigify")
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.object.armature_human_metarig_add()
    bpy.ops.pose.rigify_generate()
    for one in bpy.context.view_layer.objects:
        one.hide_set(one.name != "rig")
view = region("VIEW_3D")["area"].spaces.active.region_3d
view.view_rotation, view.view_location, view.view_distance = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 12.0
"""
"""A generated rig, as by the clicks in the story of one's own rig, seen from above."""
POSTURE_DEG, SOLE_TILT_DEG = 5.0, 6.0


def test_the_network_is_allowed(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("x", "Return")
    gui.open_preferences("System")
    gui.click_in("PREFERENCES", "WINDOW", *ONLINE)
    gui.wait("bpy.app.online_access")
    gui.shot("online")
    gui.close_window()


def test_training_is_set_up(gui: Window) -> None:
    gui.open_tab("Footfall")
    gui.unfold("blender#motion-capture")
    gui.unfold("train")
    gui.press("preferences.addon_show")
    gui.opens("PREFERENCES", "Preferences")
    gui.ask(f"{OWN}.package_index = 'file:///nowhere'")  # nothing is downloaded here
    gui.click_in("PREFERENCES", "WINDOW", *INSTALL)
    gui.shot("asks")
    gui.ask(WATCH)
    gui.key("Return")
    gui.wait("shown and shown[-1]")  # the error is shown without a move of the mouse
    gui.shot("not_installed")
    gui.ask("bpy.types.SpacePreferences.draw_handler_remove(drawn, 'WINDOW')")


def test_another_python_is_chosen_and_checked(gui: Window) -> None:
    if sys.base_prefix == "/usr":
        pytest.skip("this Python cannot be lent to another system")
    gui.lend(Path(sys.base_prefix))
    gui.lend(Path(sys.prefix))
    gui.type_into("PREFERENCES", "WINDOW", *PYTHON, f"{sys.prefix}/bin/python")
    assert gui.ask(f"{OWN}.training_python") == f"{sys.prefix}/bin/python"
    gui.click_in("PREFERENCES", "WINDOW", *CHECK)
    gui.wait(f"len({SESSION}.setup_findings)")
    gui.shot("checked")
    assert "error" not in gui.ask(f"[one.level for one in {SESSION}.setup_findings]")
    gui.key("Escape")
    gui.close_window()


def test_a_folder_is_on_the_list(gui: Window, shared_data: Path) -> None:
    clips = gui.folder / "clips"
    clips.mkdir()
    for file in (file for pattern in CLIPS for file in (shared_data / FOLDER).glob(pattern)):
        (clips / file.name).write_bytes(file.read_bytes())
    gui.press("footfall.add_clip_folder", at=0.83)
    gui.opens("FILE_BROWSER", "File View")
    gui.choose_in_browser(clips)
    gui.wait("len(bpy.context.scene.footfall.clip_folders) == 1")


def test_it_is_analyzed(gui: Window) -> None:
    gui.unfold("train#coverage")
    gui.press("footfall.analyze_clips")
    gui.wait(f"{SESSION}.coverage_summary and {WORK} < 0", seconds=240)
    gui.over("VIEW_3D", "UI", at=(0.04, 0.5))
    gui.tool("do", "click", "--repeat", 100, WHEEL_DOWN)
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.shot("analyzed")
    assert f"{len([*(gui.folder / 'clips').iterdir()])} clips" in str(gui.ask(f"{SESSION}.coverage_summary"))
    assert "The clips show no turning" not in str(gui.ask(f"{SESSION}.coverage_missing"))
    gui.unfold("train#coverage")


def test_a_controller_is_trained(gui: Window) -> None:
    own = Path(str(gui.ask("bpy.utils.user_resource('SCRIPTS', path='presets/footfall/training', create=True)")))
    quick = Path(__file__).parents[2] / "presets" / "training" / "quick.toml"
    text = quick.read_text(encoding="utf-8").replace("time_limit = 4.0", f"time_limit = {MINUTES}")
    (own / "brief.toml").write_text(text, encoding="utf-8")
    gui.choose("footfall.training_preset_choice", "bpy.context.scene.footfall.training_preset == 'own:brief'")
    gui.press("footfall.start_training")
    gui.wait(f"len({SESSION}.training_runs)")
    gui.wait(f"{RUN}.status == 'finished'", seconds=300)
    gui.press("footfall.preview_training_run", at=0.6)
    gui.settle()
    gui.shot("previewed")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("Escape")


def test_its_walk_is_baked(gui: Window) -> None:
    gui.press("footfall.add_character")
    gui.wait("bpy.context.object is not None and bpy.context.object.type == 'ARMATURE'")
    gui.press("footfall.use_controller")
    gui.wait("bpy.context.object.footfall.controller == 'own:clips'")
    assert not gui.ask(f"{SESSION}.show_curves"), "which would cover the path"
    draw_path(gui)
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and bpy.context.object.footfall.baked_action is not None", seconds=240)
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.shot("baked")


def test_its_pelvis_and_chest_are_upright(gui: Window) -> None:
    gui.ask(VIEW)
    gui.ask(UPRIGHT)
    for frame in (1, 60):
        gui.ask(f"look_at(bpy.context.object, {frame}, *{HIPS}, True)")
        gui.shot(f"side_{frame}")
        assert gui.ask("max(tilt('Hips'), tilt('UpperChest'))") < 30, frame


def test_a_rigify_figure_walks_as_upright(gui: Window) -> None:
    gui.ask(RIGIFY)
    gui.settle()
    gui.press("footfall.use_controller")
    gui.wait("bpy.context.object.footfall.controller == 'own:clips'")
    draw_path(gui)
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and bpy.context.object.footfall.baked_action is not None", seconds=240)
    for frame in (1, 60):
        for side in (True, False):
            gui.ask(f"look_at(bpy.context.object, {frame}, *{RIGIFY_HIPS}, {side})")
            gui.shot(f"rigify_{frame}_{'side' if side else 'front'}")
    rows = gui.ask("__import__('json').loads(bpy.context.object.footfall.quality_report)")
    worst = {row["measure"]: row["worst"] for row in rows}
    assert worst["posture"] < POSTURE_DEG and worst["sole_tilt"] < SOLE_TILT_DEG, worst


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    gui.ask(f"{OWN}.training_python = {OWN}.package_index = ''")
    assert "Traceback" not in gui.log()
