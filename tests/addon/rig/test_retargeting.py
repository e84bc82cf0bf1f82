"""Motion brought from one armature to another, and where bakes go."""

from pathlib import Path

import bpy
import numpy as np

from footfall.blender_addon.animation.fcurve_io.body_reader import is_posed_by_keys_only, read_body
from footfall.blender_addon.rig import store
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.train.clips import write_clips
from footfall.core.jobs.steps import finished
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.rig.clip_file import read_clip
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips


def pair(scale: float = 0.01) -> tuple[bpy.types.Object, bpy.types.Object]:
    """An armature with motion, and another one of another size, selected and active."""
    source = import_bvh(WALK)
    target = import_bvh(WALK, scale=scale)
    bpy.data.actions.remove(target.animation_data.action)
    target.animation_data_clear()
    source.select_set(True)
    target.select_set(True)
    bpy.context.view_layer.objects.active = target
    bpy.context.scene.render.fps = 60
    return source, target


def body(armature: bpy.types.Object) -> Clip:
    """What the armature does now."""
    action = armature.animation_data.action
    return finished(read_body(armature, action, bpy.context.scene, store.rig_map_of(armature)))[0]


def test_motion_is_brought_to_an_armature_of_another_size() -> None:
    source, target = pair(scale=0.0125)
    assert bpy.ops.footfall.retarget_motion() == {"FINISHED"}
    theirs, mine = body(source), body(target)
    assert len(theirs) == len(mine)
    np.testing.assert_allclose(mine.positions[0, 0, :2], theirs.positions[0, 0, :2], atol=1e-3)
    travel = [np.linalg.norm(clip.positions[-1, 0, :2] - clip.positions[0, 0, :2]) for clip in (theirs, mine)]
    assert abs(travel[1] / travel[0] - 1.25) < 0.01, travel
    assert target.animation_data.action.footfall.segments, "its labels come along"
    fingers = [bone for bone in target.data.bones if "thumb" in bone.name.lower()]
    keyed = {curve.data_path for curve in curves(target)}
    assert fingers and not any(bone.name in path for bone in fingers for path in keyed), "fingers are left alone"


def test_the_same_size_is_the_same_motion() -> None:
    source, target = pair()
    bpy.ops.footfall.retarget_motion()
    np.testing.assert_allclose(body(target).positions, body(source).positions, atol=1e-4)


def test_revert_brings_back_what_was_there() -> None:
    _, target = pair()
    before = bpy.data.actions.new("before")
    target.animation_data_create().action = before
    bpy.ops.footfall.retarget_motion()
    assert target.animation_data.action != before
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert target.animation_data.action == before
    assert not bpy.ops.footfall.revert_bake.poll()


def test_frames_of_an_action_are_baked_and_the_rest_is_untouched() -> None:
    source, target = pair()
    bpy.ops.footfall.retarget_motion()
    whole = body(target)
    target.footfall.bake_records.clear()
    source.animation_data.action = source.animation_data.action.copy()
    output = target.footfall.output
    output.destination, output.frame_start, output.frame_end = "RANGE", 20, 40
    output.blend_in = output.blend_out = 5
    start, _ = target.animation_data.action.frame_range
    bpy.ops.footfall.retarget_motion()
    again = body(target)
    outside = np.r_[0 : 20 - int(start), 41 - int(start) : len(whole)]
    np.testing.assert_allclose(again.positions[outside], whole.positions[outside], atol=1e-4)
    assert "before bake" in " ".join(action.name for action in bpy.data.actions)


def test_strips_elsewhere_stay_and_those_at_the_same_frames_give_way() -> None:
    source, target = pair()
    target.footfall.output.destination = "STRIP"
    bpy.ops.footfall.retarget_motion()
    bpy.ops.footfall.retarget_motion()
    strips = [strip for track in target.animation_data.nla_tracks for strip in track.strips]
    assert len([strip for strip in strips if "underneath" not in strip.name]) == 1, [strip.name for strip in strips]
    for curve in curves(source):
        for key in curve.keyframe_points:
            key.co_ui[0] += 1000
    assert bpy.ops.footfall.retarget_motion() == {"FINISHED"}
    strips = [strip for track in target.animation_data.nla_tracks for strip in track.strips]
    assert len([strip for strip in strips if "underneath" not in strip.name]) == 2, [strip.name for strip in strips]


def test_the_object_or_the_hips_travel() -> None:
    _, target = pair()
    target.footfall.output.root_motion = "OBJECT"
    bpy.ops.footfall.retarget_motion()
    paths = {curve.data_path for curve in curves(target)}
    assert {"location", "rotation_euler"} <= paths or {"location", "rotation_quaternion"} <= paths, paths
    carried = body(target)
    target.footfall.output.root_motion = "HIPS"
    bpy.ops.footfall.retarget_motion()
    np.testing.assert_allclose(body(target).positions, carried.positions, atol=2e-4)
    target.footfall.output.root_motion = "ROOT_BONE"
    assert "no root bone" in refusal_of(bpy.ops.footfall.retarget_motion)


def test_few_keys_are_as_good_as_many() -> None:
    _, target = pair()
    bpy.ops.footfall.retarget_motion()
    dense, count = body(target), sum(len(curve.keyframe_points) for curve in curves(target))
    target.footfall.output.reduce_keys, target.footfall.output.max_error = True, 0.002
    bpy.ops.footfall.retarget_motion()
    kept = sum(len(curve.keyframe_points) for curve in curves(target))
    assert kept < 0.2 * count, (kept, count)
    assert np.linalg.norm(body(target).positions - dense.positions, axis=-1).max() < 2.1e-3


def test_a_rig_with_constraints_is_played_to_be_read() -> None:
    source, _ = pair()
    plain = body(source)
    source.pose.bones["hips"].constraints.new("LIMIT_LOCATION")
    assert not is_posed_by_keys_only(source)
    scenes, objects = len(bpy.data.scenes), len(bpy.data.objects)
    np.testing.assert_allclose(body(source).positions, plain.positions, atol=1e-4)
    assert (len(bpy.data.scenes), len(bpy.data.objects)) == (scenes, objects), "the double is gone"


def test_bones_whose_names_say_nothing_are_labelled_and_trained_from(tmp_path: Path) -> None:
    armature = import_bvh(WALK)
    scene, action = bpy.context.scene, armature.animation_data.action
    named, first = read_mapped_action(armature, action, scene)
    for number, bone in enumerate(armature.data.bones):
        bone.name = f"Bone.{number:03d}"
    found, start = read_mapped_action(armature, action, scene)
    assert first == start and len(found) == len(named)
    for role in ("hips", "thigh.L", "foot.R", "forearm.L"):
        at = [clip.positions[:, clip.skeleton.roles[role]] for clip in (named, found)]
        np.testing.assert_allclose(at[1], at[0], atol=1e-4, err_msg=role)
    folder = tmp_path / "clips"
    armature.select_set(True)
    bpy.ops.footfall.add_clips()
    list(write_clips(scene, folder))
    written = next(folder.rglob("*.bvh"))
    assert (written.parent / "rig.toml").exists()
    assert len(label_clip(read_clip(written))) == len(named)


def test_nothing_to_bring_is_said() -> None:
    source, _ = pair()
    source.select_set(False)
    assert not bpy.ops.footfall.retarget_motion.poll()


def curves(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    data = armature.animation_data
    return list(data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves)
