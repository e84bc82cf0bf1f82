"""NLA strips of several bakes: where they are, what they hold, and what is left alone."""

from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import bone_path
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import BakeSource, Destination, replaced_bake, write
from footfall.blender_addon.animation.layers.bake_record import note_source
from footfall.blender_addon.animation.layers.strip_replacement import take_out
from footfall.tests.addon.support.armatures import make_armature, posed_heads
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

pytestmark = pytest.mark.every_blender

NEAR_M = 0.02


def plain_rig() -> bpy.types.Object:
    """A rig in the world's axes, so that places are the hips' own."""
    armature = make_armature()
    armature.location, armature.rotation_euler, armature.scale = (0, 0, 0), (0, 0, 0), (1, 1, 1)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


def walk(start: float, end: float, count: int = 20) -> list[PropertyTrack]:
    """Hips that go along their X from one place to another, and a thigh that swings."""
    places = np.zeros((count, 3))
    places[:, 0] = np.linspace(start, end, count)
    swing = np.zeros((count, 3))
    swing[:, 0] = np.sin(np.linspace(0.0, 6.0, count))
    return [
        PropertyTrack(bone_path("hips", "location"), "hips", places, "BEZIER"),
        PropertyTrack(bone_path("shin.L", "rotation_euler"), "shin.L", swing, "BEZIER"),
    ]


def bake(armature: bpy.types.Object, name: str, first: int, way: tuple[float, float], count: int = 20) -> None:
    """Bakes a walk into a strip, as the operators do: the last version of the same one is replaced."""
    destination, source = Destination("STRIP", 5, 5), BakeSource("WALK", name)
    number = replaced_bake(armature, source, destination, first, count)
    taken = None if number is None else take_out(armature, number)
    record = write(armature, walk(*way, count), first, destination, name, replaced=taken)
    bpy.data.objects.get(name) or bpy.data.objects.new(name, None)
    note_source(armature, record.action, source, "CURRENT")


def places(armature: bpy.types.Object, frames: Sequence[int]) -> list[float]:
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(float(armature.pose.bones["hips"].location[0]))
    return found


def spans(armature: bpy.types.Object) -> dict[str, tuple[int, int]]:
    return {
        strip.name: (round(strip.frame_start), round(strip.frame_end))
        for track in armature.animation_data.nla_tracks
        for strip in track.strips
    }


def users_strip(armature: bpy.types.Object, path: str, first: int, last: int, values: tuple[float, float]) -> tuple:
    """An animator's own strip on a channel, with all that it has."""
    action = bpy.data.actions.new("Mine")
    slot = compat.ensure_slot(action, armature)
    curve = compat.ensure_channelbag(action, slot).fcurves.new(path, index=0)
    for frame, value in zip((first, last), values, strict=True):
        curve.keyframe_points.insert(frame, value)
    track = (armature.animation_data or armature.animation_data_create()).nla_tracks.new()
    strip = track.strips.new("Mine", first, action)
    strip.action_slot = slot
    return look_of(strip)


def look_of(strip: bpy.types.NlaStrip) -> tuple:
    return tuple(
        getattr(strip, name)
        for name in ("name", "action", "frame_start", "frame_end", "blend_in", "blend_out", "extrapolation", "mute")
    )


def mine(armature: bpy.types.Object) -> tuple:
    return next(
        look_of(strip) for track in armature.animation_data.nla_tracks for strip in track.strips if strip.name == "Mine"
    )


def test_a_walk_stays_where_it_ended() -> None:
    armature = plain_rig()
    bake(armature, "A", 10, (1.0, 4.0))
    assert np.allclose(places(armature, (-5, 9, 10, 29, 30, 80)), (1, 1, 1, 4, 4, 4), atol=NEAR_M)
    assert spans(armature) == {"A": (10, 29)}


def test_three_walks_join_in_whatever_order_they_are_baked() -> None:
    walks = {"A": (1, (0.0, 2.0)), "B": (31, (2.0, 5.0)), "C": (61, (5.0, 6.0))}
    seen = []
    for order in ("ABC", "CBA", "BAC", "ACB", "CAB"):
        armature = plain_rig()
        for name in order:
            bake(armature, name, *walks[name])
        assert spans(armature) == {"A": (1, 20), "B": (31, 50), "C": (61, 80)}, order
        seen.append(places(armature, (0, 1, 20, 25, 31, 33, 50, 55, 60, 61, 64, 80, 90)))
        assert np.allclose(seen[-1], (0, 0, 2, 2, 2, 2.3, 5, 5, 5, 5, 5.16, 6, 6), atol=0.2), (order, seen[-1])
        for _ in order:
            assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
        assert not armature.animation_data.nla_tracks and not bpy.data.actions, order


