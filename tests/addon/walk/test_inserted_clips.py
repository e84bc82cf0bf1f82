"""Inserted clips in Blender: an action within a baked walk, and what is refused."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.core.motion.rotations import length
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

LINE, TURN = [(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)], [(0.0, 3.0, 0.0), (3.0, 3.0, 0.0), (3.0, 0.0, 0.0)]


def bake(points: list[tuple[float, float, float]] = LINE) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", points)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return armature


def insert(armature: bpy.types.Object, frame: int, action: bpy.types.Action | None) -> bpy.types.PropertyGroup:
    bpy.context.scene.frame_set(frame)
    assert bpy.ops.footfall.insert_clip() == {"FINISHED"}
    item = armature.footfall.inserted_clips[armature.footfall.active_inserted_clip]
    item.action = action
    return item


def another_walk(armature: bpy.types.Object) -> bpy.types.Action:
    """A slow walk of the same rig as an action of its own; the first bake is the character's again."""
    path, speed = armature.footfall.path, armature.footfall.speed
    first = armature.footfall.baked_action
    armature.footfall.path, armature.footfall.speed = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)]), 0.8
    armature.footfall.output.destination = "ACTION"
    armature.footfall.baked_action = None
    armature.animation_data.action = None
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    made = armature.animation_data.action.copy()
    armature.footfall.path, armature.footfall.speed = path, speed
    armature.animation_data.action = armature.footfall.baked_action = first
    return made


@pytest.mark.every_blender
def test_a_walk_goes_over_into_an_action_and_goes_on_along_its_path() -> None:
    armature = bake()
    before, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    action = another_walk(armature)
    item = insert(armature, 60, action)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    after, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    assert len(after) > len(before) + 10, "the walk is longer by what was inserted"
    np.testing.assert_allclose(after.positions[-1], before.positions[-1], atol=0.01)
    np.testing.assert_allclose(after.positions[20], before.positions[20], atol=0.005)
    steps = length(np.diff(after.positions, axis=0)).max(axis=1)
    assert steps.max() < 1.5 * length(np.diff(before.positions, axis=0)).max()
    item.is_used = False
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    again, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    np.testing.assert_allclose(again.positions, before.positions, atol=1e-4)


def test_an_idle_in_full_stride_is_told() -> None:
    armature = bake()
    idle = armature.animation_data.action.copy()
    for curve in idle.layers[0].strips[0].channelbag(idle.slots[0]).fcurves:
        for key in curve.keyframe_points[:70]:
            key.co[1] = key.handle_left[1] = key.handle_right[1] = curve.keyframe_points[0].co[1]
        while len(curve.keyframe_points) > 70:
            curve.keyframe_points.remove(curve.keyframe_points[-1], fast=True)
    idle.footfall.segments.clear()
    item = insert(armature, 80, idle)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert "moves at 0.0 m/s, but the bake moves at 1." in item.issue and "at a Wait" in item.issue


def test_a_clip_without_an_action_is_a_sentence() -> None:
    armature = bake()
    insert(armature, 60, None)
    assert "Inserted clip 1 has no action: choose one, or remove the clip" in refusal_of(bpy.ops.footfall.update_bake)
    assert bpy.ops.footfall.remove_inserted_clip() == {"FINISHED"}
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}


def test_a_clip_after_the_walk_is_a_sentence() -> None:
    armature = bake()
    insert(armature, 4000, another_walk(armature))
    assert "choose an earlier frame" in refusal_of(bpy.ops.footfall.update_bake)


def test_a_deleted_action_is_a_sentence() -> None:
    armature = bake()
    action = another_walk(armature)
    insert(armature, 60, action)
    bpy.data.actions.remove(action)
    assert "has no action" in refusal_of(bpy.ops.footfall.update_bake)
