"""Motion capture is imported and labelled; the labels are seen and edited in the timeline."""

import shutil
from pathlib import Path

import pytest

from footfall.tests.gui.window import Window

pytestmark = pytest.mark.usefixtures("shared_data")
CLIP = Path("mocap/cmu_asfamc/walk/07_01.bvh")
KINDS = "sorted({one.kind for one in bpy.context.object.animation_data.action.footfall.segments})"


def test_a_clip_is_imported(gui: Window, shared_data: Path) -> None:
    gui.open_tab("Footfall")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("x", "Return")
    copy = shutil.copy(shared_data / CLIP, gui.folder)
    gui.ask(f"""
with bpy.context.temp_override(**region("VIEW_3D")):
    bpy.ops.import_anim.bvh(filepath={copy!r}, global_scale=0.01, update_scene_fps=True, update_scene_duration=True)
    bpy.ops.view3d.view_selected()
    bpy.ops.ed.undo_push(message="Import")
""")
    gui.settle()
    assert gui.ask("bpy.context.object.animation_data.action.name") == CLIP.stem
    gui.shot("imported")


def test_it_is_labelled(gui: Window) -> None:
    gui.unfold("blender#motion-capture")
    gui.press("footfall.detect_labels")
    gui.wait(KINDS)
    gui.wait("bpy.context.window_manager.footfall.work_fraction < 0")
    gui.shot("labelled")
    assert {"CONTACT", "GAIT", "ACTION"} <= set(gui.ask(KINDS))
    markers = gui.ask("sorted({one.name for one in bpy.context.object.animation_data.action.pose_markers})")
    assert {"Foot Strike L", "Foot Strike R"} <= set(markers)


def test_the_strip_is_in_the_dope_sheet(gui: Window) -> None:
    gui.ask("window = bpy.context.window_manager.windows[0]; window.workspace = bpy.data.workspaces['Animation']")
    gui.settle()
    gui.over("DOPESHEET_EDITOR")
    gui.key("Home")
    gui.shot("strip")
    gui.ask("window.workspace = bpy.data.workspaces['Layout']")
    gui.settle()


def test_the_overlays_are_in_the_viewport(gui: Window) -> None:
    gui.unfold("label#in-the-viewport")
    for switch, at in {"show_footprints": 0.15, "show_trajectory": 0.5, "show_phase_dials": 0.8}.items():
        gui.press(f"footfall_label_overlays.{switch}", at=at)
    gui.ask("bpy.context.scene.frame_set(60)")
    gui.settle()
    gui.shot("overlays")


def test_ctrl_z_takes_the_labels_back(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    for _ in range(8):
        gui.key("ctrl+z")
        if not gui.ask(KINDS):
            break
    assert not gui.ask("len(bpy.context.object.animation_data.action.pose_markers)")
    assert gui.ask("bpy.context.object.animation_data.action.name") == CLIP.stem


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
