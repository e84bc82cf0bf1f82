"""Bakes into actions, NLA strips and ranges of frames, and back."""

import contextlib
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import bone_path, curves_of
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_channel,
    rotation_interpolation,
    rotation_values,
)
from footfall.blender_addon.animation.fcurve_io.sparse_writer import ReducedKeyWriter
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, write
from footfall.blender_addon.animation.layers.keys import read_keys
from footfall.blender_addon.animation.layers.revert import is_untouched
from footfall.core.motion import rotations as rot
from footfall.tests.addon.support.armatures import BONES, animate, make_armature, posed_matrices
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = pytest.mark.every_blender

BAKED = ("hips", "thigh.L", "shin.L", "foot.L", "thigh.R")
"""Of different rotation modes; the other bones are the animator's."""
FRAMES = range(-3, 60)
HIPS_TURN = bone_path("hips", "rotation_quaternion")


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
    assert f"previous action '{old.name}' kept" in record.message and data.action_slot
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


def test_another_action_is_not_taken_away() -> None:
    armature = rig()
    write(armature, baked_tracks(armature), 1, Destination(), "Walk")
    armature.animation_data.action = bpy.data.actions.new("Mine")
    assert not bpy.ops.footfall.revert_bake.poll()
    bpy.data.actions.remove(bpy.data.actions["Walk"])
    assert "was deleted" in refusal_of(bpy.ops.footfall.revert_bake)


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


# --- a range of frames


def outside(armature: bpy.types.Object, first: int, last: int) -> dict:
    """Every key outside a range, bit for bit, in order."""
    data = armature.animation_data
    found = {}
    for channel, curve in curves_of(data.action, data.action_slot).items():
        keys = read_keys(curve)
        times = keys["co"][:, 0]
        found[channel] = [key.tobytes() for key in keys[(times < first) | (times > last)]]
    return found


def bake_range(armature, first: int, last: int, blend: tuple[int, int], **changes) -> None:
    """Bakes a range and compares everything with what it must be."""
    data = armature.animation_data
    action, name, seen, keys = data.action, data.action.name, poses(armature), all_keys(armature)
    hand = outside(armature, first, last)
    tracks = baked_tracks(armature, last - first + 1, **changes)
    record = write(armature, tracks, first, Destination("RANGE", *blend), "Walk")
    assert data.action == record.action == action and action.name == name
    assert record.previous.name in record.message and record.previous.use_fake_user
    now = poses(armature)
    start, end = first - (blend[0] == 0), last + (blend[1] == 0)
    for frame, before, after in zip(FRAMES, seen, now, strict=True):
        if frame <= start or frame >= end:
            assert np.abs(before - after).max() < 2e-5, (frame, np.abs(before - after).max())
    for channel, kept in hand.items():
        mine = outside(armature, first, last)[channel]
        assert [key for key in mine if key in kept] == kept, f"{channel}: keys outside the range are as they were"
        if not any(channel[0] == track.path for track in tracks):
            assert all_keys(armature)[channel] == keys[channel], f"{channel} is not the bake's"
    for track in tracks:
        for index, column in track.columns():
            curve = curves_of(action, data.action_slot)[track.path, index]
            middle = slice(blend[0], len(column) - blend[1])
            values = [curve.evaluate(frame) for frame in range(first, last + 1)]
            times = read_keys(curve)["co"][:, 0]
            assert (np.diff(times) > 0).all(), "in order, one key a frame"
            if "rotation" not in track.path:
                assert np.allclose(values[middle], column[middle], atol=1e-5), track.path
    revert()
    assert data.action.name == name and all_keys(armature) == keys
    assert [found.name for found in bpy.data.actions] == [name]
    assert np.array_equal(poses(armature), seen)


def test_a_range_between_keys() -> None:
    bake_range(rig(), 10, 29, (5, 7))


@pytest.mark.parametrize("blend", ((0, 0), (6, 0), (0, 6)))
def test_a_range_is_cut_where_it_is_not_blended(blend: tuple[int, int]) -> None:
    armature = rig()
    bake_range(armature, 10, 29, blend)


