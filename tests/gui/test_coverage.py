"""A folder of motion capture is put on the training list, and what is in it is measured before any training."""

from pathlib import Path

import pytest

from footfall.tests.gui.window import WHEEL_DOWN, Window

pytestmark = pytest.mark.usefixtures("shared_data")
FOLDER = Path("mocap/accad_male1")
SUMMARY = "bpy.context.window_manager.footfall.coverage_summary"


def test_a_folder_is_on_the_list(gui: Window, shared_data: Path) -> None:
    gui.open_tab("Footfall")
    gui.unfold("blender#motion-capture")
    gui.unfold("train")
    clips = gui.folder / "clips"
    clips.mkdir()
    for file in sorted((shared_data / FOLDER).rglob("*.bvh")):
        (clips / file.name).write_bytes(file.read_bytes())
    said = gui.ask(f"list(bpy.ops.footfall.add_clip_folder('EXEC_DEFAULT', directory={str(clips)!r}))")
    assert said == ["FINISHED"]


def test_it_is_analyzed(gui: Window) -> None:
    gui.unfold("train#coverage")
    gui.press("footfall.analyze_clips")
    gui.wait(f"{SUMMARY} and bpy.context.window_manager.footfall.work_fraction < 0", seconds=240)
    gui.over("VIEW_3D", "UI", at=(0.04, 0.5))
    gui.tool("do", "click", "--repeat", 100, WHEEL_DOWN)
    gui.over("VIEW_3D", at=(0.3, 0.75))
    gui.shot("analyzed")
    assert "52 clips" in str(gui.ask(SUMMARY))
