"""The tutorial of labels: a clip is imported, labelled, checked, corrected in the timeline, and its labels are kept."""

import shutil
from pathlib import Path

import pytest

from footfall.tests.gui.window import WHEEL_DOWN, Window

pytestmark = pytest.mark.usefixtures("shared_data")
CLIP = Path("mocap/cmu_asfamc/walk/07_07.bvh")
"""It has one doubtful place."""
SCALE, UPDATE_FPS, UPDATE_DURATION = (173, 82), (113, 301), (113, 327)
"""Pixels in the settings of the import."""
DRAGGED = 18
"""Frames by which a foot strike is moved."""
LEFT_HEEL_PX = 64
"""Pixels from the lower edge of the Dope Sheet up to the row of the left heel, which shows the foot's strikes."""
STRIP = f"""
def strikes():
    markers = bpy.context.object.animation_data.action.pose_markers
    return sorted(one.frame for one in markers if one.name == "Foot Strike L")

def strike_at(frame):
    left, top, _, height = place("DOPESHEET_EDITOR")
    x, _ = region("DOPESHEET_EDITOR")["region"].view2d.view_to_region(frame - 0.5, 0.0, clip=False)
    return left + x, top + height - {LEFT_HEEL_PX}

def edit_labels():
    with bpy.context.temp_override(**region("DOPESHEET_EDITOR")):
        bpy.ops.footfall.edit_labels("INVOKE_DEFAULT")
"""
STORED = "bpy.context.object.animation_data.action.footfall"
KINDS = "sorted({one.kind for one in bpy.context.object.animation_data.action.footfall.segments})"


def test_a_clip_is_imported(gui: Window, shared_data: Path) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("x", "Return")
    folder = gui.folder / "mocap"
    folder.mkdir()
    shutil.copy(shared_data / CLIP, folder)
    gui.open_importer("IMPORT_ANIM_OT_bvh")
    gui.click_in("FILE_BROWSER", "TOOL_PROPS", *UPDATE_FPS)
    gui.click_in("FILE_BROWSER", "TOOL_PROPS", *UPDATE_DURATION)
    gui.type_into("FILE_BROWSER", "TOOL_PROPS", *SCALE, "0.01")
    gui.shot("import")
    gui.choose_in_browser(folder, file_row=0)
    gui.wait("bpy.context.object is not None and bpy.context.object.animation_data is not None")
    assert gui.ask("bpy.context.object.animation_data.action.name") == CLIP.stem
    assert gui.ask("(bpy.context.scene.render.fps, bpy.context.scene.frame_end > 250)") == [120, True]
    assert 1.0 < gui.ask("bpy.context.object.dimensions.z") < 2.5, "meters"
    gui.open_tab("Footfall")
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("KP_Decimal")
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


def test_its_issue_is_looked_at_and_confirmed(gui: Window) -> None:
    frame, text = gui.ask(f"({STORED}.issues[0].frame, {STORED}.issues[0].text)")
    assert text.startswith("Right heel: a contact is uncertain"), text
    gui.press("footfall.next_label_issue", at=0.83)
    assert gui.ask("bpy.context.scene.frame_current") == frame
    gui.unfold("label#in-the-viewport")
    gui.press("footfall_label_overlays.show_footprints", at=0.15)
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("KP_Decimal")
    gui.shot("issue")
    gui.press("footfall.confirm_label_issue")
    assert gui.ask(f"len({STORED}.issues)") == 0
    gui.press("footfall.recompute_labels", at=0.5)
    assert gui.ask(f"len({STORED}.issues)") == 0, "it is not reported again"
    gui.shot("confirmed")


def test_the_strip_is_in_the_dope_sheet(gui: Window) -> None:
    gui.ask("window = bpy.context.window_manager.windows[0]; window.workspace = bpy.data.workspaces['Animation']")
    gui.settle()
    gui.over("DOPESHEET_EDITOR")
    gui.key("Home")
    gui.tool("do", "click", "--repeat", 2, WHEEL_DOWN)  # zooms out, so that names stand beside the bars
    gui.shot("strip")
    gui.ask("window.workspace = bpy.data.workspaces['Layout']")
    gui.settle()


def test_the_overlays_are_in_the_viewport(gui: Window) -> None:
    for switch, at in {"show_trajectory": 0.5, "show_phase_dials": 0.8}.items():
        gui.press(f"footfall_label_overlays.{switch}", at=at)
    gui.ask("bpy.context.scene.frame_set(60)")
    gui.settle()
    gui.shot("overlays")


def test_a_foot_strike_is_dragged(gui: Window) -> None:
    gui.ask("window.workspace = bpy.data.workspaces['Animation']")
    gui.ask(STRIP)
    gui.settle()
    before = gui.ask("strikes()")
    strike = before[1]
    (x, y), (to_x, _) = gui.ask(f"strike_at({strike})"), gui.ask(f"strike_at({strike + DRAGGED})")
    gui.ask("edit_labels()")
    gui.move(x, y)
    gui.tool("do", "mousedown", 1)
    gui.settle()
    for share in (0.3, 0.6, 1.0):
        gui.move(x + share * (to_x - x), y)
    gui.shot("dragged")
    gui.tool("do", "mouseup", 1)
    gui.settle()
    assert gui.ask("strikes()") == sorted({*before} - {strike} | {strike + DRAGGED})
    gui.key("Escape")
    gui.ask("window.workspace = bpy.data.workspaces['Layout']")
    gui.settle()


def test_they_are_saved_beside_the_clip_and_learnt_from(gui: Window) -> None:
    gui.unfold("label#batch")
    gui.press("footfall.save_labels", at=0.75)
    gui.opens("FILE_BROWSER", "File View")
    gui.shot("save")
    gui.choose_in_browser(gui.folder / "mocap")
    assert [file.name for file in (gui.folder / "mocap").iterdir() if file.name != CLIP.name] == [
        f"{CLIP.stem}.labels.npz"
    ]
    gui.press("footfall.learn_from_corrections")
    gui.wait("bpy.context.window_manager.footfall.work_fraction < 0")
    gui.shot("learnt")


def test_ctrl_z_takes_the_labels_back(gui: Window) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    for _ in range(16):
        gui.key("ctrl+z")
        if not gui.ask(KINDS):
            break
    assert not gui.ask("len(bpy.context.object.animation_data.action.pose_markers)")
    assert gui.ask("bpy.context.object.animation_data.action.name") == CLIP.stem


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