@pytest.mark.parametrize(
    ("first", "last"), ((14, 27), (1, 40), (-2, 45), (-2, 0), (42, 50), (13, 28), (15, 26), (2, 39))
)
@pytest.mark.parametrize("blend", [0, 4])
def test_ranges_that_begin_and_end_on_keys_or_beyond_them(first: int, last: int, blend: int) -> None:
    armature = rig()
    bake_range(armature, first, last, (blend, blend))


@pytest.mark.parametrize("blend", ((5, 5), (0, 0)))
@pytest.mark.parametrize(
    ("number", "kind"), list(enumerate(("CONSTANT", "LINEAR", "BEZIER", "SINE", "ELASTIC", "BOUNCE", "BACK")))
)
def test_all_kinds_of_keys_keep_their_shape(number: int, kind: str, blend: tuple[int, int]) -> None:
    armature = rig()
    data = armature.animation_data
    random = np.random.default_rng(number)
    for curve in curves_of(data.action, data.action_slot).values():
        curve.extrapolation = "LINEAR" if number % 2 else "CONSTANT"
        for key in curve.keyframe_points:
            key.interpolation = kind
            key.handle_left_type = key.handle_right_type = "FREE"
            key.handle_left = key.co.x - random.uniform(0, 20), key.co.y + random.normal()
            key.handle_right = key.co.x + random.uniform(0, 20), key.co.y + random.normal()
        curve.update()
    bake_range(armature, 9, 31, blend)


def test_joins_are_smooth() -> None:
    armature = rig()
    ground = baked_tracks(armature, 60)
    write(armature, ground, -5, Destination(), "Ground")
    moved = []
    for track in ground:
        values = track.values[15:45].copy()
        if track.path.endswith("location"):
            values += np.linspace(0.2, 0.5, 30)[:, None]
        moved.append(PropertyTrack(track.path, track.group, values, track.interpolation))
    write(armature, moved, 12, Destination("RANGE", 12, 12), "Walk")
    data = armature.animation_data
    for track in ground:
        for index, _ in track.columns():
            curve = curves_of(data.action, data.action_slot)[track.path, index]
            values = np.array([curve.evaluate(frame) for frame in np.arange(5, 50, 0.25)])
            pops = np.abs(np.diff(values, 2))
            assert pops.max() < 0.012, (track.path, pops.max(), 5 + 0.25 * pops.argmax())


def test_only_some_of_the_frames_may_be_written() -> None:
    armature = rig()
    tracks = baked_tracks(armature, 50)
    write(armature, tracks, 1, Destination("RANGE", 0, 0, 20, 25), "Walk")
    curve = curves_of(armature.animation_data.action, armature.animation_data.action_slot)[tracks[-1].path, 0]
    assert abs(curve.evaluate(22) - tracks[-1].values[21, 0]) < 1e-5
    assert "choose a range inside it" in refused(
        lambda: write(armature, tracks, 1, Destination("RANGE", 0, 0, 20, 55), "Walk")
    )
    assert "are not a valid range" in refused(
        lambda: write(armature, tracks, 1, Destination("RANGE", 0, 0, 20, 20), "Walk")
    )


