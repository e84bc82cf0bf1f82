"""Bakes into actions, NLA strips and ranges of frames, and back."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io.curves import bone_path, curves_of
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_channel,
    rotation_interpolation,
    rotation_values,
)
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, write
from footfall.blender_addon.animation.layers.keys import read_keys
from footfall.blender_addon.animation.layers.revert import is_untouched
from footfall.core.motion import rotations as rot
from footfall.tests.addon.support.armatures import animate, make_armature, posed_matrices
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = pytest.mark.every_blender

BAKED = ("hips", "thigh.L", "shin.L", "foot.L", "thigh.R")
"""Of different rotation modes; the other bones are the animator's."""
FRAMES = range(-3, 60)


def baked_tracks(armature: bpy.types.Object, count: int = 20, seed: int = 3) -> list[PropertyTrack]:
    """A smooth motion on some bones."""
    random = np.random.default_rng(seed)
    time = np.linspace(0, 1, count)[:, None]
    result = []
    for bone in BAKED:
        mode = armature.pose.bones[bone].rotation_mode
        turns = rot.exp(random.normal(size=3) + time * random.normal(size=3) + np.sin(3 * time) * random.normal(size=3))
        values = rotation_values(turns, mode)
        path = bone_path(bone, rotation_channel(mode))
        result.append(PropertyTrack(path, bone, values, rotation_interpolation(mode)))
    places = random.normal(size=3) + time * random.normal(size=3) + time**2 * random.normal(size=3)
    return [*result, PropertyTrack(bone_path("hips", "location"), "hips", places, "BEZIER")]


def rig(frames: int = 40) -> bpy.types.Object:
    armature = make_armature()
    animate(armature, frames)
    bpy.context.view_layer.objects.active = armature
    return armature


def poses(armature: bpy.types.Object, frames=FRAMES) -> np.ndarray:
    """What is seen: world matrices (F, B, 4, 4)."""
    return np.array([list(posed_matrices(armature, frame).values()) for frame in frames])


def all_keys(armature: bpy.types.Object) -> dict:
    """Every key of the assigned action, bit for bit."""
    data = armature.animation_data
    curves = curves_of(data.action, data.action_slot)
    return {channel: read_keys(curve).tobytes() for channel, curve in curves.items()}


def revert() -> None:
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}


# --- a new action


def test_a_new_action_keeps_the_previous_one_and_is_taken_back() -> None:
    armature = rig()
    old, seen, keys = armature.animation_data.action, poses(armature), all_keys(armature)
    bpy.context.scene.frame_set(7)
    record = write(armature, baked_tracks(armature), 5, Destination(), "Walk")
    data = armature.animation_data
    assert data.action == record.action and record.action.name == "Walk" and record.previous == old
    assert f"The previous action '{old.name}' was kept" in record.message and data.action_slot
    assert tuple(record.action.frame_range) == (5.0, 24.0)
    assert is_untouched(armature)
    assert np.abs(poses(armature, [10]) - seen[13]).max() > 0.1
    revert()
    assert data.action == old and data.action_slot and not data.nla_tracks and "Walk" not in bpy.data.actions
    assert not old.use_fake_user and all_keys(armature) == keys
    assert np.array_equal(poses(armature), seen)
    assert not bpy.ops.footfall.revert_bake.poll()


def test_what_was_posed_without_keys_is_had_back() -> None:
    armature = make_armature()
    bpy.context.view_layer.objects.active = armature
    hips = armature.pose.bones["hips"]
    hips.location = (0.5, 0.25, -1.0)
    hips["switch"], hips["count"] = 0.25, 3
    seen = poses(armature, [1])
    tracks = [
        *baked_tracks(armature),
        PropertyTrack('pose.bones["hips"]["switch"]', "hips", np.array([[1.0]]), "CONSTANT"),
        PropertyTrack('pose.bones["hips"]["count"]', "hips", np.array([[7.0]]), "CONSTANT"),
    ]
    record = write(armature, tracks, 1, Destination(), "Walk")
    assert record.previous is None and record.message == "", record.message
    bpy.context.scene.frame_set(9)
    assert hips["switch"] == 1.0 and hips["count"] == 7
    revert()
    assert armature.animation_data.action is None and hips["switch"] == 0.25 and hips["count"] == 3
    assert np.array_equal(poses(armature, [1]), seen)


