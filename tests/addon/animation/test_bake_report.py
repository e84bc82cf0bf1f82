"""What a bake is like, measure by measure, and going to the frames at which it is worst."""

import json
import time
from types import SimpleNamespace

import bpy
import numpy as np

from footfall.blender_addon.animation.bake_report import MEASURE_TITLES, TOUCH_MEASURES, quality_rows
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.animation.likeness_report import likeness_rows, store_likeness
from footfall.blender_addon.shot import quality_panel
from footfall.blender_addon.shot.quality_operators import FOOTFALL_OT_show_worst_frame
from footfall.core.evaluation.path_error import cross_track_error
from footfall.core.evaluation.usual_ranges import LIKENESS_MEASURES
from footfall.core.motion.root_frame import root_track
from footfall.tests.addon.support.panel_layout import drawn
from footfall.tests.addon.support.scenes import add_box, add_curve
from footfall.tests.support.walker import Walker

WALKED = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 1.0, 0.0)]


def walker(points=WALKED, fps: int = 30, start: int = 11) -> bpy.types.Object:
    """A character of the shipped controller with a path."""
    bpy.context.scene.render.fps, bpy.context.scene.frame_start = fps, start
    assert bpy.ops.footfall.add_character(controller="preset:locomotion") == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", points)
    return armature


def report(armature: bpy.types.Object) -> dict:
    return {row.measure: row for row in quality_rows(armature)}


def test_a_bake_tells_where_it_is_worst() -> None:
    armature = walker(fps=60)
    assert not quality_rows(armature) and not bpy.ops.footfall.show_worst_frame.poll()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    rows = report(armature)
    assert list(rows) == [
        "path_deviation",
        "foot_sliding",
        "ground_penetration",
        "foot_floating",
        "jitter",
        "knee_hyperextension",
        "sliding_pair",
        "posture",
        "sole_tilt",
        "sole_gap",
        "joint_flip",
        "off_plan",
        "travel_speed",
    ], rows
    clip, first = read_action(armature, armature.footfall.baked_action, bpy.context.scene)
    assert first == 11
    off = 100 * cross_track_error(root_track(clip).positions, np.array(WALKED)[:, :2])
    assert abs(rows["path_deviation"].worst - off[60:].max()) < 0.05, (rows["path_deviation"], off.max())
    assert abs(off[rows["path_deviation"].frame - first] - rows["path_deviation"].worst) < 0.05, (
        "it is there where it says"
    )
    assert rows["ground_penetration"].worst < 1.0 and rows["foot_floating"].worst < 10.0, "level ground is stood on"
    assert rows["path_deviation"].body_part == "hips" and rows["foot_sliding"].body_part.endswith(
        ("heel", "ball of the foot")
    )
    assert {row.verdict for row in rows.values()} <= {"GOOD", "DOUBTFUL", "BAD"}
    assert all(first <= row.frame < first + len(clip) for row in rows.values())
    assert rows["knee_hyperextension"].worst == 0.0 and rows["knee_hyperextension"].verdict == "GOOD"
    assert json.loads(armature.footfall.quality_report)[0]["measure"] == "path_deviation", "scripts read it as JSON"


def test_one_goes_to_the_worst_frame_and_nothing_else_changes() -> None:
    armature = walker()
    bpy.ops.ed.undo_push(message="set up")
    bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True)
    rows = report(armature)
    name, keys, chosen = armature.name, armature.footfall.quality_report, list(bpy.context.selected_objects)
    for measure, row in rows.items():
        assert bpy.ops.footfall.show_worst_frame("EXEC_DEFAULT", True, measure=measure) == {"FINISHED"}
        assert bpy.context.scene.frame_current == row.frame
        tip = FOOTFALL_OT_show_worst_frame.description(bpy.context, SimpleNamespace(measure=measure))
        assert f"frame {row.frame}" in tip and "Mean" in tip, tip
    assert bpy.context.selected_objects == chosen and armature.footfall.quality_report == keys
    assert bpy.ops.footfall.show_worst_frame() == {"FINISHED"}, "without a measure it is the worst of all"
    worst = max(rows.values(), key=lambda row: ("GOOD", "DOUBTFUL", "BAD").index(row.verdict))
    assert bpy.context.scene.frame_current == worst.frame
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].footfall.quality_report == "", "one undo takes the bake back, no jumps"


