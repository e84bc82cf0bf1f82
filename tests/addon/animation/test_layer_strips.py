"""A bake as an NLA strip above an action."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import bone_path, curves_of
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_values,
)
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, write
from footfall.core.motion import rotations as rot
from footfall.tests.addon.animation.test_layers import FRAMES, baked_tracks, poses, revert, rig
from footfall.tests.addon.support.armatures import make_armature, posed_matrices
from footfall.tests.addon.support.refusals import refused

pytestmark = pytest.mark.every_blender


HIPS_TURN = bone_path("hips", "rotation_quaternion")


def test_a_strip_plays_above_and_nothing_changes_around_it() -> None:
    armature = rig()
    data = armature.animation_data
    old, slot, seen = data.action, data.action_slot.identifier, poses(armature)
    tracks = baked_tracks(armature)
    record = write(armature, tracks, 10, Destination("STRIP", 4, 6), "Walk")
    assert record.previous == old and f"'{old.name}' was kept on the NLA track" in record.message
    assert data.action is None and len(data.nla_tracks) == 2
    strip = data.nla_tracks[-1].strips[0]
    assert (strip.frame_start, strip.frame_end, strip.blend_in, strip.blend_out) == (10, 29, 4, 6)
    now = poses(armature)
    changed = [frame for frame, a, b in zip(FRAMES, seen, now, strict=True) if np.abs(a - b).max() > 1e-5]
    assert changed == list(range(11, 29)), changed
    for track in tracks:
        bpy.context.scene.frame_set(18)
        found, wanted = np.array(armature.path_resolve(track.path)), track.values[8]
        if "quaternion" in track.path:
            wanted = wanted * np.sign(found @ wanted)
        elif "euler" in track.path:
            wanted = wanted + 2 * np.pi * np.round((found - wanted) / (2 * np.pi))
        assert np.allclose(found, wanted, atol=1e-5), track.path
    revert()
    assert data.action == old and data.action_slot.identifier == slot and not data.nla_tracks
    assert np.array_equal(poses(armature), seen) and len(bpy.data.actions) == 1


def test_a_strip_over_poses_without_keys_holds_its_own() -> None:
    armature = make_armature()
    bpy.context.view_layer.objects.active = armature
    armature.pose.bones["spine"].rotation_euler = (0.1, 0.2, 0.3)
    armature.pose.bones["spine"].keyframe_insert("rotation_euler", frame=1)
    hips = armature.pose.bones["hips"]
    hips.location, hips.rotation_quaternion = (0.4, 0.5, 0.6), (-0.6, 0.0, 0.0, 0.8)
    hips["IK_FK"] = 1.0
    seen = poses(armature)
    tracks = [
        *baked_tracks(armature),
        PropertyTrack('pose.bones["hips"]["IK_FK"]', "hips", np.array([[0.0]]), "CONSTANT"),
    ]
    write(armature, tracks, 10, Destination("STRIP", 4, 6), "Walk")
    now = poses(armature)
    for frame, after in zip(FRAMES, now, strict=True):
        if not 10 < frame < 29:
            held = now[FRAMES.index(10 if frame <= 10 else 29)]
            assert np.abs(held - after).max() < 1e-5, frame
    for frame in (18, 50):
        bpy.context.scene.frame_set(frame)
        assert hips["IK_FK"] == 0.0, frame
    revert()
    assert np.array_equal(poses(armature), seen) and hips["IK_FK"] == 1.0 and len(bpy.data.actions) == 1


def test_strips_blend_rotations_the_short_way() -> None:
    armature = rig()
    data = armature.animation_data
    curves = curves_of(data.action, data.action_slot)
    still = rot.exp(np.array([0.3, 0.2, 0.1]))
    # Underneath: a spine that has turned once, and hips with the other sign.
    angles = rotation_values(still[None], "XYZ")[0] + [0.0, 0.0, 2 * np.pi]
    for path, values in ((bone_path("spine", "rotation_euler"), angles), (HIPS_TURN, -still)):
        for index, value in enumerate(values):
            for key in curves[path, index].keyframe_points:
                key.co[1] = key.handle_left[1] = key.handle_right[1] = value
    # Above: hips and spine that turn once more from where they are.
    turns = rot.multiply(rot.rotation_about_up(np.linspace(0.0, 2 * np.pi, 41)), still)
    quaternions = rot.unroll(turns)
    tracks = [
        PropertyTrack(bone_path("spine", "rotation_euler"), "spine", rotation_values(turns, "XYZ"), "BEZIER"),
        PropertyTrack(HIPS_TURN, "hips", quaternions, "LINEAR"),
    ]
    write(armature, tracks, 1, Destination("STRIP", 8, 8), "Once")
    seen = [posed_matrices(armature, frame) for frame in range(1, 42)]
    turned = np.array([[matrices[bone][:3, :3] for bone in ("hips", "spine")] for matrices in seen])
    steps = np.abs(np.diff(turned, axis=0)).max(axis=(1, 2, 3))
    assert steps.max() < 0.5, steps
    scene = bpy.context.scene
    for quarter in range(4, 41 * 4):
        scene.frame_set(quarter // 4, subframe=quarter % 4 / 4)
        posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        assert abs(np.linalg.norm(posed["hips"].rotation_quaternion) - 1) < 0.2, quarter / 4


def test_a_strip_shows_at_once_what_its_switch_chooses() -> None:
    armature = rig()
    armature.pose.bones["hips"]["IK_FK"] = 1.0
    path, seen = 'pose.bones["hips"]["IK_FK"]', poses(armature)
    tracks = [*baked_tracks(armature, 30), PropertyTrack(path, "hips", np.array([[0.0]]), "CONSTANT")]
    write(armature, tracks, 10, Destination("STRIP", 6, 8), "Walk", switches={path: ["thigh.L"]})
    assert [track.name for track in armature.animation_data.nla_tracks][1:] == [
        "Walk underneath",
        "Walk unseen",
        "Walk",
    ]
    scene, thigh = bpy.context.scene, next(track for track in tracks if track.group == "thigh.L")
    shares = []
    for frame in (9, 10, 13, 16, 25, 35, 39, 40):
        scene.frame_set(frame)
        shares.append(armature.pose.bones["hips"]["IK_FK"])
        if 10 <= frame <= 39:
            now = np.array(armature.path_resolve(thigh.path))
            assert np.allclose(now, thigh.values[frame - 10], atol=1e-4), frame
    assert np.allclose(shares, [1, 1, 0.5, 0, 0, 0.5, 1, 1], atol=1e-6), shares
    now = poses(armature)
    for frame, before, after in zip(FRAMES, seen, now, strict=True):
        if not 10 <= frame <= 39:
            assert np.abs(before - after).max() < 1e-5, frame
    revert()
    assert np.array_equal(poses(armature), seen) and len(bpy.data.actions) == 1


def test_a_strip_alone_holds_its_poses() -> None:
    armature = make_armature()
    bpy.context.view_layer.objects.active = armature
    write(armature, baked_tracks(armature), 10, Destination("STRIP"), "Walk")
    now = poses(armature)
    assert np.array_equal(now[0], now[13]) and np.array_equal(now[-1], now[32]) and len(bpy.data.actions) == 1


def test_how_an_action_is_blended_goes_down_with_it() -> None:
    armature = rig()
    data = armature.animation_data
    ground = bpy.data.actions.new("Ground")
    slot = compat.ensure_slot(ground, armature)
    bag = compat.ensure_channelbag(ground, slot)
    for index in range(3):
        bag.fcurves.new(bone_path("hips", "location"), index=index).keyframe_points.insert(1, 0.3)
    strip = data.nla_tracks.new().strips.new("ground", 1, ground)
    strip.action_slot, strip.extrapolation = slot, "HOLD"
    data.action_blend_type, data.action_influence, data.action_extrapolation = "ADD", 0.5, "HOLD"
    seen = poses(armature)
    write(armature, baked_tracks(armature), 10, Destination("STRIP", 2, 2), "Walk")
    now = poses(armature)
    for frame, before, after in zip(FRAMES, seen, now, strict=True):
        if not 10 < frame < 29:
            assert np.abs(before - after).max() < 1e-5, frame
    revert()
    assert (data.action_blend_type, data.action_influence) == ("ADD", 0.5)
    assert np.array_equal(poses(armature), seen)


@pytest.mark.parametrize("kind", ("ACTION", "STRIP"))
def test_tweak_mode_is_left_and_the_strips_action_is_not_the_previous_one(kind: str) -> None:
    armature = rig()
    data = armature.animation_data
    take, slot = data.action, data.action_slot
    data.action = None
    strip = data.nla_tracks.new().strips.new("take", 1, take)
    strip.action_slot = slot
    data.nla_tracks[0].select = strip.select = True
    data.nla_tracks.active = data.nla_tracks[0]
    seen = poses(armature)
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    record = write(armature, baked_tracks(armature), 10, Destination(kind, 2, 2), "Walk")
    assert not data.use_tweak_mode and record.previous is None and strip.action == take
    data.nla_tracks[-1].select = True
    revert()
    assert data.action is None and len(data.nla_tracks) == 1
    assert np.array_equal(poses(armature), seen)


def test_locked_tracks_and_solo_tracks() -> None:
    armature = rig()
    write(armature, baked_tracks(armature), 10, Destination("STRIP", 2, 2), "Walk")
    data = armature.animation_data
    data.nla_tracks[-1].lock = True
    assert not bpy.ops.footfall.revert_bake.poll()
    data.nla_tracks[-1].lock = False
    data.nla_tracks[0].is_solo = True
    record = write(armature, baked_tracks(armature), 40, Destination("STRIP", 2, 2), "Later")
    assert "is set to solo and hides the baked motion" in record.message
    data.nla_tracks[0].is_solo = False
    data.use_nla = False
    assert "is switched off" in refused(lambda: write(armature, baked_tracks(armature), 40, Destination("STRIP"), "X"))