def test_whole_turns_do_not_spin_back() -> None:
    armature = rig()
    mode = armature.pose.bones["spine"].rotation_mode
    assert mode == "XYZ"
    turns = rot.rotation_about_up(np.linspace(0, 2.4 * np.pi, 25))
    quaternion = rot.unroll(rot.multiply(turns, rot.exp(np.array([0.3, 0.2, 0.1]))))
    tracks = [
        PropertyTrack(bone_path("spine", "rotation_euler"), "spine", rotation_values(quaternion, "XYZ"), "BEZIER"),
        PropertyTrack(bone_path("hips", "rotation_quaternion"), "hips", quaternion, "LINEAR"),
    ]
    seen = poses(armature)
    hand = outside(armature, 8, 32)
    write(armature, tracks, 8, Destination("RANGE", 6, 6), "Walk")
    now = poses(armature)
    for frame, before, after in zip(FRAMES, seen, now, strict=True):
        if frame <= 8 or frame >= 32:
            assert np.abs(before - after).max() < 2e-5, frame
    scene, worst = bpy.context.scene, 0.0
    last = None
    for quarter in range(7 * 4, 34 * 4):
        scene.frame_set(quarter // 4, subframe=quarter % 4 / 4)
        matrix = np.array(armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["spine"].matrix)
        if last is not None:
            worst = max(worst, np.abs(matrix[:3, :3] - last).max())
        last = matrix[:3, :3]
    assert worst < 0.9, worst
    assert outside(armature, 8, 32).keys() == hand.keys()


def test_few_keys_fit_into_a_range() -> None:
    armature = rig()
    seen, hand = poses(armature), outside(armature, 8, 37)
    tracks = baked_tracks(armature, 30)
    write(armature, tracks, 8, Destination("RANGE", 6, 6), "Walk")
    dense = poses(armature)
    revert()
    write(armature, tracks, 8, Destination("RANGE", 6, 6), "Walk", ReducedKeyWriter(armature, 0.002))
    now = poses(armature)
    baked = [list(BONES).index(bone) for bone in BAKED]
    for frame, before, after, every in zip(FRAMES, seen, now, dense, strict=True):
        if frame <= 8 or frame >= 37:
            assert np.abs(before - after).max() < 2e-5, frame
        else:
            # Of the other bones the writer does not know how they are posed.
            assert np.abs(every - after)[baked, :3, 3].max() < 0.002, frame
    for channel, kept in hand.items():
        assert [key for key in outside(armature, 8, 37)[channel] if key in kept] == kept
    data = armature.animation_data
    keys = len(read_keys(curves_of(data.action, data.action_slot)[bone_path("hips", "location"), 0]))
    assert keys < 25, keys
    revert()
    assert np.array_equal(poses(armature), seen)


def test_a_switch_fades_and_what_it_chooses_is_not_joined() -> None:
    armature = rig()
    hips = armature.pose.bones["hips"]
    hips["IK_FK"], hips["parent"] = 1.0, 2
    path, parent = 'pose.bones["hips"]["IK_FK"]', 'pose.bones["hips"]["parent"]'
    tracks = [
        *baked_tracks(armature, 30),
        PropertyTrack(path, "hips", np.array([[0.0]]), "CONSTANT"),
        PropertyTrack(parent, "hips", np.array([[0.0]]), "CONSTANT"),
    ]
    switches = {path: {"thigh.L"}}
    write(armature, tracks, 10, Destination("RANGE", 6, 8), "Walk", switches=switches)
    data, scene = armature.animation_data, bpy.context.scene
    curves = curves_of(data.action, data.action_slot)
    shares = [curves[path, 0].evaluate(frame) for frame in (0, 10, 13, 16, 31, 35, 39, 50)]
    assert np.allclose(shares, [1, 1, 0.5, 0, 0, 0.5, 1, 1], atol=1e-6), shares
    seen = []
    for frame in (9, 10, 39, 40):
        scene.frame_set(frame)
        seen.append(hips["parent"])
    assert seen == [2, 0, 0, 2], seen
    thigh = next(track for track in tracks if track.group == "thigh.L")
    values = np.array([[curves[thigh.path, i].evaluate(f) for i in range(4)] for f in range(10, 40)])
    assert np.allclose(values, thigh.values, atol=1e-4), "from the first frame on where it is seen"


def test_channels_that_had_no_keys_are_outside_as_they_were() -> None:
    armature = rig()
    data = armature.animation_data
    bag = compat.find_channelbag(data.action, data.action_slot)
    for curve in list(bag.fcurves):
        if "thigh.L" in curve.data_path or "hips" in curve.data_path:
            bag.fcurves.remove(curve)
    armature.pose.bones["hips"].location = (0.3, 0.4, 0.5)
    armature.pose.bones["thigh.L"].rotation_axis_angle = (0.7, 1.0, 0.0, 0.0)
    bake_range(armature, 10, 29, (5, 5))
    bake_range(armature, 10, 29, (0, 0))


def test_an_action_that_others_use_is_copied() -> None:
    other, armature = make_armature("Other"), rig()
    action = armature.animation_data.action
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots[0]
    keys, seen = all_keys(armature), poses(armature)
    record = write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk")
    assert armature.animation_data.action == record.action != action and record.previous == action
    assert f"'{action.name}' is also used elsewhere" in record.message and all_keys(other) == keys
    assert armature.animation_data.action_slot
    revert()
    assert armature.animation_data.action == action and len(bpy.data.actions) == 1
    assert np.array_equal(poses(armature), seen)


def test_an_edited_range_is_kept_under_another_name() -> None:
    armature = rig()
    name, keys = armature.animation_data.action.name, all_keys(armature)
    write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk")
    armature.pose.bones["head"].keyframe_insert("location", frame=12)
    revert()
    assert armature.animation_data.action.name == name and all_keys(armature) == keys
    edited = bpy.data.actions[f"{name} edited"]
    assert edited.use_fake_user and len(bpy.data.actions) == 2


def test_a_range_whose_copy_is_gone_is_left_alone() -> None:
    armature = rig()
    write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk")
    bpy.data.actions.remove(armature.footfall.bake_records[-1].previous_action)
    assert "was deleted" in refusal_of(bpy.ops.footfall.revert_bake)
    assert armature.animation_data.action is not None


def test_a_writer_that_fails_leaves_nothing_behind() -> None:
    armature = rig()
    keys = all_keys(armature)

    def failing(*_: object) -> None:
        raise RuntimeError

    with contextlib.suppress(RuntimeError):
        write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk", failing)
    assert all_keys(armature) == keys and len(bpy.data.actions) == 1 and not armature.footfall.bake_records


def test_ranges_that_cannot_be_are_refused_and_change_nothing() -> None:
    armature = rig()
    data = armature.animation_data
    curve = curves_of(data.action, data.action_slot)[bone_path("hips", "location"), 1]
    keys = all_keys(armature)

    def refusal() -> str:
        said = refused(lambda: write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk"))
        assert len(bpy.data.actions) == 1 and not armature.footfall.bake_records
        return said

    curve.lock = True
    assert "of bone 'hips' are locked" in refusal()
    curve.lock, curve.mute = False, True
    assert "of bone 'hips' are muted" in refusal()
    curve.mute = False
    curve.group.lock = True
    assert "are locked" in refusal()
    curve.group.lock = False
    modifier = curve.modifiers.new("CYCLES")
    assert "have modifiers" in refusal()
    curve.modifiers.remove(modifier)
    assert all_keys(armature) == keys
    data.action = None
    assert "has no action to bake a range into" in refusal()


def test_ranges_leave_to_the_nla_what_it_moves() -> None:
    armature = rig()
    data = armature.animation_data
    action, slot = data.action, data.action_slot
    data.action = None
    strip = data.nla_tracks.new().strips.new("take", 1, action)
    strip.action_slot = slot
    mine = bpy.data.actions.new("Mine")
    data.action, data.action_slot = mine, compat.ensure_slot(mine, armature)
    said = refused(lambda: write(armature, baked_tracks(armature), 10, Destination("RANGE", 5, 5), "Walk"))
    assert "NLA strip 'take' moves bone 'hips'" in said, said


# --- an NLA strip


def test_a_strip_plays_above_and_nothing_changes_around_it() -> None:
    armature = rig()
    data = armature.animation_data
    old, slot, seen = data.action, data.action_slot.identifier, poses(armature)
    tracks = baked_tracks(armature)
    record = write(armature, tracks, 10, Destination("STRIP", 4, 6), "Walk")
    assert record.previous == old and f"'{old.name}' kept on NLA track" in record.message
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


def test_cycles_go_on_underneath() -> None:
    armature = rig()
    data = armature.animation_data
    for curve in curves_of(data.action, data.action_slot).values():
        curve.modifiers.new("CYCLES")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 80
    seen = poses(armature, range(80))
    write(armature, baked_tracks(armature), 45, Destination("STRIP", 2, 2), "Walk")
    now = poses(armature, range(80))
    assert np.abs(now - seen)[[*range(46), *range(64, 80)]].max() < 1e-5


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
    assert "plays solo and hides it" in record.message
    data.nla_tracks[0].is_solo = False
    data.use_nla = False
    assert "is switched off" in refused(lambda: write(armature, baked_tracks(armature), 40, Destination("STRIP"), "X"))


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


def test_too_short_bakes_are_refused() -> None:
    armature = make_armature()
    assert "at least two frames" in refused(lambda: write(armature, [], 1, Destination(), "Walk"))
