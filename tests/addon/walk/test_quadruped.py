"""A walk of four legs baked onto a Rigify metarig of a dog, on level ground and over a slope."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.animation.fcurve_io.body_reader import read_body
from footfall.blender_addon.rig.store import mapped_skeleton, rig_map_of, store_rig_map
from footfall.core.jobs.steps import finished
from footfall.core.motion import Clip
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import IDENTITY
from footfall.core.rig.rig_map import with_mapped_roles
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.support.leg_bends import backward_frames

LINE = [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)]


def metarig_dog() -> bpy.types.Object:
    """A dog's metarig, of Rigify's own size, whose roles are guessed."""
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_quadruped_metarig_add()
    return bpy.context.object


def baked(armature: bpy.types.Object):
    """Bakes, and the clip with the roles of the rig map."""
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    return type(clip)(
        with_mapped_roles(clip.skeleton, rig_map_of(armature)), clip.rate, clip.root_positions, clip.rotations
    )


@pytest.mark.slow
def test_a_dog_walks_along_its_path() -> None:
    armature = metarig_dog()
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", LINE)
    armature.footfall.speed = 0.9
    clip = baked(armature)
    roots = root_track(clip).positions
    assert roots[-1, 1] > 2.5 and np.abs(roots[:, 0]).max() < 0.15
    heights = paw_tracks(clip)[..., 2]
    assert np.percentile(heights, 20, axis=0).max() < 0.08, "paws stand on the ground"
    assert heights.max(axis=0).min() > 0.03, "and are lifted"
    assert mapped_skeleton(armature, rig_map_of(armature)).leg_length > 0.2


def slope(clip: Clip, low: str, high: str) -> np.ndarray:
    """Slopes (F), degrees, of the way from one joint to another."""
    way = clip.positions[:, clip.skeleton.joint(high)] - clip.positions[:, clip.skeleton.joint(low)]
    return np.degrees(np.arctan2(way[:, 2], np.linalg.norm(way[:, :2], axis=-1)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ("wolf", "horse", "cat"))
def test_rigifys_animals_stand_and_go_level(kind: str) -> None:
    """Their trunks nose-dived by 35 degrees, with the tails upright."""
    bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    armature = bpy.context.object
    size = mapped_skeleton(armature, rig_map_of(armature)).leg_length / 0.42
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, -1.5 * size, 0.0)])
    armature.footfall.speed = 0.8 * size
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    action = armature.animation_data.action
    clip, _ = finished(read_body(armature, action, bpy.context.scene, rig_map_of(armature)))
    rest = Clip(clip.skeleton, 1.0, np.zeros((1, 3)), np.tile(IDENTITY, (1, len(clip.skeleton), 1)))
    for low, high in (("hips", "chest"), ("neck", "head")):
        assert slope(clip, low, high)[0] == pytest.approx(slope(rest, low, high)[0], abs=3.0)
    assert np.abs(slope(clip, "hips", "chest") - slope(rest, "hips", "chest")).max() < 8.0
    assert slope(clip, "hips", "chest").mean() == pytest.approx(slope(rest, "hips", "chest")[0], abs=5.0)
    assert slope(clip, "tail", "tail_3")[0] == pytest.approx(slope(rest, "tail", "tail_3")[0], abs=3.0)
    assert backward_frames(clip) == 0


@pytest.mark.slow
def test_elbows_of_a_generated_wolf_bend_backward() -> None:
    """Rigify's own IK bent them ahead."""
    metarig = metarig_dog()
    bpy.ops.pose.rigify_generate()
    armature = next(other for other in bpy.data.objects if other.type == "ARMATURE" and other != metarig)
    bpy.context.view_layer.objects.active = armature
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, -2.0, 0.0)])
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    for frame in range(1, 100, 7):
        bpy.context.scene.frame_set(frame)
        posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        for side in "LR":
            top, elbow, wrist = (posed[f"ORG-front_{part}.{side}"].head for part in ("thigh", "shin", "foot"))
            share = (top.z - elbow.z) / (top.z - wrist.z)
            assert elbow.y > top.y + share * (wrist.y - top.y), (frame, side)


def test_three_mapped_legs_are_refused_in_a_sentence() -> None:
    armature = metarig_dog()
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", LINE)
    whole = rig_map_of(armature)
    bones = {role: bone for role, bone in whole.bones.items() if not (role.startswith("front_") and role[-1] == "R")}
    store_rig_map(armature, replace(whole, bones=bones))
    assert "the right front leg has none" in refusal_of(bpy.ops.footfall.bake_shot)


def test_an_animal_gets_the_controller_of_animals_where_none_is_chosen() -> None:
    armature = metarig_dog()
    assert armature.footfall.controller_choice == "preset:quadruped"
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    clip = baked(armature)
    assert clip.positions[:, clip.skeleton.joint("head"), 2].max() < 1.2, "on four legs"
    assert bpy.ops.footfall.add_character() == {"FINISHED"}
    assert bpy.context.object.footfall.controller == "preset:quadruped", "and another one is an animal, too"


def test_a_person_gets_the_controller_of_people_where_none_is_chosen() -> None:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    assert bpy.context.object.footfall.controller_choice == "preset:locomotion"
    bpy.ops.footfall.add_character()
    assert bpy.context.object.footfall.controller == "preset:locomotion"


def test_a_controller_for_two_legs_is_refused_on_four() -> None:
    """A dog walked on its hind legs."""
    armature = metarig_dog()
    armature.footfall.controller = "preset:locomotion"
    armature.footfall.path = add_curve("POLY", LINE)
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert "has four legs, but the controller 'Locomotion' walks on two: choose the Quadruped controller" in said
    assert armature.animation_data is None or armature.animation_data.action is None


def test_a_controller_for_four_legs_is_refused_on_two() -> None:
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", LINE)
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert "has two legs, but the controller 'Quadruped' walks on four: choose a controller for people" in said


@pytest.mark.slow
def test_a_new_character_is_the_controller_s_own_animal() -> None:
    bpy.ops.footfall.add_character(controller="preset:quadruped")
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", LINE)
    armature.footfall.speed = 0.9
    clip = baked(armature)
    assert np.abs(root_track(clip).positions[:, 0]).max() < 0.1
    assert np.percentile(paw_tracks(clip)[..., 2], 20, axis=0).max() < 0.03
    assert armature.footfall.quality_summary
