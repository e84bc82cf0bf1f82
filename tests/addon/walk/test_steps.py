"""Edited steps and retimed stretches in Blender: a footprint that is moved, and a walk that takes its time."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.rig.store import rig_map_of
from footfall.blender_addon.shot.steps.panel import has_front_feet
from footfall.core.motion import Clip
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.roles import PAW_CONTACTS
from footfall.core.rig.rig_map import with_mapped_roles
from footfall.tests.addon.support.baked_walk import open_baked_walk
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.addon.walk.test_quadruped import metarig_dog

LINE = [(0.0, 0.0, 0.0), (6.0, 0.0, 0.0)]


def bake() -> bpy.types.Object:
    return open_baked_walk(LINE)


def motion(armature: bpy.types.Object) -> Clip:
    return read_action(armature, armature.footfall.baked_action, bpy.context.scene)[0]


def paws(armature: bpy.types.Object) -> np.ndarray:
    """The paws (F, 4, 3) of a baked quadruped, meters, world."""
    clip = motion(armature)
    return paw_tracks(replace(clip, skeleton=with_mapped_roles(clip.skeleton, rig_map_of(armature))))


def ankle(clip: Clip, side: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.joint(f"foot.{side}")]


def stance(clip: Clip, side: str) -> int:
    """A frame in the middle of the clip at which a foot stands."""
    speeds = np.linalg.norm(np.diff(ankle(clip, side), axis=0), axis=1)
    middle = len(clip) // 2
    return middle + int(speeds[middle : middle + 60].argmin())


def edit(armature: bpy.types.Object, side: str) -> tuple[bpy.types.PropertyGroup, int]:
    frame = stance(motion(armature), side)
    bpy.context.scene.frame_set(frame + 1)
    assert bpy.ops.footfall.edit_step(foot=side) == {"FINISHED"}
    return armature.footfall.edited_steps[armature.footfall.active_edited_step], frame


@pytest.mark.every_blender
def test_a_foot_stands_where_its_footprint_is_moved_to_and_again_after_the_next_bake() -> None:
    armature = bake()
    before = motion(armature)
    item, frame = edit(armature, "L")
    np.testing.assert_allclose(item.handle.location, ankle(before, "L")[frame], atol=0.002)
    item.handle.location.y += 0.12
    for _ in range(2):
        assert bpy.ops.footfall.update_bake() == {"FINISHED"}
        after = motion(armature)
        np.testing.assert_allclose((ankle(after, "L") - ankle(before, "L"))[frame], [0.0, 0.12, 0.0], atol=0.004)
        bpy.context.view_layer.update()
    far = np.abs(np.arange(len(before)) - frame) > 75
    np.testing.assert_allclose(after.positions[far], before.positions[far], atol=0.004)
    np.testing.assert_allclose(item.handle.location[1] - item.home[1], 0.12, atol=1e-5)
    assert item.frame == frame + 1 or abs(item.frame - frame - 1) <= 1
    item.is_used = False
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    np.testing.assert_allclose(motion(armature).positions, before.positions, atol=1e-4)


def test_a_footprint_is_turned_and_its_contact_held_longer() -> None:
    armature = bake()
    before = motion(armature)
    item, frame = edit(armature, "R")
    item.handle.rotation_euler.z += 0.4
    item.later = 3
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    after = motion(armature)
    toes = [
        clip.positions[frame, clip.skeleton.joint("toe.R"), :2] - ankle(clip, "R")[frame, :2]
        for clip in (before, after)
    ]
    turned = np.arctan2(toes[1][1], toes[1][0]) - np.arctan2(toes[0][1], toes[0][0])
    assert turned == pytest.approx(0.4, abs=0.03)


def test_removing_a_step_removes_its_empty_and_one_undo_step_brings_both_back() -> None:
    armature = bake()
    item, _ = edit(armature, "L")
    name = item.handle.name
    bpy.ops.ed.undo_push(message="Edit Step")
    assert bpy.ops.footfall.remove_edited_step("EXEC_DEFAULT", True) == {"FINISHED"}
    assert name not in bpy.data.objects and not armature.footfall.edited_steps
    bpy.ops.ed.undo()
    assert name in bpy.data.objects


def test_a_deleted_footprint_leaves_its_step_as_it_is() -> None:
    armature = bake()
    before = motion(armature)
    item, _ = edit(armature, "L")
    bpy.data.objects.remove(item.handle)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    np.testing.assert_allclose(motion(armature).positions, before.positions, atol=1e-4)


def test_a_step_that_is_out_of_reach_is_told() -> None:
    armature = bake()
    item, _ = edit(armature, "L")
    item.handle.location.y += 3.0
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert "beyond the reach" in item.issue
    item.handle.location.y -= 3.0
    item.later = 200
    assert "too long" in refusal_of(bpy.ops.footfall.update_bake)


@pytest.mark.every_blender
def test_a_retimed_stretch_takes_its_time_and_steps_after_it_are_still_edited() -> None:
    armature = bake()
    before = motion(armature)
    rate = before.rate
    bpy.context.scene.frame_set(20)
    assert bpy.ops.footfall.retime_stretch() == {"FINISHED"}
    stretch = armature.footfall.retimed_stretches[0]
    assert (stretch.first, stretch.last) == (20, 20 + round(rate))
    stretch.ratio = 2.0
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    slow = motion(armature)
    assert len(slow) == pytest.approx(len(before) + rate, abs=2)
    np.testing.assert_allclose(slow.positions[-1], before.positions[-1], atol=0.02)
    item, frame = edit(armature, "R")
    assert item.time == pytest.approx((frame - rate) / rate, abs=0.1) or frame < 20 + 2 * rate
    item.handle.location.y -= 0.1
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    moved = (ankle(motion(armature), "R") - ankle(slow, "R"))[frame]
    np.testing.assert_allclose(moved, [0.0, -0.1, 0.0], atol=0.005)


def test_without_a_bake_nothing_is_edited() -> None:
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    for operator in (bpy.ops.footfall.edit_step, bpy.ops.footfall.retime_stretch):
        assert not operator.poll()


@pytest.mark.slow
def test_a_front_paw_of_a_dog_stands_where_its_footprint_is_moved_to() -> None:
    armature = metarig_dog()
    armature.footfall.controller = "preset:quadruped"
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)])
    armature.footfall.speed = 0.9
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    before = paws(armature)
    middle, number = len(before) // 2, PAW_CONTACTS.index("front_foot.L")
    frame = middle + int(np.linalg.norm(np.diff(before[middle : middle + 30, number], axis=0), axis=1).argmin())
    bpy.context.scene.frame_set(frame + 1)
    assert bpy.ops.footfall.edit_step(foot="front_L") == {"FINISHED"}
    item = armature.footfall.edited_steps[0]
    np.testing.assert_allclose(item.handle.location, before[frame, number], atol=0.002)
    item.handle.location.x += 0.03
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert not item.issue
    np.testing.assert_allclose((paws(armature) - before)[frame, number], [0.03, 0.0, 0.0], atol=0.003)


def test_the_panel_shows_front_feet_of_four_legged_characters_with_and_without_a_bone_map() -> None:
    dog = metarig_dog()
    assert has_front_feet(dog)
    dog.footfall.rig.roles.clear()
    assert has_front_feet(dog), "by the names of its bones"
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    assert not has_front_feet(bpy.context.object)


def test_people_have_no_front_paws_to_edit() -> None:
    bake()
    bpy.context.scene.frame_set(40)
    assert "Only four-legged characters have front feet" in refusal_of(bpy.ops.footfall.edit_step, foot="front_L")
