"""A walk of four legs baked onto a Rigify metarig of a dog, on level ground and over a slope."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.rig.store import mapped_skeleton, rig_map_of, store_rig_map
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.core.rig.rig_map import with_mapped_roles
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

LINE = [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)]


def metarig_dog() -> bpy.types.Object:
    """A dog's metarig, of Rigify's own size, whose roles are guessed."""
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_quadruped_metarig_add()
    return bpy.context.object


def baked(armature: bpy.types.Object):
    """Bakes, and the clip with the roles of the rig map."""
    assert bpy.ops.footfall.bake_walk() == {"FINISHED"}
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


def test_three_mapped_legs_are_refused_in_a_sentence() -> None:
    armature = metarig_dog()
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", LINE)
    whole = rig_map_of(armature)
    bones = {role: bone for role, bone in whole.bones.items() if not (role.startswith("front_") and role[-1] == "R")}
    store_rig_map(armature, replace(whole, bones=bones))
    assert "the right front leg is not mapped" in refusal_of(bpy.ops.footfall.bake_walk)


def test_a_path_of_no_length_is_refused_in_a_sentence() -> None:
    armature = metarig_dog()
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", [(1.0, 1.0, 0.0), (1.0, 1.0, 0.5)])
    said = refusal_of(bpy.ops.footfall.bake_walk)
    assert "0.00 m long" in said and "draw a longer curve" in said
    assert armature.animation_data is None or armature.animation_data.action is None


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
    said = refusal_of(bpy.ops.footfall.bake_walk)
    assert "stands on four legs, and the controller 'Locomotion' walks on two: choose Quadruped" in said
    assert armature.animation_data is None or armature.animation_data.action is None


def test_a_controller_for_four_legs_is_refused_on_two() -> None:
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", LINE)
    said = refusal_of(bpy.ops.footfall.bake_walk)
    assert "stands on two legs, and the controller 'Quadruped' walks on four: choose one for people" in said


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
