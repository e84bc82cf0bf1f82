"""Partners as beats: one bake makes the shots of both, each in its own action."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.blender_addon.shot.staleness import first_change
from footfall.core.control.pair.joined_hands import palm_distances
from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import held_hands
from footfall.core.motion.root_frame import root_track
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve, add_plane


@pytest.fixture
def pair() -> list[bpy.types.Object]:
    """Ada at the origin and Bob 3 m before her, both facing +Y; Ada is active."""
    bpy.context.scene.render.fps = 30
    found = []
    for name, place in (("Bob", 3.0), ("Ada", 0.0)):
        assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
        armature = bpy.context.object
        armature.name, armature.location, armature.rotation_euler.z = name, (0.0, place, 0.0), np.pi
        found.append(armature)
    bpy.context.view_layer.update()
    return found[::-1]


def add_beat(armature: bpy.types.Object, kind: str, **values: object) -> bpy.types.PropertyGroup:
    beat = armature.footfall.interaction_tasks.add()
    beat.type, beat.duration = kind, 0.0
    for name, value in values.items():
        setattr(beat, name, value)
    return beat


def motion(armature: bpy.types.Object) -> Clip:
    return read_mapped_action(armature, armature.footfall.baked_action, bpy.context.scene)[0]


@pytest.mark.slow
def test_one_bake_makes_both_follow_and_fight(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    earlier = bob.animation_data_create().action = bpy.data.actions.new("Earlier")
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (0.0, 5.0, 0.0)]))
    add_beat(bob, "fight", partner=ada, attacks=False)
    add_beat(ada, "follow", partner=bob)
    fight = add_beat(ada, "fight", partner=bob, effector="HAND_R", part="head", answer="hit")
    bpy.context.view_layer.objects.active = ada
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert all(one.footfall.baked_action not in (None, earlier) for one in pair)
    assert bpy.data.actions.get("Earlier") == earlier and earlier.users > 0
    assert not any(beat.is_skipped for one in pair for beat in one.footfall.interaction_tasks)
    first, second = motion(ada), motion(bob)
    assert len(first) == len(second)
    hand, heads = first.positions[:, first.skeleton.joint("hand.R")], second.positions[:, second.skeleton.joint("head")]
    away = np.linalg.norm(hand - heads, axis=1)
    assert away.min() < 0.3
    assert fight.first_frame < bpy.context.scene.frame_start + int(away.argmin()) <= fight.last_frame
    assert max(np.linalg.norm(np.diff(one.positions, axis=0), axis=2).max() for one in (first, second)) < 0.5
    assert first_change(ada, bpy.context.scene) is None
    bob.footfall.interaction_tasks[0].speed = 1.0
    assert "a beat or its object" in str(first_change(ada, bpy.context.scene))


@pytest.mark.slow
@pytest.mark.all_only("dances are tested in tests/core/control/shot")
def test_one_bake_makes_both_dance_along_a_path(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    way = add_curve("POLY", [(0.0, 1.5, 0.0), (0.9, 1.5, 0.0)])
    add_beat(ada, "dance", partner=bob)
    add_beat(bob, "dance", partner=ada, leads=True, target=way, speed=0.2)
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (0.0, 5.0, 0.0)]))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    first, second = motion(ada), motion(bob)
    apart = palm_distances(first, second.cut(0, len(first)))[held_hands(first, second.cut(0, len(first)))]
    assert len(apart) > 50 and np.median(apart) < 0.01
    assert not any(beat.is_skipped for one in pair for beat in one.footfall.interaction_tasks)
    assert max(np.linalg.norm(np.diff(one.positions, axis=0), axis=2).max() for one in (first, second)) < 0.5
    assert ada.footfall.quality_summary and bob.animation_data.action.footfall.segments


def test_the_motion_of_a_partner_without_beats_is_answered_and_stays(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    bob.footfall.path = add_curve("POLY", [(0.0, 3.0, 0.0), (2.0, 3.0, 0.0)])
    bpy.context.view_layer.objects.active = bob
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    walked = bob.animation_data.action
    bpy.context.view_layer.objects.active = ada
    beat = add_beat(ada, "face", partner=bob, distance=1.3)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert bob.animation_data.action == walked, "the partner's motion stays as it is"
    own, other = motion(ada), motion(bob)
    assert abs(len(own) - len(other)) <= 1
    away = root_track(own).positions[-1] - root_track(other).positions[-1]
    assert np.linalg.norm(away) == pytest.approx(1.3, abs=0.45)
    assert first_change(ada, bpy.context.scene) is None
    name = ada.animation_data.action.name
    beat.type, beat.circle_speed = "circle", -0.6
    assert "a beat or its object" in str(first_change(ada, bpy.context.scene))
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert ada.animation_data.action.name == name
    bob.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points[0].co.y += 0.1
    assert "the partner or its motion" in str(first_change(ada, bpy.context.scene))


def test_one_step_of_undo_takes_both_back(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    add_beat(ada, "follow", partner=bob)
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (0.0, 4.5, 0.0)]))
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True) == {"FINISHED"}
    assert len(bpy.data.actions) == 2
    bpy.ops.ed.undo()
    assert not bpy.data.actions and all(bpy.data.objects[name].animation_data is None for name in ("Ada", "Bob"))


def test_what_cannot_be_answered(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    beat = add_beat(ada, "defend", partner=bob)
    assert "Choose the target of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    beat.type = "follow"
    for frame in (-20, -10):
        bob.pose.bones[0].keyframe_insert("location", frame=frame)
    assert "ends at frame" in refusal_of(bpy.ops.footfall.bake_shot)


def test_a_new_beat_proposes_the_selected_character(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    bob.select_set(True)
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    add_beat(bob, "dance", partner=ada)
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    assert [(beat.type, beat.partner) for beat in ada.footfall.interaction_tasks] == [("follow", bob), ("dance", bob)]


def test_a_beat_without_its_partner_is_refused(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    beat = add_beat(ada, "fight")
    assert "Choose the partner of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    beat.partner = bob
    assert "'Bob', has no beats: add beats to that character" in refusal_of(bpy.ops.footfall.bake_shot)
    add_beat(bob, "follow", partner=ada)
    assert "the shot of 'Bob' has no fight with 'Ada': add one" in refusal_of(bpy.ops.footfall.bake_shot)
    beat.type = "follow"
    assert "These characters wait for each other, so none can go on" in refusal_of(bpy.ops.footfall.bake_shot)
    assert ada.footfall.baked_action is None and bob.footfall.baked_action is None


def test_partners_begin_at_one_frame(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    add_beat(ada, "follow", partner=bob)
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (0.0, 5.0, 0.0)]))
    bpy.context.scene.frame_current = bpy.context.scene.frame_start + 20
    ada.footfall.start, bob.footfall.start = "CURRENT", "SCENE"
    assert "let both shots begin at the same frame" in refusal_of(bpy.ops.footfall.bake_shot)


@pytest.mark.slow
def test_a_partner_added_later_begins_with_the_baked_character(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    scene = bpy.context.scene
    scene.frame_current, ada.footfall.start = scene.frame_start + 20, "CURRENT"
    add_beat(ada, "walk", target=add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]))
    bpy.context.view_layer.objects.active = ada
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    scene.frame_current = scene.frame_start
    add_beat(bob, "follow", partner=ada)
    ada.footfall.interaction_tasks[0].target = add_curve("POLY", [(0.0, 0.0, 0.0), (1.5, -1.0, 0.0)])
    add_beat(ada, "face", partner=bob, has_end=True, end_frame=scene.frame_start + 200)
    bob.footfall.interaction_tasks.clear()
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (1.0, 4.0, 0.0)]))
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    starts = {read_mapped_action(one, one.footfall.baked_action, scene)[1] for one in pair}
    assert starts == {scene.frame_start + 20}


@pytest.mark.slow
def test_a_baked_character_in_the_way_is_walked_around(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    add_beat(bob, "walk", target=add_curve("POLY", [(0.0, 3.0, 0.0), (0.0, 0.0, 0.0), (0.0, -1.0, 0.0)]))
    add_beat(ada, "walk", target=add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 4.0, 0.0)]))
    for one in pair:
        bpy.context.view_layer.objects.active = one
        assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    first, second = motion(ada), motion(bob)
    frames = min(len(first), len(second))
    assert deepest_overlap(first.cut(0, frames), second.cut(0, frames)).max() < 0.03
    hips = [one.root_positions[:frames, :2] for one in (first, second)]
    assert np.linalg.norm(hips[0] - hips[1], axis=1).min() > 0.45


def test_beats_that_cannot_be_are_told_before_the_bake(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    target = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
    first = add_beat(ada, "walk", target=target, has_end=True, end_frame=100)
    second = add_beat(ada, "walk", target=target, has_end=True, end_frame=100)
    assert "Beats 1 and 2 of 'Ada' are set to the same frame" in refusal_of(bpy.ops.footfall.bake_shot)
    second.end_frame = 90
    assert "Beat 2 of 'Ada' is set to an earlier frame than beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    ada.footfall.interaction_tasks.remove(1)
    first.has_end = False
    floor = add_plane(3.0, name="Floor")
    set_tag(floor, WALKABLE)
    bpy.context.view_layer.update()
    assert "Beat 1 of 'Ada' ends in the air" in refusal_of(bpy.ops.footfall.bake_shot)
    bpy.data.objects.remove(floor)
    bpy.context.scene.collection.objects.unlink(target)
    assert "'Path' is no longer in the scene" in refusal_of(bpy.ops.footfall.bake_shot)
    first.type, first.partner = "follow", bob
    add_beat(bob, "idle", duration=1.0)
    for collection in bob.users_collection:
        collection.objects.unlink(bob)
    assert "'Bob' is no longer in the scene" in refusal_of(bpy.ops.footfall.bake_shot)
    assert ada.footfall.baked_action is None