def test_an_edited_bake_is_kept() -> None:
    armature = rig()
    old = armature.animation_data.action
    record = write(armature, baked_tracks(armature), 1, Destination(), "Walk")
    baked = record.action
    curve = next(iter(curves_of(baked, armature.animation_data.action_slot).values()))
    curve.keyframe_points[3].co[1] += 0.5
    assert not is_untouched(armature)
    revert()
    assert armature.animation_data.action == old and baked.use_fake_user and baked.name == "Walk"


def test_two_bakes_are_taken_back_one_by_one() -> None:
    armature = rig()
    old, seen = armature.animation_data.action, poses(armature)
    write(armature, baked_tracks(armature), 1, Destination(), "First")
    first = poses(armature)
    write(armature, baked_tracks(armature, seed=4), 8, Destination("RANGE", 4, 4), "Second")
    second = poses(armature)
    write(armature, baked_tracks(armature, seed=5), 20, Destination("STRIP", 4, 4), "Third")
    assert np.abs(poses(armature) - second).max() > 0.1
    revert()
    assert np.array_equal(poses(armature), second)
    revert()
    assert np.array_equal(poses(armature), first)
    revert()
    assert np.array_equal(poses(armature), seen) and armature.animation_data.action == old
    assert [action.name for action in bpy.data.actions] == [old.name], list(bpy.data.actions)
    assert not bpy.ops.footfall.revert_bake.poll()
    assert "no bake" in refusal_of(bpy.ops.footfall.revert_bake)


def test_a_bake_and_its_way_back_are_one_undo_step_each() -> None:
    armature = rig()
    name, old = armature.name, armature.animation_data.action.name
    write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk")
    bpy.ops.ed.undo_push(message="bake")
    copy = bpy.data.objects[name].footfall.bake_records[-1].previous_action.name
    assert bpy.ops.footfall.revert_bake("EXEC_DEFAULT", True) == {"FINISHED"}
    assert [action.name for action in bpy.data.actions] == [old]
    bpy.ops.ed.undo()
    armature = bpy.data.objects[name]
    assert armature.animation_data.action.name == old and copy in bpy.data.actions
    assert len(armature.footfall.bake_records) == 1
    bpy.ops.ed.redo()
    assert [action.name for action in bpy.data.actions] == [old] and not bpy.data.objects[name].footfall.bake_records


def test_bakes_can_be_taken_back_after_the_file_was_saved_and_loaded(tmp_path: Path) -> None:
    armature = rig()
    name, old, seen = armature.name, armature.animation_data.action.name, poses(armature)
    write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk")
    write(armature, baked_tracks(armature), 1, Destination(), "Walk")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "bakes.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "bakes.blend"))
    revert()
    revert()
    armature = bpy.data.objects[name]
    assert armature.animation_data.action.name == old
    assert np.array_equal(poses(armature), seen)


# --- other files' armatures


@pytest.mark.parametrize("kind", ("ACTION", "STRIP", "RANGE"))
def test_linked_and_overridden_armatures(tmp_path: Path, kind: str) -> None:
    armature = rig()
    library, name, action = tmp_path / "library.blend", armature.name, armature.animation_data.action.name
    bpy.ops.wm.save_as_mainfile(filepath=str(library))

    empty_blender()
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = [name]
    linked = wanted.objects[0]
    bpy.context.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    assert not bpy.ops.footfall.revert_bake.poll()
    assert "is linked" in refused(lambda: write(linked, baked_tracks(linked), 10, Destination(kind), "Walk"))
    own = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = own
    seen = poses(own)
    record = write(own, baked_tracks(own), 10, Destination(kind, 3, 3), "Walk")
    assert record.action.library is None and record.previous.name == action, record
    assert np.abs(poses(own, [18]) - seen[21]).max() > 0.1, kind
    revert()
    assert own.animation_data.action.name == action and own.animation_data.action.library
    assert np.array_equal(poses(own), seen), kind
    assert not own.animation_data.nla_tracks