def test_a_walk_that_begins_elsewhere_is_not_glided_to() -> None:
    armature = plain_rig()
    bake(armature, "A", 1, (0.0, 2.0))
    record = write(armature, walk(9.0, 8.0), 31, Destination("STRIP", 5, 5), "B")
    assert "The bake begins 7.0 m away from the animation underneath, without blending" in record.message
    assert np.allclose(places(armature, (30, 31, 32)), (2, 9, 8.95), atol=NEAR_M)


@pytest.mark.parametrize("again", ("A", "B", "C"))
def test_one_baked_again_replaces_itself_alone(again: str) -> None:
    armature = plain_rig()
    for name, first, way in (("A", 1, (0, 2)), ("B", 31, (2, 5)), ("C", 61, (5, 6))):
        bake(armature, name, first, way)
    before = {name: bpy.data.actions[name].as_pointer() for name in "ABC"}
    first = spans(armature)[again][0]
    bake(armature, again, first, (3.0, 3.2))
    assert spans(armature) == {"A": (1, 20), "B": (31, 50), "C": (61, 80)}
    assert sorted(action.name for action in bpy.data.actions) == ["A", "B", "C"]
    assert all(bpy.data.actions[name].as_pointer() == before[name] for name in "ABC" if name != again)
    assert np.allclose(places(armature, (first + 10, first + 19)), (3.1, 3.2), atol=0.05)
    for _ in "ABC":
        assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert not armature.animation_data.nla_tracks and not bpy.data.actions


def test_what_the_animator_set_on_a_strip_stays_when_it_is_baked_again() -> None:
    armature = plain_rig()
    bake(armature, "A", 1, (0.0, 2.0))
    bake(armature, "B", 31, (2.0, 5.0))
    strip = armature.animation_data.nla_tracks[1].strips[0]
    strip.name, strip.blend_in = "Second", 8.0
    bake(armature, "B", 31, (2.0, 4.0))
    strip = armature.animation_data.nla_tracks[1].strips[0]
    assert (strip.name, strip.blend_in) == ("Second", 8.0)
    strip.scale = 2.0
    bake(armature, "B", 31, (2.0, 3.0))
    assert len(spans(armature)) == 3, "one that was retimed by hand is the animator's"


def test_own_strips_stay_as_they_are() -> None:
    armature = plain_rig()
    bake(armature, "A", 1, (0.0, 2.0))
    own = users_strip(armature, bone_path("thigh.L", "location"), 22, 28, (0.0, 0.5))
    bake(armature, "B", 31, (2.0, 5.0))
    bake(armature, "A", 1, (0.0, 1.9))
    bake(armature, "B", 31, (1.9, 5.0))
    assert mine(armature) == own and np.allclose(places(armature, (25, 60)), (1.9, 5.0), atol=NEAR_M)
    copy = armature.animation_data.nla_tracks.new().strips.new("Copy", 100, bpy.data.actions["B"])
    copy.action_slot = bpy.data.actions["B"].slots[0]
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"} and bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert mine(armature) == own and set(spans(armature)) == {"Mine", "Copy"}
    assert [action.name for action in bpy.data.actions] == ["B", "Mine"], "the copy plays it"


def test_what_goes_on_underneath_goes_on_after_the_strip() -> None:
    armature = plain_rig()
    path = bone_path("shin.L", "rotation_euler")
    users_strip(armature, path, 0, 100, (0.0, 1.0))
    bake(armature, "A", 30, (1.0, 4.0))
    swing = []
    for frame in (20, 60, 90):
        bpy.context.scene.frame_set(frame)
        swing.append(armature.pose.bones["shin.L"].rotation_euler[0])
    assert np.diff(swing).min() > 0.1, "the animator's own shin moves"
    assert np.allclose(places(armature, (49, 50, 70)), (4, 4, 4), atol=NEAR_M), "and the body stays where it went"
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"} and set(spans(armature)) == {"Mine"}