def test_the_panel_has_a_row_for_each_measure() -> None:
    armature = walker()
    assert not quality_panel.FOOTFALL_PT_bake_quality.poll(bpy.context), "nothing is baked yet"
    bpy.ops.footfall.bake_shot()
    panels = (quality_panel.FOOTFALL_PT_bake_quality, quality_panel.FOOTFALL_PT_bake_issues)
    assert [panel.poll(bpy.context) for panel in panels] == [
        not quality_panel.is_doubtful(armature),
        quality_panel.is_doubtful(armature),
    ], "one of the two: that of doubtful bakes is open"
    seen = drawn(quality_panel.FOOTFALL_PT_bake_quality)
    assert seen[0] == armature.footfall.baked_action.name and seen[-2:] == ["[Measure Again]", "[Add Root Empty]"], seen
    rows = [seen[at : at + 3] for at in range(1, len(seen) - 2, 3)]
    titles = [title for measure, (title, _, _) in MEASURE_TITLES.items() if measure not in TOUCH_MEASURES]
    assert [row[0] for row in rows] == titles and {row[2] for row in rows} == {"[]"}, rows
    assert rows[0][1].endswith(" cm") and rows[4][1].endswith(" x real walks") and rows[5][1] == "0°", rows
    began = time.perf_counter()
    for _ in range(100):
        quality_rows(armature)
    print(f"panel: its rows take {10 * (time.perf_counter() - began):.4f} ms a redraw")


def test_a_walk_like_peoples_has_figures_and_nothing_is_said() -> None:
    armature = walker([(0.0, 0.0, 0.0), (8.0, 0.0, 0.0), (8.0, 4.0, 0.0)])
    assert likeness_rows(armature) == (), "nothing is baked yet"
    bpy.ops.footfall.bake_shot()
    rows = {row.measure: row for row in likeness_rows(armature)}
    print({name: (row.value, row.frame, row.finding) for name, row in rows.items()})
    assert rows.keys() >= {"step_width_cm", "arm_swing_deg", "cadence_steps_min", "turn_lean_deg"}
    assert rows.keys() <= set(LIKENESS_MEASURES) and not any(row.finding for row in rows.values())
    assert rows["step_width_cm"].frame is None and rows["turn_lean_deg"].frame > 11
    assert rows["arm_swing_deg"].high is None and rows["cadence_steps_min"].speed_m_s > 0.9


def test_what_is_unlike_people_is_a_sentence_under_the_rows() -> None:
    armature = walker()
    bpy.ops.footfall.bake_shot()
    before = drawn(quality_panel.FOOTFALL_PT_bake_quality)
    clip = Walker(speed=1.2, seconds=8.0).clip()
    store_likeness(armature, clip, np.ones(len(clip), dtype=bool), 11, 240, 30.0)
    seen = " ".join(drawn(quality_panel.FOOTFALL_PT_bake_quality)[len(before) - 2 :])
    assert "The arms swing by only 0° (people: at least 12°)" in seen, seen
    assert "Steps are as wide as 20 cm" in seen and seen.endswith("[Measure Again] [Add Root Empty]"), seen
    armature.footfall.likeness_report = "{"
    assert likeness_rows(armature) == () and drawn(quality_panel.FOOTFALL_PT_bake_quality) == before


def test_uneven_ground_and_styles_are_not_held_against_people() -> None:
    armature = walker([(0.0, 0.0, 0.0), (6.0, 0.0, 0.0)])
    for number in range(12):
        block = add_box(f"Step {number}", (0.5 * number, 0.0, 0.05 * (number % 2)), (0.5, 4.0, 0.1))
        block["footfall_walk_surface"] = "walkable"
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert "step_width_cm" not in {row.measure for row in likeness_rows(armature)}


