"""In Blender: labels on actions. Argument: a BVH file of a walk by CMU."""

import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

import footfall
from footfall.blender_addon.clip_bridge import read_action
from footfall.blender_addon.labels import read_labels
from footfall.core.labelling import label_clip

sys.path.insert(0, str(Path(__file__).parent))
from armatures import import_bvh, make_armature
from harness import refusal_of, run_checks

CLIP = sys.argv[1]
TEMPORARY = Path(tempfile.mkdtemp())


def labelled():
    armature = import_bvh(CLIP)
    assert bpy.ops.footfall.label_action() == {"FINISHED"}
    return armature, armature.animation_data.action


def property_at(armature, name: str, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    return armature.evaluated_get(bpy.context.evaluated_depsgraph_get())[name]


def check_labels_land_on_the_action() -> None:
    armature, action = labelled()
    clip, first = read_action(armature, action, bpy.context.scene)
    found = label_clip(clip)
    kinds = {segment.kind for segment in action.footfall.segments}
    assert kinds == {"CONTACT", "GAIT"} and {s.source for s in action.footfall.segments} == {"FOUND"}
    marks = sorted(m.frame - first for m in action.pose_markers if m.name == "Strike L")
    assert marks == found.left_strikes.tolist() and len(marks) >= 1
    for frame in (5, 100, 222):
        assert abs(property_at(armature, "footfall_phase", first + frame) - found.phase[frame]) < 1e-5
        down = found.contacts[frame, 2] > 0.5
        assert property_at(armature, "footfall_contact_foot_R", first + frame) == float(down)


def check_labels_survive_copying_saving_and_loading() -> None:
    _, action = labelled()
    count = len(action.footfall.segments)
    assert count > 4 and len(action.copy().footfall.segments) == count
    path = TEMPORARY / "labelled.blend"
    name = action.name
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    action = bpy.data.actions[name]
    assert len(action.footfall.segments) == count
    assert {s.source for s in action.footfall.segments} == {"FOUND"}


def check_a_moved_strike_moves_the_phase_and_stays() -> None:
    armature, action = labelled()
    clip, first = read_action(armature, action, bpy.context.scene)
    before = read_labels(action, clip, first)
    assert np.array_equal(before.phase, label_clip(clip).phase)
    mark = next(m for m in action.pose_markers if m.name == "Strike L")
    mark.frame += 12
    moved = mark.frame
    assert bpy.ops.footfall.update_labels() == {"FINISHED"}
    assert abs(property_at(armature, "footfall_phase", moved) - 0.5) < 1e-4
    assert moved in [m.frame for m in action.pose_markers if m.name == "Strike L"]


def check_a_corrected_segment_is_the_users_and_wins() -> None:
    armature, action = labelled()
    clip, first = read_action(armature, action, bpy.context.scene)
    segment = max((s for s in action.footfall.segments if s.name == "foot.L"), key=lambda s: s.end - s.start)
    segment.end += 9
    assert segment.source == "USER"
    start, end = segment.start, segment.end
    labels = read_labels(action, clip, first)
    assert (labels.contacts[start - first : end + 1 - first, 0] > 0.5).all()
    bpy.ops.footfall.label_action()
    mine = [(s.start, s.end) for s in action.footfall.segments if s.source == "USER"]
    assert mine == [(start, end)], "labelling again keeps it"
    overlapping = [
        s
        for s in action.footfall.segments
        if s.name == "foot.L" and s.source == "FOUND" and s.start <= end and s.end >= start
    ]
    assert not overlapping


def check_clearing_leaves_the_motion_alone() -> None:
    armature, action = labelled()
    action.pose_markers.new("mine").frame = 7
    clip, _ = read_action(armature, action, bpy.context.scene)
    assert bpy.ops.footfall.clear_labels() == {"FINISHED"}
    assert not action.footfall.segments and [m.name for m in action.pose_markers] == ["mine"]
    curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves
    assert not [curve for curve in curves if "footfall" in curve.data_path]
    assert np.array_equal(read_action(armature, action, bpy.context.scene)[0].positions, clip.positions)


def check_one_undo_step() -> None:
    armature = import_bvh(CLIP)
    name = armature.animation_data.action.name
    bpy.ops.ed.undo_push(message="imported")
    assert bpy.ops.footfall.label_action("EXEC_DEFAULT", True) == {"FINISHED"}
    assert bpy.data.actions[name].footfall.segments
    bpy.ops.ed.undo()
    assert not bpy.data.actions[name].footfall.segments and not bpy.data.actions[name].pose_markers
    bpy.ops.ed.redo()
    assert bpy.data.actions[name].footfall.segments


def check_reasons_are_given() -> None:
    assert not bpy.ops.footfall.label_action.poll()
    armature = make_armature()
    assert not bpy.ops.footfall.label_action.poll(), "no action"
    armature.animation_data_create().action = bpy.data.actions.new("Empty")
    assert "has no keys on the bones of armature 'Rig'" in refusal_of(bpy.ops.footfall.label_action)


footfall.register()
run_checks(globals())