def test_an_action_assigned_since_stays_when_the_strip_is_reverted() -> None:
    armature = plain_rig()
    bake(armature, "A", 1, (0.0, 2.0))
    own = bpy.data.actions.new("Mine")
    armature.animation_data.action = own
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert armature.animation_data.action == own and not armature.animation_data.nla_tracks


# --- Walks of a character


def walker(statue: Path) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """A character that bakes into strips from the playhead on, and two paths, one behind the other."""
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    armature.footfall.output.destination, armature.footfall.start = "STRIP", "CURRENT"
    bpy.context.scene.render.fps = 30
    one = add_curve("BEZIER", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], name="One")
    two = add_curve("BEZIER", [(2, 0, 0), (3, 0, 0), (4, 0, 0)], name="Two")
    bpy.context.view_layer.objects.active = armature
    return armature, one, two


def bake_at(armature: bpy.types.Object, curve: bpy.types.Object, frame: int) -> None:
    bpy.context.scene.frame_set(frame)
    armature.footfall.path = curve
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}


@needs_clips
def test_update_leaves_strips_where_they_are(statue: Path) -> None:
    armature, one, two = walker(statue)
    bake_at(armature, one, 1)
    bake_at(armature, two, 301)
    before = spans(armature)
    assert sorted(first for first, _ in before.values()) == [1, 301]
    two.location.y = 1.0
    bpy.context.scene.frame_set(57)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert sorted(first for first, _ in spans(armature).values()) == [1, 301]
    armature.footfall.path, one.location.y = one, -1.0
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert spans(armature).keys() == before.keys() and spans(armature)[before_name(before, 301)][0] == 301
    strip = armature.animation_data.nla_tracks[0].strips[0]
    strip.frame_start, strip.frame_end = strip.frame_start + 40, strip.frame_end + 40
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert sorted(first for first, _ in spans(armature).values()) == [41, 301], "also where it was moved by hand"


def before_name(found: dict[str, tuple[int, int]], first: int) -> str:
    return next(name for name, span in found.items() if span[0] == first)


@needs_clips
def test_update_of_an_action_leaves_its_frames(statue: Path) -> None:
    armature, one, two = walker(statue)
    armature.footfall.output.destination = "ACTION"
    bake_at(armature, one, 21)
    bpy.context.scene.frame_set(57)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert armature.animation_data.action.frame_range[0] == 21 and len(bpy.data.actions) == 1
    bake_at(armature, two, 60)
    assert len(bpy.data.actions) == 2, "a walk along another path is another walk"
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert armature.animation_data.action.name.endswith("One")


@needs_clips
def test_locked_bones_are_told(statue: Path) -> None:
    armature, one, _ = walker(statue)
    for bone in armature.pose.bones:
        bone.lock_location = bone.lock_rotation = (True, True, True)
    armature.footfall.path = one
    assert "are locked" in refusal_of(bpy.ops.footfall.bake_shot)
    assert not bpy.data.actions


@needs_clips
@pytest.mark.parametrize("how", ("parent", "child of"))
def test_a_parent_that_moves_does_not_move_the_walk(statue: Path, how: str) -> None:
    armature, one, _ = walker(statue)
    armature.footfall.output.destination = "ACTION"
    carrier = bpy.data.objects.new("Carrier", None)
    bpy.context.collection.objects.link(carrier)
    for frame, place, turn in ((1, -3.0, 0.0), (100, 4.0, 1.0)):
        carrier.location.x, carrier.rotation_euler.z = place, turn
        carrier.keyframe_insert("location", frame=frame)
        carrier.keyframe_insert("rotation_euler", frame=frame)
    bake_at(armature, one, 1)
    hips, frames = armature.data.bones[0].name, (1, 40, 80)
    wanted = [posed_heads(armature, [hips], frame) for frame in frames]
    if how == "parent":
        armature.parent = carrier
    else:
        armature.constraints.new("CHILD_OF").target = carrier
    bake_at(armature, one, 1)
    np.testing.assert_allclose([posed_heads(armature, [hips], frame) for frame in frames], wanted, atol=2e-3)
    if how == "parent":
        one.parent = carrier
        bake_at(armature, one, 1)
        moved = posed_heads(armature, [hips], 100)[0] - posed_heads(armature, [hips], 1)[0]
        assert np.linalg.norm(moved) > 5.0, "a path on the same parent goes along"
