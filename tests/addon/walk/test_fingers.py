"""Fingers of a rig close round the ball that its hands hold, and are as they were once it is gone."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.label.ball_object import find_ball
from footfall.blender_addon.rig.store import rig_map_of
from footfall.tests.addon.support.scenes import add_curve

RIM = (6.0, 0.0, 3.05)
BONES_M = (0.045, 0.025, 0.02)


def add_player(fingers: int, has_controls: bool = False) -> bpy.types.Object:
    """A character with some straight fingers on each hand, and a path and a hoop for one shot.

    Fingers may be moved by controls that hang on mechanisms, as Rigify's are.
    """
    bpy.context.scene.render.fps = 30
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    hands = [rig_map_of(armature).bones[f"hand.{side}"] for side in "LR"]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for hand in hands:
        along = (bones[hand].tail - bones[hand].head).normalized()
        across = along.cross(Vector((0.0, 0.0, 1.0))).normalized()
        for finger in range(fingers):
            parent, head = bones[hand], bones[hand].head + 0.09 * along + 0.02 * (finger - 1.5) * across
            for number, length in enumerate(BONES_M):
                bone = bones.new(f"{hand}.finger{finger}.{number}")
                bone.head, bone.tail, bone.parent = head, head + length * along, parent
                parent, head = bone, bone.tail.copy()
    if has_controls:
        add_controls(armature)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0)])
    hoop = bpy.data.objects.new("Hoop", None)
    hoop.location = RIM
    bpy.context.scene.collection.objects.link(hoop)
    cue = armature.footfall.path_events.add()
    cue.type, cue.start_distance, cue.target = "SHOOT", 1.5, hoop
    bpy.context.view_layer.update()
    return armature


def add_controls(armature: bpy.types.Object) -> None:
    """Let each finger bone copy a control that lies on it; a mechanism of half the size is between two of them."""
    bones = armature.data.edit_bones
    names = [bone.name for bone in bones if ".finger" in bone.name]
    for name in names:
        bone = bones[name]
        mechanism, control = bones.new(f"drive.{name}"), bones.new(f"control.{name}")
        mechanism.head, mechanism.tail, mechanism.use_deform = bone.head, 0.5 * (bone.head + bone.tail), False
        control.head, control.tail, control.roll, control.use_deform = bone.head, bone.tail, bone.roll, False
        above = bone.parent
        mechanism.parent, control.parent = bones.get(f"control.{above.name}", above), mechanism
    bpy.ops.object.mode_set(mode="POSE")
    for name in names:
        constraint = armature.pose.bones[name].constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = armature, f"control.{name}"


def keyed_bones(armature: bpy.types.Object) -> set[str]:
    """The names of bones in the paths of a character's curves."""
    return {
        curve.data_path.partition('"')[2].partition('"')[0]
        for layer in armature.animation_data.action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    }


def tips(armature: bpy.types.Object) -> np.ndarray:
    """The tips (N, 3) of all fingers, meters."""
    last = [bone for bone in armature.pose.bones if bone.bone.use_deform and bone.name[-2:] == f".{len(BONES_M) - 1}"]
    return np.array([(armature.matrix_world @ bone.tail)[:] for bone in last])


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ"])
def test_fingers_are_on_the_ball_while_hands_hold_it(mode: str) -> None:
    armature, scene = add_player(4), bpy.context.scene
    for bone in armature.pose.bones:
        if ".finger" in bone.name:
            bone.rotation_mode = mode
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    ball, (first, last) = find_ball(armature), armature.animation_data.action.frame_range
    assert ball is not None
    scene.frame_set(int(first) + 20)
    apart = np.linalg.norm(tips(armature) - np.array(ball.matrix_world.translation), axis=1)
    assert len(apart) == 8 and np.abs(apart - 0.5 * ball.dimensions.x).max() < 0.025, "on its skin"
    scene.frame_set(int(last))
    turned = [bone.matrix_basis.to_quaternion().angle for bone in armature.pose.bones if ".finger" in bone.name]
    assert max(turned) < 1e-3, "and straight, as at rest"


def test_fingers_that_controls_move_are_keyed_by_their_controls() -> None:
    armature, scene = add_player(4, has_controls=True), bpy.context.scene
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    keyed = {name for name in keyed_bones(armature) if ".finger" in name}
    assert len(keyed) == 24 and all(name.startswith("control.") for name in keyed)
    ball, (first, _) = find_ball(armature), armature.animation_data.action.frame_range
    assert ball is not None
    scene.frame_set(int(first) + 20)
    apart = np.linalg.norm(tips(armature) - np.array(ball.matrix_world.translation), axis=1)
    assert len(apart) == 8 and np.abs(apart - 0.5 * ball.dimensions.x).max() < 0.025, "on its skin"
