"""In Blender: what the panels draw, recorded by a layout that knows what Blender would accept. Argument: a BVH file."""

import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import bpy

import footfall
from footfall.blender_addon.direct import panel as panels
from footfall.blender_addon.label import panel as panel_label
from footfall.blender_addon.scene import operators, panel
from footfall.blender_addon.scene.ground_tags import set_tag
from footfall.blender_addon.train import environment_panel, runs
from footfall.blender_addon.train import panel as panel_train
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import SkippedClip, SourceRow, write_table

sys.path.insert(0, str(Path(__file__).parent))
from armatures import import_bvh
from harness import run_checks
from panel_layout import Layout, drawn
from scenes import add_box
from statue import save_statue

CLIP = sys.argv[1]
STATUE = Path(tempfile.mkdtemp()) / "statue.safetensors"


def check_an_empty_file_says_what_to_do() -> None:
    assert "This file has no actions: import" in drawn(panel_label.FOOTFALL_PT_label)
    assert "Add actions or a folder first" in drawn(panel_train.FOOTFALL_PT_train)
    assert "[Add Character]" in drawn(panels.FOOTFALL_PT_direct)


def check_a_labelled_action_is_listed() -> None:
    import_bvh(CLIP)
    seen = drawn(panel_label.FOOTFALL_PT_label)
    assert seen[:2] == ["02_01", "{Biped}"] and seen[-1] == "[Label Actions]", seen
    bpy.ops.footfall.detect_labels()
    seen = drawn(panel_label.FOOTFALL_PT_label)
    assert "foot.L" in seen and "walk" in seen and "[Update]" in seen
    assert any(text.endswith("to check") for text in seen)
    bpy.context.window_manager.footfall.work_fraction = 0.25
    assert "Esc cancels" in drawn(panel_label.FOOTFALL_PT_label)
    bpy.context.window_manager.footfall.work_fraction = -1.0


def check_the_current_doubt_is_told() -> None:
    stored = import_bvh(CLIP).animation_data.action.footfall
    bpy.ops.footfall.detect_labels()
    spot = stored.issues.add()
    stored.issues.move(len(stored.issues) - 1, 0)
    stored.issues[0].frame, stored.issues[0].text = 12, "The heel hovers."
    assert spot is not None and "Frame 12: The heel hovers." not in drawn(panel_label.FOOTFALL_PT_label)
    bpy.ops.footfall.next_label_issue()
    assert "Frame 12: The heel hovers." in drawn(panel_label.FOOTFALL_PT_label)
    assert "Frame 12: The heel hovers." in drawn(panel_label.FOOTFALL_PT_label_dopesheet)


def check_parts_of_the_label_panel() -> None:
    for part in (panel_label.FOOTFALL_PT_label_edit, panel_label.FOOTFALL_PT_label_dopesheet):
        assert not part.poll(bpy.context), "nothing to correct"
    import_bvh(CLIP)
    bpy.ops.footfall.detect_labels()
    for part in (panel_label.FOOTFALL_PT_label_edit, panel_label.FOOTFALL_PT_label_dopesheet):
        assert part.poll(bpy.context)
        assert {"[Paint Contact]", "[Set Gait]", "[Strike Left]", "[Split]"} <= set(drawn(part))
    settings = bpy.context.scene.footfall.labelling
    bpy.ops.footfall.labelling_preset(preset="interaction")
    for kind in ("GROUND", "OBJECT", "JOINT"):
        settings.sensors[0].against_kind = kind
        seen = drawn(panel_label.FOOTFALL_PT_label_settings)
        assert "<feet_speed>" in seen and "<joint>" in seen and ("<against_name>" in seen) == (kind != "GROUND")
    assert "[Learn from Corrections]" in drawn(panel_label.FOOTFALL_PT_label_batch)
    assert drawn(panel_label.FOOTFALL_PT_terrain) == [
        "[Show Fitted Patch]",
        "Fitting needs patches of ground:",
        "[Make Patches]",
    ]


def check_presets_that_ship_stand_first() -> None:
    layout = Layout()
    panel_label.FOOTFALL_MT_labelling_presets.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.seen[:2] == ["[Biped]", "[Combat]"]


