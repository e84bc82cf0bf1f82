"""Edits hold on every kind of bake: key poses, steps, retimed stretches, reduced keys and takes."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.rig.store import rig_map_of
from footfall.blender_addon.shot.staleness import first_change
from footfall.core.motion import Clip
from footfall.core.motion.rotations import length
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve

RATE: Final = 30
POSED, STEPPED, STRETCHED = 20, 40, 60
"""Frames of a bake about which a pose is kept, a step is moved and a stretch begins."""
RATIO: Final = 1.5
NEAR: Final = 8
"""Half the length of a step's stance, frames."""
SHIFT_M: Final = 0.06


def add_person(at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    bpy.context.scene.render.fps = RATE
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    bpy.context.object.location = at
    bpy.context.view_layer.update()
    return bpy.context.object


def walk() -> bpy.types.Object:
    person = add_person()
    person.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (5.0, 0.0, 0.0)])
    return person


def carry() -> bpy.types.Object:
    person = add_person()
    add_box("Rack", (0.0, -1.6, 0.35), (0.6, 0.5, 0.7))
    crate = add_box("Crate", (0.0, -1.6, 0.825), (0.35, 0.3, 0.25))
    desk = add_box("Desk", (2.0, -2.2, 0.35), (1.0, 0.6, 0.7))
    bpy.context.view_layer.objects.active = person
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    task = person.footfall.interaction_tasks[0]
    task.type, task.object, task.target = "carry", crate, desk
    return person


def add_beat(person: bpy.types.Object, kind: str, **values: object) -> None:
    beat = person.footfall.interaction_tasks.add()
    beat.type = kind
    for name, value in values.items():
        setattr(beat, name, value)


def strike() -> bpy.types.Object:
    person, target = add_person(), bpy.data.objects.new("Target", None)
    target.location = (0.05, -0.7, 1.5)
    bpy.context.collection.objects.link(target)
    bpy.context.view_layer.update()
    add_beat(person, "strike", target=target, has_end=True, end_frame=130)
    return person


def duel() -> bpy.types.Object:
    second, first = add_person((0.0, -0.7, 0.0)), add_person((0.0, 0.7, 0.0))
    second.rotation_euler.z = np.pi
    bpy.context.view_layer.update()
    add_beat(first, "fight", partner=second, has_end=True, end_frame=130)
    add_beat(second, "fight", partner=first, attacks=False)
    return first


def dance() -> bpy.types.Object:
    follower, leader = add_person((0.0, -0.5, 0.0)), add_person()
    way = add_curve("POLY", [(0.0, 0.0, 0.0), (0.9, 0.0, 0.0)])
    add_beat(leader, "dance", partner=follower, leads=True, target=way, speed=0.2)
    add_beat(follower, "dance", partner=leader)
    return leader


def answer() -> bpy.types.Object:
    partner = walk()
    bpy.context.view_layer.objects.active = partner
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    person = add_person((-1.2, 0.0, 0.0))
    add_beat(person, "follow", partner=partner)
    return person


MAKERS: Mapping[str, Callable[[], bpy.types.Object]] = {
    "walk": walk,
    "carry": carry,
    "strike": strike,
    "duel": duel,
    "dance": dance,
    "answer": answer,
}


@cache
def carried_file() -> Path:
    """A file in which a carry is baked, made once: the longest bake of all."""
    assert carry() and bpy.ops.footfall.bake_shot() == {"FINISHED"}
    file = Path(mkdtemp(prefix="footfall-edits-")) / "carried.blend"
    assert bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True) == {"FINISHED"}
    return file


def baked(kind: str) -> bpy.types.Object:
    """A character with its first bake."""
    if kind == "carry":
        assert bpy.ops.wm.open_mainfile(filepath=str(carried_file())) == {"FINISHED"}
        return bpy.context.object
    person = MAKERS[kind]()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return person


def motion(person: bpy.types.Object) -> Clip:
    return read_mapped_action(person, person.footfall.baked_action, bpy.context.scene)[0]


def bone_place(person: bpy.types.Object, role: str) -> np.ndarray:
    bone = person.pose.bones[rig_map_of(person).bones[role]]
    return np.array((person.matrix_world @ bone.head)[:])


def standing_foot(clip: Clip, frame: int) -> tuple[str, int]:
    """The foot that moves least about a frame, and where in those frames."""
    speeds = {
        side: length(np.diff(clip.positions[frame : frame + 15, clip.skeleton.joint(f"foot.{side}")], axis=0))
        for side in "LR"
    }
    side = min(speeds, key=lambda one: speeds[one].min())
    return side, frame + int(speeds[side].argmin())


def keep_arm(person: bpy.types.Object) -> None:
    """Keep the arm of the shown pose, and not the feet, which steps move."""
    bpy.context.view_layer.objects.active = person
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    name = rig_map_of(person).bones["upper_arm.L"]
    bone = person.pose.bones[name]
    (bone if hasattr(bone, "select") else bone.bone).select = True
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")


def raise_arm(person: bpy.types.Object) -> None:
    bone = person.pose.bones[rig_map_of(person).bones["upper_arm.L"]]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = bone.rotation_quaternion @ type(bone.rotation_quaternion)((0.0, 0.0, 1.0), 0.8)
    bpy.context.view_layer.update()


