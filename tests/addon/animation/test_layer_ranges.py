"""A bake into a range of frames of an action, whose other frames stay as they are."""

import contextlib

import bpy
import numpy as np
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import bone_path, curves_of
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_values,
)
from footfall.blender_addon.animation.fcurve_io.sparse_writer import ReducedKeyWriter
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, write
from footfall.blender_addon.animation.layers.keys import read_keys
from footfall.core.motion import rotations as rot
from footfall.tests.addon.animation.test_layers import BAKED, FRAMES, all_keys, baked_tracks, poses, revert, rig
from footfall.tests.addon.support.armatures import BONES, make_armature
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = pytest.mark.every_blender


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
    assert "choose a range inside the bake" in refused(
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
    assert "has no action in which to replace a range" in refusal()


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
    assert "The NLA strip 'take' animates bone 'hips'" in said, said
