"""Keys and poses of controls from before a bake."""

import bpy
import pytest

from footfall.benchmarks.scripted_rigs import RIGS
from footfall.benchmarks.scripted_rigs.measuring import errors, in_hips, map_of
from footfall.blender_addon.animation.controls import solve_control_tracks
from footfall.blender_addon.animation.fcurve_io.curves import curves_of
from footfall.blender_addon.animation.layers import Destination, write
from footfall.blender_addon.animation.layers.animation import animated_by_action
from footfall.tests.addon.animation.test_controls import (
    FRAMES,
    NEAR,
    bake,
    keyed_bones,
    motion_for,
    rigify,
    rigify_file,
)

__all__ = ["rigify", "rigify_file"]
pytestmark = pytest.mark.every_blender


def test_leftovers_of_an_earlier_action_are_put_to_rest() -> None:
    armature = RIGS["mixamo"]()
    rig_map = map_of(armature, "mixamo")
    armature.pose.bones["mixamorig:LeftLeg"].location = (3.0, 0.0, 1.0)
    armature.pose.bones["mixamorig:Head"].scale = (1.2, 1.2, 1.2)
    _, made, off = bake(armature, rig_map)
    assert off.place() < NEAR, off.place()
    location = next(track for track in made.tracks if track.path == 'pose.bones["mixamorig:LeftLeg"].location')
    assert location.values.tolist() == [[0.0, 0.0, 0.0]]
    assert armature.pose.bones["mixamorig:Head"].scale[0] > 1.1, "no scale is keyed or changed"


def test_a_control_that_the_user_posed_is_put_to_rest(rigify: bpy.types.Object) -> None:
    armature = rigify
    bones = armature.pose.bones
    bones["hips"].rotation_quaternion = (0.96, 0.2, 0.1, 0.17)
    bones["chest"].rotation_quaternion = (0.97, 0.2, 0.1, 0.0)
    bones["foot_heel_ik.L"].rotation_euler = (0.5, 0.0, 0.0)
    bones["thigh_ik_target.L"].location = (0.1, 0.2, 0.0)
    bones["f_index.01.L"].rotation_quaternion = (0.96, 0.2, 0.1, 0.17)
    _, made, off = bake(armature, map_of(armature, "rigify"))
    held = {"hips", "chest"}
    assert held <= keyed_bones(made) and "f_index.01.L" not in keyed_bones(made), "fingers are left alone"
    assert not keyed_bones(made) & {"foot_heel_ik.L", "thigh_ik_target.L"}, "the limbs are on FK"
    assert made.evaluation_count < FRAMES and len(made.warnings) == 1, (made.evaluation_count, made.warnings)
    assert "'hips', 'chest'" in made.warnings[0] or "'chest', 'hips'" in made.warnings[0]
    assert off.place() < NEAR, off.place()
    assert not any(bones["chest"].rotation_quaternion[1:]) and bones["f_index.01.L"].rotation_quaternion[1] > 0.1

    armature.animation_data.action = None
    bones["thigh_fk.L"].rotation_quaternion = (0.96, 0.2, 0.1, 0.17)
    _, made, off = bake(armature, map_of(armature, "rigify"), "IK")
    assert "foot_heel_ik.L" in keyed_bones(made) and "thigh_fk.L" not in keyed_bones(made)
    assert off.place("foot", "toe") < 5e-4, off.place("foot", "toe")


def animate(armature: bpy.types.Object) -> bpy.types.Action:
    """An animator's action, which moves controls that no bake keys, in its middle only, and switches."""
    bones = armature.pose.bones
    for frame, amount in ((1, 0.0), (10, 0.4), (30, 0.3), (FRAMES, 0.0)):
        for name in ("chest", "hips", "foot_heel_ik.L", "f_index.01.L"):
            bone = bones[name]
            turned = (1.0, amount, 0.0, amount) if bone.rotation_mode == "QUATERNION" else (amount, 0.0, 0.0)
            channel = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
            setattr(bone, channel, turned)
            bone.keyframe_insert(channel, frame=frame)
        bones["spine_fk.002"].location = (0.0, amount, 0.0)
        bones["spine_fk.002"].keyframe_insert("location", frame=frame)
        for name, key in (("torso", "neck_follow"), ("f_index.01_master.L", "finger_curve")):
            bones[name][key] = 0.5 + amount
            bones[name].keyframe_insert(f'["{key}"]', frame=frame)
    bpy.context.scene.frame_set(1)
    return armature.animation_data.action


@pytest.mark.parametrize("limbs", ["FK", "IK"])
@pytest.mark.parametrize(
    "destination", [Destination("RANGE", 4, 4, 6, 34), Destination("STRIP", 4, 4)], ids=["range", "strip"]
)
def test_what_other_keys_move_is_held_where_a_bake_goes_over_them(
    rigify: bpy.types.Object, destination: Destination, limbs: str
) -> None:
    armature = rigify
    rig_map = map_of(armature, "rigify")
    action = animate(armature)
    fingers = [len(curve.keyframe_points) for curve in curves_with(action, "f_index")]
    clip = motion_for(armature, rig_map)
    made = solve_control_tracks(armature, rig_map, clip, limbs, in_hips(clip))
    held = {'pose.bones["torso"]["neck_follow"]', 'pose.bones["spine_fk.002"].location'}
    assert held <= {track.path for track in made.tracks} and {"chest", "hips"} <= keyed_bones(made)
    assert not any("f_index" in bone for bone in keyed_bones(made)), "fingers are left alone"
    assert ("foot_heel_ik.L" in keyed_bones(made)) == (limbs == "IK")
    assert len(made.warnings) == 1 and "These bones are keyed at rest" in made.warnings[0], made.warnings
    assert made.evaluation_count < FRAMES + 20, made.evaluation_count
    write(armature, made.tracks, 1, destination, "Bake")
    off = errors(armature, clip, range(10, 29, 3))
    worst = off.place("hips", "spine", "spine_3", "neck", "head", "hand", "foot")
    assert worst < 5e-4, (destination.kind, limbs, worst)
    assert [len(curve.keyframe_points) for curve in curves_with(action, "f_index")] == fingers


def test_keys_on_other_bones_are_left_alone_on_request(rigify: bpy.types.Object) -> None:
    armature = rigify
    rig_map = map_of(armature, "rigify")
    animate(armature)
    clip = motion_for(armature, rig_map)
    spared = animated_by_action(armature.animation_data)
    made = solve_control_tracks(armature, rig_map, clip, "IK", in_hips(clip), spared)
    assert not {"chest", "hips"} & keyed_bones(made), keyed_bones(made)
    assert any("keep their own keys" in said and "chest" in said for said in made.warnings), made.warnings


def curves_with(action: bpy.types.Action, name: str) -> list[bpy.types.FCurve]:
    return [curve for (path, _), curve in curves_of(action, action.slots[0]).items() if name in path]