def test_what_is_baked_into_frames_tells_of_these_only() -> None:
    armature = walker()
    bpy.ops.footfall.bake_shot()
    output = armature.footfall.output
    output.destination, output.frame_start, output.frame_end = "RANGE", 20, 60
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert all(20 <= row.frame <= 60 for row in quality_rows(armature)), quality_rows(armature)


def test_a_strip_that_is_moved_takes_its_frames_along() -> None:
    armature = walker()
    armature.footfall.output.destination = "STRIP"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    strip = armature.animation_data.nla_tracks[-1].strips[0]
    frame = report(armature)["foot_sliding"].frame
    strip.frame_start_ui = strip.frame_start + 100
    bpy.ops.footfall.show_worst_frame(measure="foot_sliding")
    assert bpy.context.scene.frame_current == frame + 100


def test_a_bake_that_was_taken_back_has_no_report() -> None:
    armature = walker()
    bpy.ops.footfall.bake_shot()
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert not quality_rows(armature) and not bpy.ops.footfall.show_worst_frame.poll()


def test_steps_on_a_block_are_measured_from_the_block() -> None:
    armature = walker([(0.0, 0.0, 0.0), (3.5, 0.0, 0.0)])
    add_box("Floor", (2.0, 0.0, -0.5), (10.0, 4.0, 1.0))["footfall_walk_surface"] = "walkable"
    add_box("Step", (3.0, 0.0, 0.075), (2.0, 4.0, 0.15))["footfall_walk_surface"] = "walkable"
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    rows = report(armature)
    assert rows["ground_penetration"].worst < 15.0 and rows["foot_floating"].worst < 30.0, rows
    print("step:", {name: (row.value, row.frame, row.body_part, row.verdict) for name, row in rows.items()})


def test_who_rides_on_a_belt_does_not_slide() -> None:
    armature = walker([(0.0, 0.0, 0.0), (2.5, 0.0, 0.0)])
    belt = add_box("Belt", (2.0, 0.0, -0.5), (30.0, 4.0, 1.0))
    belt["footfall_walk_surface"] = "walkable"
    for frame, y in ((1, 0.0), (201, 4.0)):
        belt.location.y = y
        belt.keyframe_insert("location", frame=frame)
    for curve in belt.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    rows = report(armature)
    assert rows["path_deviation"].worst < 10.0, "the belt carries the path along"
    print("belt:", {name: (row.value, row.frame, row.body_part, row.verdict) for name, row in rows.items()})
    assert rows["foot_sliding"].worst < 10.0, "its feet go 60 cm/s in the world, and none on the belt"


def test_errands_have_a_report_and_labels_too() -> None:
    bpy.context.scene.render.fps = 60
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    armature.location.z = 0.5
    stool = add_box("Stool", (0.0, -1.6, 0.725), (0.45, 0.45, 0.45))
    bpy.context.view_layer.update()
    bpy.ops.footfall.add_interaction_task()
    errand = armature.footfall.interaction_tasks[0]
    errand.type, errand.object, errand.duration = "sit", stool, 0.5
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    rows = report(armature)
    print("errand:", {name: (row.value, row.frame, row.body_part, row.verdict) for name, row in rows.items()})
    titles = [measure for measure in MEASURE_TITLES if measure not in ("path_deviation", "palm_gap")]
    assert list(rows) == titles, "there is no path, and no hand that holds anything"
    assert rows["ground_penetration"].worst < 20.0 and "Foot sliding" in armature.footfall.quality_summary, (
        "its ground is half a meter up"
    )
    assert likeness_rows(armature) == (), "who sits does not squat"
    action = armature.footfall.baked_action
    said = {(one.kind, one.name) for one in action.footfall.segments}
    assert {("CONTACT", "hips"), ("CONTACT", "foot.L"), ("GAIT", "walk"), ("ACTION", "sit")} <= said, said
    bpy.context.scene.frame_set(int(action.frame_range[1]) - 20)
    assert armature["footfall_contact_hips"] == 1.0, "it sits"
    bpy.context.scene.frame_set(int(action.frame_range[0]))
    assert armature["footfall_contact_hips"] == 0.0, "it stands"
