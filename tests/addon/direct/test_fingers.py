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


def add_player(fingers: int) -> bpy.types.Object:
    """A character with some straight fingers on each hand, and a path and a hoop for one shot."""
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
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0)])
    hoop = bpy.data.objects.new("Hoop", None)
    hoop.location = RIM
    bpy.context.scene.collection.objects.link(hoop)
    cue = armature.footfall.path_events.add()
    cue.type, cue.start_distance, cue.target = "SHOOT", 1.5, hoop
    bpy.context.view_layer.update()
    return armature


def tips(armature: bpy.types.Object) -> np.ndarray:
    """The tips (N, 3) of all fingers, meters."""
    last = [bone for bone in armature.pose.bones if bone.name.endswith(f".{len(BONES_M) - 1}")]
    return np.array([(armature.matrix_world @ bone.tail)[:] for bone in last])


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ"])
def test_fingers_are_on_the_ball_while_hands_hold_it(mode: str) -> None:
    armature, scene = add_player(4), bpy.context.scene
    for bone in armature.pose.bones:
        if ".finger" in bone.name:
            bone.rotation_mode = mode
    assert bpy.ops.footfall.bake_walk() == {"FINISHED"}
    ball, (first, last) = find_ball(armature), armature.animation_data.action.frame_range
    assert ball is not None
    scene.frame_set(int(first) + 20)
    apart = np.linalg.norm(tips(armature) - np.array(ball.matrix_world.translation), axis=1)
    assert len(apart) == 8 and np.abs(apart - 0.5 * ball.dimensions.x).max() < 0.025, "on its skin"
    scene.frame_set(int(last))
    turned = [bone.matrix_basis.to_quaternion().angle for bone in armature.pose.bones if ".finger" in bone.name]
    assert max(turned) < 1e-3, "and straight, as at rest"


def test_too_few_chains_are_no_fingers() -> None:
    armature = add_player(2)
    assert bpy.ops.footfall.bake_walk() == {"FINISHED"}
    paths = {
        curve.data_path
        for layer in armature.animation_data.action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    }
    assert not any(".finger" in path for path in paths)