LONG = {kind: [pytest.mark.all_only("its bake is long")] for kind in ("carry", "dance")}


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=LONG.get(kind, [])) for kind in MAKERS])
def test_poses_steps_and_stretches_are_kept(kind: str) -> None:
    person = baked(kind)
    scene, before = bpy.context.scene, motion(person)
    scene.frame_set(POSED)
    raise_arm(person)
    reach = bone_place(person, "hand.L") - bone_place(person, "hips")
    was = before.positions[POSED - 1]
    assert length(reach - was[before.skeleton.joint("hand.L")] + was[before.skeleton.joint("hips")]) > 0.1
    keep_arm(person)
    side, stands = standing_foot(before, STEPPED)
    scene.frame_set(stands + 1)
    assert bpy.ops.footfall.edit_step(foot=side) == {"FINISHED"}
    person.footfall.edited_steps[0].handle.location.y += SHIFT_M
    scene.frame_set(STRETCHED)
    assert bpy.ops.footfall.retime_stretch() == {"FINISHED"}
    person.footfall.retimed_stretches[0].ratio = RATIO
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    after = motion(person)
    assert len(after) - len(before) == pytest.approx((RATIO - 1.0) * RATE, abs=2)
    scene.frame_set(POSED)
    np.testing.assert_allclose(bone_place(person, "hand.L") - bone_place(person, "hips"), reach, atol=0.01)
    foot = before.skeleton.joint(f"foot.{side}")
    near = slice(stands - NEAR, stands + NEAR)
    moved = (after.positions[near, foot] - before.positions[near, foot])[:, 1]
    assert np.abs(moved - SHIFT_M).min() < 0.005, "where the foot stands"
    assert first_change(person, scene) is None
    assert {row.measure for row in quality_rows(person)} >= {"foot_sliding", "jitter", "posture"}


@pytest.mark.parametrize("kind", [pytest.param("carry", marks=LONG["carry"]), "strike"])
def test_fewer_keys_hold_the_same_motion(kind: str) -> None:
    person = baked(kind)
    before, keys = motion(person), key_count(person)
    person.footfall.output.reduce_keys = True
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert key_count(person) < 0.6 * keys
    assert length(motion(person).positions - before.positions).max() < 0.03


def waving(person: bpy.types.Object) -> bpy.types.Action:
    """A second and a half in which an arm is raised, as an action that the character does not use."""
    data, baked = person.animation_data, person.animation_data.action
    data.action = None
    bone = person.pose.bones[rig_map_of(person).bones["upper_arm.R"]]
    for frame, angle in ((1, 0.0), (25, 1.0), (45, 0.0)):
        bone.rotation_quaternion = (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    wave, data.action = data.action, baked
    data.action_slot = baked.slots[0]
    return wave


def key_count(person: bpy.types.Object) -> int:
    bag = person.footfall.baked_action.layers[0].strips[0].channelbags[0]
    return sum(len(curve.keyframe_points) for curve in bag.fcurves)


def test_a_box_goes_with_hands_that_a_pose_moves_and_stays_in_time() -> None:
    person = baked("carry")
    scene, crate, before = bpy.context.scene, bpy.data.objects["Crate"], motion(person)
    heights = []
    for frame in range(1, len(before) + 1):
        scene.frame_set(frame)
        heights.append(crate.matrix_world.translation.z)
    lifted = int(np.argmax(heights)) + 1
    assert heights[lifted - 1] > heights[0] + 0.05
    scene.frame_set(lifted)
    root = person.pose.bones[rig_map_of(person).bones["hips"]]
    root.location = root.location + root.bone.matrix_local.to_3x3().inverted() @ type(root.location)((0, 0, 0.05))
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.keep_pose() == {"FINISHED"}
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    scene.frame_set(lifted)
    palms = np.mean([bone_place(person, f"hand.{side}") for side in "LR"], axis=0)
    were = np.mean([before.positions[lifted - 1, before.skeleton.joint(f"hand.{side}")] for side in "LR"], axis=0)
    assert crate.matrix_world.translation.z - heights[lifted - 1] == pytest.approx(palms[2] - were[2], abs=0.005)
    assert palms[2] - were[2] > 0.02


def test_a_clip_is_not_inserted_where_hands_hold_a_box() -> None:
    person = baked("carry")
    scene, crate = bpy.context.scene, bpy.data.objects["Crate"]
    places = []
    for frame in range(1, scene.frame_end + 1):
        scene.frame_set(frame)
        places.append(np.array(crate.matrix_world.translation))
    moving = np.flatnonzero(length(np.diff(places, axis=0)) > 0.002)
    wave = waving(person)
    scene.frame_set(int(moving[len(moving) // 2]))
    assert bpy.ops.footfall.insert_clip() == {"FINISHED"}
    person.footfall.inserted_clips[0].action = wave
    assert "while the character holds or touches an object" in refusal_of(bpy.ops.footfall.bake_shot)


def test_tasks_are_baked_alike_at_any_frame() -> None:
    person = baked("carry")
    before = motion(person)
    bpy.context.scene.frame_set(len(before) // 2)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(motion(person).positions, before.positions, atol=1e-4)
    assert bpy.context.scene.frame_current == len(before) // 2


@pytest.mark.all_only("takes of walks are tested")
def test_takes_of_tasks_keep_what_they_move() -> None:
    person = baked("carry")
    assert bpy.ops.footfall.bake_takes(count=2) == {"FINISHED"}
    crate, takes = bpy.data.objects["Crate"], person.footfall.takes
    assert len(takes) == 2 and takes[0].action != takes[1].action
    moved = [take.things[0].action for take in takes]
    assert crate.animation_data.action == moved[0] and person.animation_data.action == takes[0].action
    person.footfall.active_take = 1
    assert bpy.ops.footfall.use_take() == {"FINISHED"}
    assert crate.animation_data.action == moved[1] and person.footfall.baked_action == takes[1].action
