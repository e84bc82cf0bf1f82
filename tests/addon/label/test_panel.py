"""The panel *Label*: what it draws, recorded by a layout that knows what Blender would accept."""

from types import SimpleNamespace

import bpy

from footfall.blender_addon.label import panel as panel_label
from footfall.blender_addon.label.terrain.panel import FOOTFALL_PT_terrain
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.panel_layout import Layout, drawn

pytestmark = needs_clips


def test_an_empty_file_says_what_to_do() -> None:
    assert "This file has no actions: import" in drawn(panel_label.FOOTFALL_PT_label)


def test_a_labelled_action_is_listed() -> None:
    import_bvh(WALK)
    seen = drawn(panel_label.FOOTFALL_PT_label)
    assert seen[:2] == ["02_01", "{Biped}"] and seen[-2:] == ["[Detect Labels]", "[Fit Ball to Clip]"], seen
    bpy.ops.footfall.detect_labels()
    seen = drawn(panel_label.FOOTFALL_PT_label)
    assert "foot.L" in seen and "walk" in seen and "[Recompute]" in seen
    assert any(text.endswith(("issue", "issues")) for text in seen)
    bpy.context.window_manager.footfall.work_fraction = 0.25
    assert "Press Esc to cancel" in drawn(panel_label.FOOTFALL_PT_label)
    bpy.context.window_manager.footfall.work_fraction = -1.0


def test_the_current_doubt_is_told() -> None:
    stored = import_bvh(WALK).animation_data.action.footfall
    bpy.ops.footfall.detect_labels()
    spot = stored.issues.add()
    stored.issues.move(len(stored.issues) - 1, 0)
    stored.issues[0].frame, stored.issues[0].text = 12, "The heel hovers."
    assert spot is not None and "Frame 12: The heel hovers." not in drawn(panel_label.FOOTFALL_PT_label)
    bpy.ops.footfall.next_label_issue()
    assert "Frame 12: The heel hovers." in drawn(panel_label.FOOTFALL_PT_label)
    assert "Frame 12: The heel hovers." in drawn(panel_label.FOOTFALL_PT_label_dopesheet)


def test_parts_of_the_label_panel() -> None:
    for part in (panel_label.FOOTFALL_PT_label_edit, panel_label.FOOTFALL_PT_label_dopesheet):
        assert not part.poll(bpy.context), "nothing to correct"
    import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    for part in (panel_label.FOOTFALL_PT_label_edit, panel_label.FOOTFALL_PT_label_dopesheet):
        assert part.poll(bpy.context)
        assert {"[Add Contact]", "[Set Gait]", "[Add Left Strike]", "[Split]"} <= set(drawn(part))
    settings = bpy.context.scene.footfall.labelling
    bpy.ops.footfall.labelling_preset(preset="interaction")
    for kind in ("GROUND", "OBJECT", "JOINT"):
        settings.sensors[0].against_kind = kind
        seen = drawn(panel_label.FOOTFALL_PT_label_settings)
        assert {"<feet_speed>", "<joint>", "<sharpness>"} <= set(seen)
        assert ("<against_name>" in seen) == (kind != "GROUND")
    assert "[Learn from Corrections]" in drawn(panel_label.FOOTFALL_PT_label_batch)
    assert drawn(FOOTFALL_PT_terrain) == [
        "[Show Fitted Terrain]",
        "Fitting needs terrain patches:",
        "[Make Terrain Patches]",
    ]


def test_presets_that_ship_stand_first() -> None:
    layout = Layout()
    panel_label.FOOTFALL_MT_labelling_presets.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.seen[:2] == ["[Biped]", "[Combat]"]


def test_segments_are_filtered_by_kind() -> None:
    action = import_bvh(WALK).animation_data.action
    bpy.ops.footfall.detect_labels()
    listing = SimpleNamespace(filter_name="", bitflag_filter_item=1)
    bpy.context.window_manager.footfall.segment_filter = "GAIT"
    shown, _ = panel_label.FOOTFALL_UL_segments.filter_items(listing, bpy.context, action.footfall, "segments")
    assert [bool(flag) for flag in shown] == [s.kind == "GAIT" for s in action.footfall.segments]
