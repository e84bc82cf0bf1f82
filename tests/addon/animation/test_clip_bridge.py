"""The bridge against Blender's own evaluation."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import keep_and_assign, read_action, read_rig
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import to_matrix
from footfall.tests.addon.support.armatures import animate, import_bvh, make_armature, posed_heads, posed_matrices
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refused
from footfall.tests.addon.support.write_clip import write_clip

pytestmark = [pytest.mark.every_blender, needs_clips]


def largest_distance(armature, clip, first) -> float:
    """The largest distance between numpy's joints and Blender's, meters, over some frames."""
    frames = range(0, len(clip), max(len(clip) // 7, 1))
    names = list(clip.skeleton.names)
    return max(np.abs(clip.positions[f] - posed_heads(armature, names, first + f)).max() for f in frames)


def test_reading_agrees_with_blender_in_every_rotation_mode() -> None:
    armature = make_armature()
    action = animate(armature)
    clip, first = read_action(armature, action, bpy.context.scene)
    assert (len(clip), first, clip.rate) == (40, 1, 24.0), (len(clip), first, clip.rate)
    assert largest_distance(armature, clip, first) < 1e-4
    rig = read_rig(armature)
    for frame in (1, 17, 40):
        matrices = posed_matrices(armature, frame)
        for joint, name in enumerate(clip.skeleton.names):
            expected = to_matrix(clip.world[1][frame - 1, joint]) @ to_matrix(rig.rest_rotations[rig.index[name]])
            found = matrices[name][:3, :3] / np.linalg.norm(matrices[name][:3, :3], axis=0)
            assert np.abs(expected - found).max() < 1e-4, name


def test_reading_follows_a_root_bone_and_a_moving_object() -> None:
    armature = make_armature(below="root")
    armature.pose.bones["root"].rotation_mode = "XYZ"
    animate(armature)
    for frame, turn in ((1, 0.0), (40, 2.0)):
        armature.pose.bones["root"].rotation_euler = (0.1, turn, 0.0)
        armature.pose.bones["root"].keyframe_insert("rotation_euler", frame=frame)
        armature.location = (turn, 1.0, 0.0)
        armature.keyframe_insert("location", frame=frame)
    armature.data.bones["spine"].use_inherit_rotation = False
    armature.data.bones["hips"].use_local_location = False
    clip, first = read_action(armature, armature.animation_data.action, bpy.context.scene)
    assert clip.skeleton.names[0] == "hips", "the body begins at the hips"
    assert largest_distance(armature, clip, first) < 1e-4


def test_an_imported_bvh_is_the_file() -> None:
    armature = import_bvh(WALK)
    clip, first = read_action(armature, armature.animation_data.action, bpy.context.scene)
    ours = read_bvh(WALK)
    assert clip.skeleton.names == ours.skeleton.names and len(clip) == len(ours) and first == 1
    assert abs(clip.rate - ours.rate) < 0.01
    assert np.abs(clip.positions - ours.positions).max() < 1e-3
    assert largest_distance(armature, clip, first) < 1e-4


def test_there_and_back() -> None:
    armature = make_armature(below="root")
    old = animate(armature)
    clip, _ = read_action(armature, old, bpy.context.scene)
    action = write_clip(armature, clip, "walk", start=101)
    sentence = keep_and_assign(armature, action)
    assert sentence == f"The previous action '{old.name}' was kept on a muted NLA track", sentence
    assert old.users == 1 and armature.animation_data.nla_tracks[0].mute
    again, first = read_action(armature, action, bpy.context.scene)
    assert (len(again), first) == (len(clip), 101)
    assert np.abs(again.positions - clip.positions).max() < 1e-4
    assert largest_distance(armature, again, first) < 1e-4, "Blender shows what was written"
    assert tuple(action.frame_range) == (101.0, 140.0)


def test_the_keys_are_as_animators_expect() -> None:
    armature = make_armature()
    clip, _ = read_action(armature, animate(armature), bpy.context.scene)
    action = write_clip(armature, clip, "walk", start=1)
    assert action.slots[0].identifier == "OBRig"
    curves = list(action.layers[0].strips[0].channelbag(action.slots[0]).fcurves)
    assert {curve.group.name for curve in curves} == set(clip.skeleton.names)
    assert [c.data_path for c in curves if c.data_path.endswith("location")] == ['pose.bones["hips"].location'] * 3
    for curve in curves:
        values = np.array([key.co[1] for key in curve.keyframe_points])
        key = curve.keyframe_points[5]
        turning = curve.data_path.endswith("quaternion") or curve.data_path.endswith("axis_angle")
        assert (key.type, key.interpolation) == ("GENERATED", "LINEAR" if turning else "BEZIER"), curve.data_path
        assert curve.data_path.endswith("axis_angle") or np.abs(np.diff(values)).max() < 1.5, curve.data_path


def test_what_cannot_work_is_refused_in_a_sentence() -> None:
    armature = make_armature()
    action = animate(armature)
    empty = bpy.data.actions.new("Empty")
    assert "has no keys on the bones" in refused(lambda: read_action(armature, empty, bpy.context.scene))
    armature.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    assert "apply its scale" in refused(lambda: read_action(armature, action, bpy.context.scene))
    armature.scale = (1.0, 1.0, 1.0)
    bare = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    assert "has no bones" in refused(lambda: read_rig(bare).body_bones)
