"""Key poses in Blender: kept from the rig, gone through by the next bakes, and what is refused."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig.store import rig_map_of
from footfall.blender_addon.shot.key_poses.store import stored_root
from footfall.core.motion.rotations import length
from footfall.tests.addon.support.baked_walk import open_baked_walk
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.addon.walk.test_quadruped import metarig_dog

LINE = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)]
FRAME = 60


def bake() -> bpy.types.Object:
    return open_baked_walk(LINE)


def bone_of(armature: bpy.types.Object, role: str) -> bpy.types.PoseBone:
    return armature.pose.bones[rig_map_of(armature).bones[role]]


def heads(armature: bpy.types.Object) -> dict[str, np.ndarray]:
    """Return the places of the bones' heads at the frame that is shown, meters, world."""
    bpy.context.view_layer.update()
    return {bone.name: np.array(armature.matrix_world @ bone.head) for bone in armature.pose.bones}


def turn_arm(armature: bpy.types.Object) -> str:
    """Raise the left upper arm by a radian at the frame; return its name."""
    bone = bone_of(armature, "upper_arm.L")
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = bone.rotation_quaternion @ type(bone.rotation_quaternion)((0.0, 0.0, 1.0), 1.0)
    bpy.context.view_layer.update()
    return bone.name


@pytest.mark.every_blender
def test_a_kept_arm_is_where_it_was_posed_after_the_next_bakes() -> None:
    armature = bake()
    scene = bpy.context.scene
    scene.frame_set(FRAME)
    before = heads(armature)
    turn_arm(armature)
    posed = heads(armature)
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    for _ in range(2):
        assert bpy.ops.footfall.update_bake() == {"FINISHED"}
        scene.frame_set(FRAME)
        after = heads(armature)
        for name, place in posed.items():
            np.testing.assert_allclose(after[name], place, atol=1e-3, err_msg=name)
    assert max(length(posed[name] - before[name]) for name in posed) > 0.2
    item = armature.footfall.key_poses[0]
    assert item.frame == FRAME and item.blend_in > 5 and item.distance > 0.5 and not item.issue


def test_far_from_a_pose_the_bake_is_as_it_was() -> None:
    armature = bake()
    scene = bpy.context.scene
    scene.frame_set(20)
    before = heads(armature)
    scene.frame_set(FRAME)
    turn_arm(armature)
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    scene.frame_set(20)
    after = heads(armature)
    for name, place in before.items():
        np.testing.assert_allclose(after[name], place, atol=1e-4, err_msg=name)


def test_of_selected_bones_these_and_what_they_hang_on_are_kept() -> None:
    armature = bake()
    bpy.context.scene.frame_set(FRAME)
    bpy.ops.object.mode_set(mode="POSE")
    name = turn_arm(armature)
    bpy.ops.pose.select_all(action="DESELECT")
    armature.data.bones.active = armature.data.bones[name]
    selected = armature.pose.bones[name]
    (selected if hasattr(selected, "select") else selected.bone).select = True
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    assert armature.footfall.key_poses[0].parts == name
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}


def test_a_pose_at_a_distance_moves_with_a_slower_walk() -> None:
    armature = bake()
    bpy.context.scene.frame_set(FRAME)
    turn_arm(armature)
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    item = armature.footfall.key_poses[0]
    distance = item.distance
    item.anchor, armature.footfall.speed = "DISTANCE", 0.8
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert item.frame > FRAME + 5 and item.distance == pytest.approx(distance, abs=0.05)


def test_the_pose_is_an_extreme_in_the_timeline_and_is_not_used_when_switched_off() -> None:
    armature = bake()
    bpy.context.scene.frame_set(FRAME)
    before = heads(armature)
    turn_arm(armature)
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert types_at(armature, FRAME) == {"EXTREME"} and types_at(armature, FRAME + 1) == {"GENERATED"}
    armature.footfall.key_poses[0].is_used = False
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME)
    for name, place in heads(armature).items():
        np.testing.assert_allclose(place, before[name], atol=1e-4, err_msg=name)


def types_at(armature: bpy.types.Object, frame: int) -> set[str]:
    """Return the types of the keys of an armature's bones at a frame."""
    bag = armature.animation_data.action.layers[0].strips[0].channelbags[0]
    keys = (key for curve in bag.fcurves if curve.data_path[:4] == "pose" for key in curve.keyframe_points)
    return {key.type for key in keys if round(key.co.x) == frame}


def test_a_pose_that_no_body_can_take_is_said_and_kept() -> None:
    armature = bake()
    bpy.context.scene.frame_set(FRAME)
    bone_of(armature, "hips").location.x += 3.0 / armature.scale.x
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    item = armature.footfall.key_poses[0]
    item.automatic_blend, item.blend_in, item.blend_out = False, 2, 2
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert "m/s" in item.issue and "faster than a body can" in item.issue


def test_a_pose_is_kept_in_a_bake_only() -> None:
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    assert "bake first" in refusal_of(bpy.ops.footfall.keep_pose)
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", LINE)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    kept = stored_root(armature.footfall.baked_action)
    assert kept is not None
    bpy.context.scene.frame_set(kept[1] + len(kept[0]) + 5)
    assert "The current frame is outside the bake: go to a frame of the bake first" in refusal_of(
        bpy.ops.footfall.keep_pose
    )


def test_damaged_poses_and_poses_beyond_the_end_are_sentences() -> None:
    armature = bake()
    bpy.context.scene.frame_set(FRAME)
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    item = armature.footfall.key_poses[0]
    kept = item.pose
    item.pose = kept[: len(kept) // 2]
    assert "Key pose 1 is damaged: keep the pose again, or remove it" in refusal_of(bpy.ops.footfall.update_bake)
    item.pose, item.frame = kept, 5000
    assert "The key pose at frame" in refusal_of(bpy.ops.footfall.update_bake)
    assert bpy.ops.footfall.remove_key_pose() == {"FINISHED"}
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}


@pytest.mark.slow
def test_a_dog_goes_through_the_pose_that_was_kept() -> None:
    armature, scene = metarig_dog(), bpy.context.scene
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)])
    armature.footfall.speed = 0.9
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    scene.frame_set(30)
    before = heads(armature)
    bone = bone_of(armature, "head")
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = bone.rotation_quaternion @ type(bone.rotation_quaternion)((0.0, 0.0, 1.0), 0.5)
    bone_of(armature, "hips").location.z -= 0.02
    posed = heads(armature)
    assert max(length(posed[name] - before[name]) for name in posed) > 0.015
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    scene.frame_set(30)
    after = heads(armature)
    mapped = set(rig_map_of(armature).bones.values())
    for name in mapped:
        np.testing.assert_allclose(after[name], posed[name], atol=1e-3, err_msg=name)
    assert not armature.footfall.key_poses[0].issue