def check_segments_are_filtered_by_kind() -> None:
    action = import_bvh(CLIP).animation_data.action
    bpy.ops.footfall.detect_labels()
    listing = SimpleNamespace(filter_name="", bitflag_filter_item=1)
    bpy.context.window_manager.footfall.segment_filter = "GAIT"
    shown, _ = panel_label.FOOTFALL_UL_segments.filter_items(listing, bpy.context, action.footfall, "segments")
    assert [bool(flag) for flag in shown] == [s.kind == "GAIT" for s in action.footfall.segments]


def check_a_run_shows_its_progress() -> None:
    import_bvh(CLIP)
    bpy.ops.footfall.add_clips()
    run = RunFolder(runs_folder() / "walker")
    run.begin("")
    run.write_state("running")
    run.append_progress({"fraction": 0.25, "loss": 0.5, "validation_loss": 0.75, "eta": 3600.0})
    runs.poll_runs(time.time())
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert "02_01" in seen and "[Train Controller]" in seen and "[Make Patches]" not in seen
    bpy.context.scene.footfall.fit_terrain = True
    assert "[Make Patches]" in drawn(panel_train.FOOTFALL_PT_train)
    seen = drawn(panel_train.FOOTFALL_PT_training_runs)
    assert "(60 min left)" in seen and "loss 0.5000, validation 0.7500" in seen and "[Stop and Keep]" in seen
    assert {"[Preview]", "[Use This Controller]", "<show_curves>"} <= set(seen)
    run.write_state("failed", "The disk is full: make room and resume the run.")
    runs.poll_runs(time.time())
    seen = drawn(panel_train.FOOTFALL_PT_training_runs)
    assert "[Resume]" in seen and "The disk is full" in " ".join(seen)


def check_a_run_tells_of_its_sources() -> None:
    run = RunFolder(runs_folder() / "runner")
    run.begin("")
    run.write_state("running")
    runs.poll_runs(time.time())
    session = bpy.context.window_manager.footfall
    session.active_training_run = [entry.name for entry in session.training_runs].index("runner")
    assert "Source" not in drawn(panel_train.FOOTFALL_PT_training_runs), "the data set is not built yet"
    left_out = tuple(SkippedClip(f"jump_{number}.bvh", "Nobody walks in it.") for number in range(3))
    run.dataset_path.mkdir(parents=True)
    write_table(
        run.dataset_path,
        (
            SourceRow("actor", "actor", 12, 1.5, 7.4, "thigh.L"),
            SourceRow("twisted", "twisted", 2, 0.5, 150.0, "forearm.R", left_out),
            SourceRow("useless", "useless", left_out=left_out[:1]),
        ),
    )
    runs.poll_runs(time.time())
    seen = drawn(panel_train.FOOTFALL_PT_training_runs)
    table = seen[seen.index("Source") : seen.index("Source") + 12]
    assert table == [
        *("Source", "Clips", "Off by"),
        *("actor", "12", "7°"),
        *("twisted", "2 of 5", "150° forearm.R"),
        *("useless", "0 of 1", ""),
    ], table
    said = " ".join(seen)
    assert "twisted: jump_0.bvh and 2 more: Nobody walks in it." in said and "useless: jump_0.bvh: Nobody" in said
    session.active_training_run = [entry.name for entry in session.training_runs].index("walker")
    assert "Source" not in drawn(panel_train.FOOTFALL_PT_training_runs), "of another run"


def check_what_the_data_contains_is_shown() -> None:
    assert drawn(panel_train.FOOTFALL_PT_train_coverage) == ["[Look What Is in It]"]
    import_bvh(CLIP)
    bpy.ops.footfall.add_clips()
    bpy.ops.footfall.analyze_clips()
    seen = drawn(panel_train.FOOTFALL_PT_train_coverage)
    assert seen[1] == "3 seconds in 1 clip, 0 labelled" and "Nobody runs." in seen, seen
    assert {"Gaits", "walk", "(3 s)", "Ground", "level"} <= set(seen) and "run" not in seen
    bpy.context.scene.footfall.clips.clear()
    assert "The list has changed since: look" in drawn(panel_train.FOOTFALL_PT_train_coverage)
    bpy.context.window_manager.footfall.coverage_key = ""


