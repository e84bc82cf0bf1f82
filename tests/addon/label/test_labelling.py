"""Finding labels and putting them on actions."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.labels import read_labels
from footfall.blender_addon.label.operators import FOOTFALL_OT_detect_labels
from footfall.blender_addon.ui import modal_operator
from footfall.core.labelling import label_clip
from footfall.tests.addon.support.armatures import animate, import_bvh, make_armature
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.modal_window import ESCAPE, TICK, OperatorInWindow, Window
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips


@pytest.fixture
def labelled():
    armature = import_bvh(WALK)
    assert bpy.ops.footfall.detect_labels() == {"FINISHED"}
    return armature, armature.animation_data.action


def property_at(armature, name: str, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    return armature.evaluated_get(bpy.context.evaluated_depsgraph_get())[name]


def test_labels_land_on_the_action(labelled) -> None:
    armature, action = labelled
    clip, first = read_action(armature, action, bpy.context.scene)
    found, stored = label_clip(clip), action.footfall
    assert (stored.first_frame, stored.frame_count, stored.frame_rate) == (first, len(clip), clip.rate)
    assert {segment.kind for segment in stored.segments} >= {"CONTACT", "GAIT"}
    assert {segment.source for segment in stored.segments} == {"DETECTED"}
    marks = sorted(m.frame - first for m in action.pose_markers if m.name == "Foot Strike L")
    assert marks == found.left_strikes.tolist() and len(marks) >= 1
    assert [s.frame - first for s in stored.foot_strikes if s.side == "R"] == found.right_strikes.tolist()
    for frame in (5, 100, 222):
        assert abs(property_at(armature, "footfall_phase", first + frame) - found.phase[frame]) < 1e-5
        down = found.contacts[frame, 2] > 0.5
        assert property_at(armature, "footfall_contact_foot_R", first + frame) == float(down)


def test_labels_survive_copying_saving_and_loading(labelled, tmp_path: Path) -> None:
    _, action = labelled
    count = len(action.footfall.segments)
    assert count > 4 and len(action.copy().footfall.segments) == count
    path = tmp_path / "labelled.blend"
    name = action.name
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    action = bpy.data.actions[name]
    assert len(action.footfall.segments) == count
    assert {s.source for s in action.footfall.segments} == {"DETECTED"}


def test_labelling_again_changes_nothing_but_the_revision(labelled) -> None:
    armature, action = labelled
    before = [(s.kind, s.name, s.start, s.end, s.source) for s in action.footfall.segments]
    markers = [(m.name, m.frame) for m in action.pose_markers]
    revision = action.footfall.revision
    bpy.ops.footfall.recompute_labels()
    assert [(s.kind, s.name, s.start, s.end, s.source) for s in action.footfall.segments] == before
    assert [(m.name, m.frame) for m in action.pose_markers] == markers
    assert action.footfall.revision > revision
    clip, first = read_action(armature, action, bpy.context.scene)
    assert np.array_equal(read_labels(armature, action, clip, first).phase, label_clip(clip).phase)


def test_all_actions_of_the_file() -> None:
    action = import_bvh(WALK).animation_data.action
    other = action.copy()
    other.name = "Other"
    stray = make_armature("Stray")
    animate(stray, frames=20).name = "Legless"
    empty = bpy.data.actions.new("Empty")
    bpy.context.view_layer.objects.active = None
    assert bpy.ops.footfall.detect_labels(scope="ALL") == {"FINISHED"}
    assert action.footfall.frame_count == other.footfall.frame_count > 300
    assert empty.footfall.frame_count == 0


def test_one_that_fails_is_named_and_the_others_are_labelled() -> None:
    armature = import_bvh(WALK)
    action = armature.animation_data.action
    short = action.copy()
    short.name = "Short"
    short.use_frame_range, short.frame_start, short.frame_end = True, 1, 1
    assert bpy.ops.footfall.detect_labels(scope="ALL") == {"FINISHED"}
    assert action.footfall.frame_count and not short.footfall.frame_count
    assert "'Short' is one frame long" in bpy.context.window_manager.footfall.label_error


def test_one_whose_last_key_is_far_away_is_refused_before_its_frames_fill_the_memory() -> None:
    action = import_bvh(WALK).animation_data.action
    action.use_frame_range, action.frame_start, action.frame_end = True, 1, 1_000_000
    with pytest.raises(RuntimeError, match="is 1000000 frames long, but at most 216000"):
        bpy.ops.footfall.detect_labels(scope="ALL")
    assert not action.footfall.frame_count


def test_clearing_leaves_the_motion_alone(labelled) -> None:
    armature, action = labelled
    action.pose_markers.new("mine").frame = 7
    clip, _ = read_action(armature, action, bpy.context.scene)
    assert bpy.ops.footfall.clear_labels() == {"FINISHED"}
    assert not action.footfall.segments and [m.name for m in action.pose_markers] == ["mine"]
    curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves
    assert not [curve for curve in curves if "footfall" in curve.data_path]
    assert np.array_equal(read_action(armature, action, bpy.context.scene)[0].positions, clip.positions)


def test_one_undo_step() -> None:
    armature = import_bvh(WALK)
    name = armature.animation_data.action.name
    bpy.ops.ed.undo_push(message="imported")
    assert bpy.ops.footfall.detect_labels("EXEC_DEFAULT", True) == {"FINISHED"}
    assert bpy.data.actions[name].footfall.segments
    bpy.ops.ed.undo()
    assert not bpy.data.actions[name].footfall.segments and not bpy.data.actions[name].pose_markers
    bpy.ops.ed.redo()
    assert bpy.data.actions[name].footfall.segments


def test_going_round_the_places_to_check(labelled) -> None:
    _, action = labelled
    stored = action.footfall
    stored.issues.clear()
    assert not bpy.ops.footfall.next_label_issue.poll(), "no issues"
    for frame, name in ((200, "foot.R"), (50, "L"), (300, "walk")):
        spot = stored.issues.add()
        spot.frame, spot.name, spot.text = frame, name, "Look here."
    seen = []
    for _ in range(4):
        assert bpy.ops.footfall.next_label_issue() == {"FINISHED"}
        seen.append((bpy.context.scene.frame_current, stored.active_issue))
    assert seen == [(200, 0), (50, 1), (300, 2), (200, 0)]
    marked = stored.segments[stored.active_segment]
    assert marked.name == "foot.R"
    bpy.ops.footfall.previous_label_issue()
    assert bpy.context.scene.frame_current == 300


def test_undoing_a_correction_stays_at_the_place(labelled) -> None:
    name = labelled[1].name
    spot = bpy.data.actions[name].footfall.issues.add()
    spot.frame, spot.name = 200, "foot.R"
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="labelled")
    for _ in bpy.data.actions[name].footfall.issues:
        bpy.ops.footfall.next_label_issue("EXEC_DEFAULT", True)
    frame = bpy.context.scene.frame_current
    bpy.ops.footfall.set_gait("EXEC_DEFAULT", True, gait="run")
    bpy.ops.ed.undo()
    assert bpy.context.scene.frame_current == frame == 200
    assert bpy.data.actions[name].footfall.active_issue >= 0


def test_reasons_are_given() -> None:
    assert not bpy.ops.footfall.detect_labels.poll(), "an empty file"
    assert not bpy.ops.footfall.recompute_labels.poll() and not bpy.ops.footfall.next_label_issue.poll()
    armature = make_armature()
    armature.animation_data_create().action = bpy.data.actions.new("Empty")
    assert "has no keys on the bones of armature 'Rig'" in refusal_of(bpy.ops.footfall.detect_labels)
    assert not bpy.ops.footfall.add_contact.poll(), "nothing is labelled"
    armature.animation_data.action = None
    assert "has no action" in refusal_of(bpy.ops.footfall.detect_labels)
    assert "No action in this file moves an armature" in refusal_of(lambda: bpy.ops.footfall.detect_labels(scope="ALL"))


def test_a_linked_action_is_refused(labelled, tmp_path: Path) -> None:
    armature, action = labelled
    name, path = action.name, tmp_path / "library.blend"
    bpy.data.libraries.write(str(path), {action})
    armature.animation_data.action = None
    bpy.data.actions.remove(action)
    with bpy.data.libraries.load(str(path), link=True) as (_, into):
        into.actions = [name]
    armature.animation_data.action = bpy.data.actions[name]
    operators = bpy.ops.footfall
    for operator in (
        *(operators.recompute_labels, operators.clear_labels, operators.add_contact, operators.add_foot_strike),
        *(operators.split_segment, operators.next_label_issue),
    ):
        assert not operator.poll(), operator
    assert "is linked from another file" in refusal_of(bpy.ops.footfall.detect_labels)


class Operator(OperatorInWindow):
    """Labeling that has begun."""

    work = FOOTFALL_OT_detect_labels.work
    scope = "ALL"


def test_slice_by_slice_until_it_is_done() -> None:
    action, window = import_bvh(WALK).animation_data.action, Window()
    operator = Operator(window)
    assert not bpy.ops.footfall.detect_labels.poll(), "one at a time"
    fractions = []
    while (result := operator.modal(window, TICK)) == {"RUNNING_MODAL"}:
        fractions.append(window.window_manager.footfall.work_fraction)
        assert not action.footfall.frame_count, "nothing is written before the end"
    assert result == {"FINISHED"} and action.footfall.frame_count
    assert fractions == sorted(fractions) and fractions[-1] < 1.0 and len(fractions) > 1
    assert "Esc: Cancel" in window.status[0] and window.status[-1] is None
    assert bpy.ops.footfall.detect_labels.poll() and operator.reports[-1][0] == {"INFO"}


def test_escape_leaves_what_was_there(labelled) -> None:
    _, action = labelled
    before, revision = [(s.name, s.start) for s in action.footfall.segments], action.footfall.revision
    window = Window()
    operator = Operator(window)
    operator.modal(window, TICK)
    assert operator.modal(window, ESCAPE) == {"CANCELLED"}
    assert [(s.name, s.start) for s in action.footfall.segments] == before and action.footfall.revision == revision
    assert window.window_manager.footfall.work_fraction == -1.0 and not modal_operator.ModalWorkOperator.running


def test_an_action_that_is_deleted_meanwhile() -> None:
    armature, window = import_bvh(WALK), Window()
    operator = Operator(window)
    operator.modal(window, TICK)
    bpy.data.actions.remove(armature.animation_data.action)
    while (result := operator.modal(window, TICK)) == {"RUNNING_MODAL"}:
        pass
    assert result == {"CANCELLED"} and "was deleted" in operator.reports[-1][1]


def test_a_clip_of_the_wrong_size_is_refused_with_what_to_do() -> None:
    armature = import_bvh(WALK)
    armature.scale = (100.0, 100.0, 100.0)
    bpy.context.view_layer.update()
    assert "scale the armature to its real size" in refusal_of(bpy.ops.footfall.detect_labels)
    assert not armature.animation_data.action.footfall.segments


def test_a_motion_that_lies_is_asked_about_and_turned_upright(labelled) -> None:
    armature, action = labelled
    assert action.footfall.up_question == ""
    assert not bpy.ops.footfall.turn_upright.poll()
    upright = read_action(armature, action, bpy.context.scene)[0].positions
    # As an import with a wrong up axis.
    armature.matrix_world = Matrix.Rotation(-np.pi / 2, 4, "X") @ armature.matrix_world
    assert bpy.ops.footfall.detect_labels() == {"FINISHED"}
    assert action.footfall.up_question.startswith("With Z as the up axis, the body in this clip lies on its side: is ")
    assert bpy.ops.footfall.turn_upright() == {"FINISHED"}
    assert action.footfall.up_question == ""
    np.testing.assert_allclose(read_action(armature, action, bpy.context.scene)[0].positions, upright, atol=1e-4)
