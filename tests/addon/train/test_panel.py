"""The panel *Train*: what it draws, recorded by a layout that knows what Blender would accept."""

import time

import bpy

from footfall.blender_addon.train import panel as panel_train
from footfall.blender_addon.train import runs
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import SkippedClip, SourceRow, write_table
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.panel_layout import drawn

pytestmark = needs_clips


def test_an_empty_file_says_what_to_do() -> None:
    assert "Add clips or a folder of clips first" in drawn(panel_train.FOOTFALL_PT_train)


def test_a_run_shows_its_progress() -> None:
    import_bvh(WALK)
    bpy.ops.footfall.add_clips()
    run = RunFolder(runs_folder() / "walker")
    run.begin("")
    run.write_state("running")
    run.append_progress({"fraction": 0.25, "loss": 0.5, "validation_loss": 0.75, "eta": 3600.0})
    runs.poll_runs(time.time())
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert "02_01" in seen and "[Train Controller]" in seen and "[Make Terrain Patches]" not in seen
    bpy.context.scene.footfall.fit_terrain = True
    assert "[Make Terrain Patches]" in drawn(panel_train.FOOTFALL_PT_train)
    seen = drawn(panel_train.FOOTFALL_PT_training_runs)
    assert "(60 min left)" in seen and "loss 0.5000, validation 0.7500" in seen and "[Stop and Save]" in seen
    assert {"[Preview]", "[Use Controller]", "<show_curves>"} <= set(seen)
    run.write_state("failed", "The disk is full: make room and resume the run.")
    runs.poll_runs(time.time())
    seen = drawn(panel_train.FOOTFALL_PT_training_runs)
    assert "[Resume]" in seen and "The disk is full" in " ".join(seen)


def test_too_little_motion_is_warned_of_before_training() -> None:
    import_bvh(WALK)
    bpy.ops.footfall.add_clips()
    settings = bpy.context.scene.footfall
    warning = "The training clips last only 3 s, and a character trained on less than a minute collapses: add clips"
    assert warning in " ".join(drawn(panel_train.FOOTFALL_PT_train))
    settings.fine_tune = True
    assert "Only 3 s" not in " ".join(drawn(panel_train.FOOTFALL_PT_train)), "a new style needs less"


def test_a_minute_of_motion_is_enough() -> None:
    import_bvh(WALK)
    bpy.ops.footfall.add_clips()
    bpy.context.scene.render.fps = 5  # 343 frames are 69 s then
    assert "a character trained on less than a minute collapses" not in " ".join(drawn(panel_train.FOOTFALL_PT_train))


def test_a_preset_of_interactions_says_what_it_needs() -> None:
    assert "clips of sitting, carrying, lying" not in " ".join(drawn(panel_train.FOOTFALL_PT_train))
    bpy.context.scene.footfall.training_preset_choice = "nsm"
    seen = " ".join(drawn(panel_train.FOOTFALL_PT_train))
    assert "<research_preset_choice>" not in seen, "interactions are no research"
    assert (
        "A controller that sits, carries objects and opens doors" in seen
        and "clips of sitting, carrying, lying" in seen
    )


def test_a_run_tells_of_its_sources() -> None:
    RunFolder(runs_folder() / "walker").begin("")
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
        *("Source", "Clips", "Alignment Error"),
        *("actor", "12", "7°"),
        *("twisted", "2 of 5", "150° forearm.R"),
        *("useless", "0 of 1", ""),
    ], table
    said = " ".join(seen)
    assert "twisted: jump_0.bvh and 2 more: Nobody walks in it." in said and "useless: jump_0.bvh: Nobody" in said
    session.active_training_run = [entry.name for entry in session.training_runs].index("walker")
    assert "Source" not in drawn(panel_train.FOOTFALL_PT_training_runs), "of another run"


def test_what_the_data_contains_is_shown() -> None:
    assert drawn(panel_train.FOOTFALL_PT_train_coverage) == ["[Analyze Clips]"]
    import_bvh(WALK)
    bpy.ops.footfall.add_clips()
    bpy.ops.footfall.analyze_clips()
    seen = drawn(panel_train.FOOTFALL_PT_train_coverage)
    assert seen[1] == "3 seconds of motion in 1 clip, of which 0 are labeled" and "The clips show no running" in seen, (
        seen
    )
    assert {"Gaits", "Walk", "(3 s)", "Ground", "Level Ground"} <= set(seen) and "Run" not in seen
    bpy.context.scene.footfall.clips.clear()
    said = " ".join(drawn(panel_train.FOOTFALL_PT_train_coverage))
    assert "The list of clips has changed since the last analysis: analyze" in said
    bpy.context.window_manager.footfall.coverage_key = ""


def test_fine_tuning_takes_a_controller_instead_of_a_preset() -> None:
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert "<training_preset_choice>" in seen and "<base_controller_choice>" not in seen
    bpy.context.scene.footfall.fine_tune = True
    seen = drawn(panel_train.FOOTFALL_PT_train)
    assert {"<base_controller_choice>", "<new_style>"} <= set(seen) and "<training_preset_choice>" not in seen


def test_featured_presets_and_research_for_the_rest() -> None:
    settings = bpy.context.scene.footfall
    assert "<research_preset_choice>" not in drawn(panel_train.FOOTFALL_PT_train)
    settings.training_preset_choice = "research"
    assert "<research_preset_choice>" in drawn(panel_train.FOOTFALL_PT_train)
    settings.training_preset_choice = "paper"
    assert "<research_preset_choice>" not in drawn(panel_train.FOOTFALL_PT_train)


def test_where_training_has_no_python_a_button_leads_to_the_preferences(
    preferences: bpy.types.AddonPreferences,
) -> None:
    assert "[Set Up Training...]" in drawn(panel_train.FOOTFALL_PT_train)
    preferences.training_python = "/usr/bin/python3"
    assert "[Set Up Training...]" not in drawn(panel_train.FOOTFALL_PT_train)