def check_fine_tuning_takes_a_controller_instead_of_a_preset() -> None:
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert "<training_preset_choice>" in seen and "<base_controller_choice>" not in seen
    bpy.context.scene.footfall.fine_tune = True
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert {"<base_controller_choice>", "<new_style>"} <= set(seen) and "<training_preset_choice>" not in seen


def check_the_trainer_without_the_add_on() -> None:
    assert drawn(environment_panel.FOOTFALL_PT_training_environment) == ["Enable Footfall as an add-on to", "train."]


def check_where_a_bake_goes_is_chosen() -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(STATUE))
    output = bpy.context.object.footfall.output
    where = {
        "ACTION": set[str](),
        "STRIP": {"<blend_in>", "<blend_out>"},
        "RANGE": {"<frame_start>", "<frame_end>", "<blend_in>", "<blend_out>"},
    }
    for output.destination, rows in where.items():
        seen = drawn(panels.FOOTFALL_PT_direct)
        assert {"<destination>", "<controls>", "<root_motion>", "Few Keys", "<reduce_keys>", "<max_error>"} <= set(seen), seen
        assert set(seen) & {"<frame_start>", "<frame_end>", "<blend_in>", "<blend_out>"} == rows, seen
        assert ("<start>" in seen) == (output.destination != "RANGE"), "a range says itself where it starts"
    for output.root_motion in ("HIPS", "ROOT_BONE", "OBJECT"):
        seen = drawn(panels.FOOTFALL_PT_direct)
        assert ("<root_axes>" in seen) == ("<root_rotation>" in seen) == (output.root_motion != "HIPS"), "the hips travel always"


def check_directing_shows_the_reason_and_then_the_quality() -> None:
    bpy.ops.footfall.add_character(controller="file", filepath=str(STATUE))
    armature = bpy.context.object
    seen = drawn(panels.FOOTFALL_PT_direct)
    assert "[Bake Walk]" in seen and "<controller_file>" in seen
    assert "Choose a path: any curve, or add marks" in " ".join(seen)
    assert "[Bring Motion Here]" in seen and "[Revert Last Bake]" not in seen, "there is nothing to take back"
    data = bpy.data.curves.new("Path", "CURVE")
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (3, 0, 0, 1)
    armature.footfall.path = bpy.data.objects.new("Path", data)
    assert bpy.ops.footfall.bake_walk() == {"FINISHED"}
    seen = drawn(panels.FOOTFALL_PT_direct)
    assert "[Bake Again]" in seen and any("off the path" in text for text in seen)
    assert "[Revert Last Bake]" in seen
    bpy.context.window_manager.footfall.work_fraction = 0.5
    assert "Esc cancels" in drawn(panels.FOOTFALL_PT_direct)
    bpy.context.window_manager.footfall.work_fraction = -1.0


def check_the_ground_is_shown_in_plain_words() -> None:
    rock = add_box("Rock", (0, 0, 0), (1, 1, 1))
    bpy.context.view_layer.objects.active = rock
    set_tag(rock, "obstacle")
    assert drawn(panel.FOOTFALL_PT_ground) == ["{Tag Selected}", "<footfall_show_ground>", "'Rock': avoid"]
    set_tag(rock, None)
    bpy.ops.footfall.add_character(controller="file", filepath=str(STATUE))
    seen = drawn(panel.FOOTFALL_PT_ground)
    assert seen[:3] == ["<collection>", "<obstacles>", "{Tag Selected}"], seen
    assert "Walks on level ground at the path's" in seen
    boxes = [add_box(f"Box {number}", (number, 0, 0), (1, 1, 1)) for number in range(7)]
    for box in boxes:
        set_tag(box, "walkable")
        box.hide_viewport = box != boxes[0]
    bpy.context.view_layer.update()
    seen = drawn(panel.FOOTFALL_PT_ground)
    assert "Walks on 1 object" in seen and "and 2 more that cannot be used" in seen, seen
    assert sum(text.startswith("'Box") for text in seen) == 4
    layout = Layout()
    operators.FOOTFALL_MT_walk_surface.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.seen == ["[Walkable]", "[Jump Over]", "[Avoid]", "[Ceiling]", "[Ignored]", "[No Tag]"]


save_statue(CLIP, STATUE)
footfall.register()
run_checks(globals())
