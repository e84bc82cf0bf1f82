"""The panel *Shot* and its subpanels, recorded by a layout that knows what Blender would accept."""

from pathlib import Path

import bpy

from footfall.blender_addon.activities.shot import panel as panels
from footfall.blender_addon.activities.walk import option_panels
from footfall.blender_addon.activities.walk.retarget_panel import FOOTFALL_PT_retarget
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.panel_layout import drawn, drawn_lines

pytestmark = needs_clips


def test_an_empty_file_says_what_to_do() -> None:
    assert "[Add Character]" in drawn(panels.FOOTFALL_PT_shot)


def test_a_preview_whose_character_is_gone_can_be_ended(statue: Path) -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    session = bpy.context.window_manager.footfall
    session.live_preview = True
    bpy.data.objects.remove(bpy.context.object)
    assert "<live_preview>" in drawn(panels.FOOTFALL_PT_shot)
    session.live_preview = False
    assert "<live_preview>" not in drawn(panels.FOOTFALL_PT_shot)


def test_where_a_bake_goes_is_chosen(statue: Path) -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    output = bpy.context.object.footfall.output
    where = {
        "ACTION": set[str](),
        "STRIP": {"<blend_in>", "<blend_out>"},
        "RANGE": {"<frame_start>", "<frame_end>", "<blend_in>", "<blend_out>"},
    }
    for output.destination, rows in where.items():
        seen = drawn(option_panels.FOOTFALL_PT_output)
        assert {"<destination>", "<controls>", "<root_motion>", "Reduce Keys", "<reduce_keys>", "<max_error>"} <= set(
            seen
        ), seen
        assert set(seen) & {"<frame_start>", "<frame_end>", "<blend_in>", "<blend_out>"} == rows, seen
        starts = "<start>" in drawn(panels.FOOTFALL_PT_shot)
        assert starts == (output.destination != "RANGE"), "a range says itself where it starts"
    for output.root_motion in ("HIPS", "ROOT_BONE", "OBJECT"):
        seen = drawn(option_panels.FOOTFALL_PT_output)
        assert ("<root_axes>" in seen) == ("<root_rotation>" in seen) == (output.root_motion != "HIPS"), (
            "the hips travel always"
        )


def test_directing_shows_the_reason_and_then_the_quality(statue: Path) -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    seen = drawn(panels.FOOTFALL_PT_shot)
    assert "[Bake Shot]" in seen and "<controller_file>" in seen
    assert "Choose a curve as the path, or add waypoints" in " ".join(seen)
    assert "[Revert Last Bake]" not in drawn(option_panels.FOOTFALL_PT_output), "there is nothing to take back"
    data = bpy.data.curves.new("Path", "CURVE")
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (3, 0, 0, 1)
    armature.footfall.path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(armature.footfall.path)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    seen = drawn(panels.FOOTFALL_PT_shot)
    assert "[Update Bake]" in seen and any(text.startswith("Path deviation") for text in seen)
    assert "[Revert Last Bake]" in drawn(option_panels.FOOTFALL_PT_output)
    bpy.context.window_manager.footfall.work_fraction = 0.5
    assert "Press Esc to cancel" in drawn(panels.FOOTFALL_PT_shot)
    bpy.context.window_manager.footfall.work_fraction = -1.0


def test_the_bake_button_is_in_the_sixth_line() -> None:
    bpy.ops.footfall.add_character()
    lines = drawn_lines(panels.FOOTFALL_PT_shot)
    assert lines[1] == ["<path>", "[Draw Path]", "[]"], "drawing a path has a name while there is none"
    assert lines[4] == ["[Drive]", "<live_preview>"]
    assert lines[5] == ["[Bake Shot]"]
    data = bpy.data.curves.new("Path", "CURVE")
    bpy.context.object.footfall.path = bpy.data.objects.new("Path", data)
    lines = drawn_lines(panels.FOOTFALL_PT_shot)
    assert lines[1] == ["<path>", "[]", "[]"] and lines[5] == ["[Bake Shot]"]


def test_styles_and_performers_are_shown_where_the_controller_has_them(tmp_path: Path) -> None:
    bpy.ops.footfall.add_character()
    choices = {"<performer>", "<style>", "<performer_share>"}
    assert choices < set(drawn(option_panels.FOOTFALL_PT_variation))
    settings = bpy.context.object.footfall
    settings.controller, settings.controller_file = "file", str(tmp_path / "gone.safetensors")
    seen = drawn(option_panels.FOOTFALL_PT_variation)
    assert not choices & set(seen) and {"<responsiveness>", "<seed>", "<control_variation>"} < set(seen)
    settings.style = "crouch"
    assert "<style>" in drawn(option_panels.FOOTFALL_PT_variation), "a style that it lacks can be taken out"


def test_retargeting_says_what_to_select() -> None:
    seen = " ".join(drawn(FOOTFALL_PT_retarget))
    assert seen.startswith("[Retarget Motion]") and "elect" in seen, seen
