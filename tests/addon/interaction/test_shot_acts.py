"""Act beats: an action of another armature is played in the shot, updated, and refused where it cannot be played."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.shot.staleness import first_change
from footfall.core.motion import Clip
from footfall.tests.addon.support.person import make_person
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

FRAMES = 60


@pytest.fixture
def waver() -> bpy.types.Object:
    """A person who raises the left arm for two seconds."""
    bpy.context.scene.render.fps = 30
    armature = make_person()
    armature.name, armature.location = "Waver", (3.0, 0.0, 0.0)
    raise_arm(armature, 2.0)
    return armature


def raise_arm(armature: bpy.types.Object, angle: float) -> None:
    """Key the standing pose with the left arm raised in the middle, by an angle, radians."""
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
        for frame in (1, FRAMES):
            bone.rotation_euler = (0.0, 0.0, 0.0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    arm = armature.pose.bones["upper_arm.L"]
    arm.rotation_euler.x = angle
    arm.keyframe_insert("rotation_euler", frame=FRAMES // 2)


@pytest.fixture
def actor(waver: bpy.types.Object) -> bpy.types.Object:
    """A character that faces +Y, active, with the other armature selected."""
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    armature.rotation_euler.z = np.pi
    waver.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


def motion(armature: bpy.types.Object) -> Clip:
    return read_mapped_action(armature, armature.footfall.baked_action, bpy.context.scene)[0]


def hand_height(clip: Clip) -> np.ndarray:
    """Height (F) of the left hand over the head, meters."""
    return clip.positions[:, clip.skeleton.joint("hand.L"), 2] - clip.positions[:, clip.skeleton.joint("head"), 2]


@pytest.mark.slow
def test_a_selected_armature_with_an_action_is_played_and_updated(
    actor: bpy.types.Object, waver: bpy.types.Object
) -> None:
    walk = actor.footfall.interaction_tasks.add()
    walk.type, walk.duration = "walk", 3.0
    walk.target = add_curve("POLY", [(0.0, 0.3, 0.0), (0.0, 1.0, 0.0)])
    waver.select_set(True)
    bpy.context.view_layer.objects.active = actor
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    act = actor.footfall.interaction_tasks[1]
    assert (act.type, act.actor, act.action) == ("act", waver, waver.animation_data.action)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not act.is_skipped and act.last_frame - act.first_frame > FRAMES
    start = int(actor.footfall.baked_action.frame_range[0])
    own, before = slice(act.first_frame - start, act.last_frame - start), motion(actor)
    assert hand_height(before)[own].max() > hand_height(before)[: own.start].max() + 0.3
    assert np.linalg.norm(before.root_positions[own, :2] - [0.0, 1.0], axis=1).max() < 0.3
    assert first_change(actor, bpy.context.scene) is None
    raise_arm(waver, 0.6)
    assert "a beat or its object was changed" in str(first_change(actor, bpy.context.scene))
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    after, kept = motion(actor), own.start - round(1.5 * before.rate)
    assert kept > 30
    np.testing.assert_array_equal(after.rotations[:kept], before.rotations[:kept])
    np.testing.assert_array_equal(after.root_positions[:kept], before.root_positions[:kept])
    assert hand_height(after)[own].max() < hand_height(before)[own].max() - 0.2
    assert first_change(actor, bpy.context.scene) is None


def test_an_act_that_cannot_be_played_is_refused_before_the_bake(
    actor: bpy.types.Object, waver: bpy.types.Object
) -> None:
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    (act,) = actor.footfall.interaction_tasks
    action, act.action = act.action, None
    assert "Choose the action of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    act.action, act.has_range = action, True
    for first, last, told in ((1, 20, "too short to blend in and out"), (200, 300, "has no frames from 200 to 300")):
        act.range_start, act.range_end = first, last
        assert told in refusal_of(bpy.ops.footfall.bake_shot)
    act.has_range = False
    raise_arm(waver, 0.0)
    assert "has no motion" in refusal_of(bpy.ops.footfall.bake_shot)
    bpy.context.scene.collection.objects.unlink(waver)
    assert "no longer in the scene" in refusal_of(bpy.ops.footfall.bake_shot)
    bpy.data.objects.remove(waver)
    assert "has no keys on the bones of armature" in refusal_of(bpy.ops.footfall.bake_shot)
    assert actor.footfall.baked_action is None and len(actor.footfall.interaction_tasks) == 1
