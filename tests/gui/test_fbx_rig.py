"""The tutorial of one's own rig, of an FBX file: it walks, a wrong bone is corrected, and its bone map is kept."""

from pathlib import Path

import pytest

from footfall.tests.gui.drawn_walk import BAD, VIEW, WORK, draw_path
from footfall.tests.gui.window import WHEEL_DOWN, Window

pytestmark = pytest.mark.usefixtures("shared_data")
FILE = Path("characters/rocketbox_mit/Male_Adult_01.fbx")
"""Like files of Mixamo, its armature is 0.01 in scale and turned."""
HIPS = ("Bip01 Pelvis", "Bip01 L Thigh", "Bip01 R Thigh")
OUTLINER_ROW = (1420, 108)
"""The armature in the outliner, pixels."""
RIG = "bpy.data.objects['Bip01']"
MAP = f"{RIG}.footfall.rig"
UPPER_ARM, FIRST_ROW, ROW = 9, 29, 21
"""The list's row of the left upper arm; pixels from the filter to the first row, and from one row to the next."""
WRONG, RIGHT = "Bip01 L Forearm", "Bip01 L UpperArm"


def click_bone(gui: Window, name: str) -> None:
    """Click on the middle of a bone."""
    bone = f"{RIG}.pose.bones[{name!r}]"
    gui.click_on(gui.ask(f"({RIG}.matrix_world @ (({bone}.head + {bone}.tail) / 2))[:]"))
    assert gui.ask(f"{RIG}.data.bones.active.name") == name


def test_a_file_is_imported(gui: Window, shared_data: Path) -> None:
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("x", "Return")
    folder = gui.folder / "figure"
    folder.mkdir()
    (folder / FILE.name).write_bytes((shared_data / FILE).read_bytes())
    gui.open_importer("WM_OT_fbx_import")
    gui.choose_in_browser(folder, file_row=0)
    gui.wait("'Bip01' in bpy.data.objects")
    assert abs(gui.ask(f"{RIG}.scale.x") - 0.01) < 1e-6 and abs(gui.ask(f"{RIG}.rotation_euler.z")) > 1.0
    gui.click(*OUTLINER_ROW)
    assert gui.ask("bpy.context.object.name") == "Bip01"


def test_it_walks(gui: Window) -> None:
    gui.open_tab("Footfall")
    draw_path(gui)
    gui.press("footfall.bake_shot")
    gui.wait(f"{WORK} < 0 and {RIG}.footfall.baked_action is not None", seconds=240)
    assert gui.ask(BAD.format(RIG)) == []
    gui.ask(VIEW)
    for side in (False, True):
        gui.ask(f"look_at({RIG}, 60, *{HIPS}, {side})")
        gui.shot("walking_side" if side else "walking_front")


def test_its_bones_are_listed(gui: Window) -> None:
    gui.unfold("rig")
    gui.press("footfall.guess_rig")
    assert gui.ask(f"({MAP}.check_result, {MAP}.check_passed)") == [
        "Aligned: arms and legs deviate by at most 1°",
        True,
    ]
    gui.over("VIEW_3D", "UI", at=(0.04, 0.5))
    gui.tool("do", "click", "--repeat", 100, WHEEL_DOWN)
    gui.shot("listed")


def test_a_wrong_bone_is_seen_and_corrected(gui: Window) -> None:
    x, y = gui.find("footfall.rig.list_filter", at=0.3)
    gui.click(x, y + FIRST_ROW + UPPER_ARM * ROW)
    assert gui.ask(f"{MAP}.roles[{MAP}.active_role].name") == "upper_arm.L"
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.key("ctrl+Tab")
    click_bone(gui, WRONG)
    gui.press("footfall.use_active_bone", at=0.83)
    assert not gui.ask(f"{MAP}.check_passed")
    gui.shot("wrong")
    click_bone(gui, RIGHT)
    gui.press("footfall.use_active_bone", at=0.83)
    assert gui.ask(f"{MAP}.check_passed")


def test_a_reference_pose_is_chosen(gui: Window) -> None:
    for pose in ("A_POSE", "CURRENT"):
        gui.choose("footfall.rig.reference_pose", f"{MAP}.reference_pose == {pose!r}")
    gui.find("footfall.capture_reference_pose")
    gui.shot("current_pose")
    gui.move(*gui.find("footfall.rig.reference_pose"))
    gui.key("ctrl+z")
    gui.wait(f"{MAP}.reference_pose != 'CURRENT'")


def test_its_bone_map_is_kept(gui: Window) -> None:
    gui.press("footfall.save_rig_preset", at=0.75)
    gui.key("Return")
    gui.wait(f"{MAP}.preset == 'own:Bip01'")
    gui.shot("kept")


def test_nothing_is_wrong_in_the_console(gui: Window) -> None:
    assert "Traceback" not in gui.log() and "Error" not in gui.log(), gui.log()
