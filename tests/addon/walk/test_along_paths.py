"""Cues along a path, marks, other kinds of paths, baking again, and the live preview."""

import math

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.blender_addon.activities.walk.live_preview.draw import LivePreview
from footfall.blender_addon.activities.walk.live_preview.operators import active_preview
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.scene.path_reader import read_path
from footfall.blender_addon.shot.rollout_cache import clear
from footfall.core.motion.root_frame import root_track
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve

LINE = [(0.0, 0.0, 0.0), (0.0, 8.0, 0.0)]
FPS = 24


def walker(points=LINE, kind: str = "POLY") -> bpy.types.Object:
    """A character whose path leads through points."""
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    armature.footfall.path = add_curve(kind, points)
    return armature


def bake(armature: bpy.types.Object):
    """Bakes; the hips' places on the ground and the yaws at each frame of the scene, from its first one."""
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    return clip.positions[:, clip.skeleton.joint("hips"), :2], root_track(clip).yaws


def keys_of(armature: bpy.types.Object) -> dict[tuple[str, int], np.ndarray]:
    """The values of all curves of the pose, by their paths."""
    result = {}
    for curve in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        if curve.data_path.startswith("pose.bones"):
            values = np.empty(2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", values)
            result[curve.data_path, curve.array_index] = values[1::2]
    return result


def test_cues_are_done_where_they_are_told() -> None:
    armature = walker()
    for kind, start, end, told in (
        ("SPEED", 1.0, 3.0, {"speed": 0.6}),
        ("STRAFE", 3.5, 5.0, {"angle": math.pi / 2}),
        ("WAIT", 6.0, 0.0, {"duration": 1.5}),
    ):
        assert bpy.ops.footfall.add_path_event() == {"FINISHED"}
        cue = armature.footfall.path_events[armature.footfall.active_path_event]
        cue.type, cue.start_distance, cue.end_distance = kind, start, end
        for name, value in told.items():
            setattr(cue, name, value)
    hips, yaws = bake(armature)
    along = hips[:, 1]
    speeds = np.gradient(along) * FPS
    at = [int(np.searchsorted(along, place)) for place in (2.0, 4.4, 5.5)]
    assert 0.45 < speeds[at[0]] < 0.75, speeds[at[0]]
    assert abs(yaws[at[1]] - math.pi / 2) < 0.35, yaws[at[1]]
    still = np.flatnonzero((np.abs(speeds) < 0.08) & (np.abs(along - 6.0) < 0.15))
    assert 1.2 * FPS < len(still) < 2.6 * FPS, len(still)


def test_a_jump_is_highest_where_it_is_told() -> None:
    armature = walker()
    bpy.ops.footfall.add_path_event()
    event = armature.footfall.path_events[0]
    event.type, event.start_distance = "JUMP", 4.0
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert hips[:, 2].max() - np.median(hips[:, 2]) > 0.1
    assert abs(hips[hips[:, 2].argmax(), 1] - 4.0) < 0.5


def stride_speeds(hips: np.ndarray) -> np.ndarray:
    """Speeds, m/s, averaged over a second: within a step hips surge by a third."""
    return np.convolve(np.gradient(hips[:, 1]) * FPS, np.ones(FPS) / FPS, mode="same")


def test_cues_in_frames_and_markers() -> None:
    armature = walker()
    scene = bpy.context.scene
    for name, frame in (("slow", 60), ("fast", 110)):
        scene.timeline_markers.new(name, frame=frame)
    bpy.ops.footfall.add_path_event()
    cue = armature.footfall.path_events[0]
    cue.type, cue.range_type, cue.speed, cue.start_marker = "SPEED", "MARKERS", 0.6, "slow"
    hips, _ = bake(armature)
    speeds = stride_speeds(hips)
    assert speeds[80] < 0.75 and speeds[130] > 1.0, (speeds[80], speeds[130])
    cue.range_type, cue.start_frame, cue.end_frame = "FRAMES", 100, 150
    hips, _ = bake(armature)
    speeds = stride_speeds(hips)
    assert speeds[70] > 1.0 and speeds[125] < 0.75, (speeds[70], speeds[125])


def test_a_target_is_looked_at() -> None:
    armature = walker()
    target = bpy.data.objects.new("Target", None)
    target.location = (-3.0, 4.0, 1.0)
    bpy.context.collection.objects.link(target)
    bpy.ops.footfall.add_path_event()
    cue = armature.footfall.path_events[0]
    cue.type, cue.start_distance, cue.end_distance, cue.target = "FACE_TARGET", 2.0, 6.0, target
    hips, yaws = bake(armature)
    frame = int(np.searchsorted(hips[:, 1], 4.0))
    assert abs(yaws[frame] - math.pi / 2) < 0.4, yaws[frame]


def test_the_head_turns_to_a_target_and_the_walk_goes_on() -> None:
    armature = walker()
    plain, plain_yaws = bake(armature)
    target = bpy.data.objects.new("Target", None)
    target.location = (-3.0, 4.0, 1.6)
    bpy.context.collection.objects.link(target)
    bpy.ops.footfall.add_path_event()
    event = armature.footfall.path_events[0]
    event.type, event.start_distance, event.end_distance, event.target = "LOOK_AT", 1.0, 6.0, target
    hips, yaws = bake(armature)
    np.testing.assert_allclose(hips, plain, atol=1e-4)
    assert np.abs(yaws - plain_yaws).max() < 0.2, "the trunk goes along a little"
    bpy.context.scene.frame_set(int(np.searchsorted(hips[:, 1], 3.0)) + bpy.context.scene.frame_start)
    bone = next(bone for bone in armature.pose.bones if bone.name.lower() == "head")
    head = bone.matrix.to_3x3() @ bone.bone.matrix_local.to_3x3().inverted()
    ahead = head @ Vector((0.0, -1.0, 0.0))
    aside = math.atan2(-ahead.x, ahead.y)
    assert 0.9 < aside < 1.4, f"to the left, as far as a head turns: {math.degrees(aside):.0f} degrees"


def test_eyes_turn_to_a_target_with_the_head_and_are_keyed() -> None:
    armature = walker()
    bpy.ops.object.mode_set(mode="EDIT")
    head = next(bone for bone in armature.data.edit_bones if bone.name.lower() == "head")
    for side, x in (("L", 0.03), ("R", -0.03)):
        eye = armature.data.edit_bones.new(f"eye.{side}")
        eye.parent, eye.head = head, head.head + Vector((x, -0.09, 0.09))
        eye.tail = eye.head + Vector((0.0, -0.02, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.footfall.guess_rig()
    assert {role.name: role.bone for role in armature.footfall.rig.roles}["eye.L"] == "eye.L"
    target = bpy.data.objects.new("Target", None)
    target.location = (-3.0, 4.0, 1.6)
    bpy.context.collection.objects.link(target)
    bpy.ops.footfall.add_path_event()
    event = armature.footfall.path_events[0]
    event.type, event.start_distance, event.end_distance, event.target = "LOOK_AT", 2.0, 6.0, target
    bake(armature)
    scene, turned = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        turned.append(math.degrees(armature.pose.bones["eye.L"].matrix_basis.to_quaternion().angle))
    assert max(turned) > 15.0, "they are there before the head"
    assert max(turned) < 25.5 and turned[0] < 1.0


def test_cues_that_say_nothing_are_refused() -> None:
    armature = walker()
    bpy.ops.footfall.add_path_event()
    cue = armature.footfall.path_events[0]
    cue.start_distance, cue.end_distance = 3.0, 3.0
    assert "Event 1 does not end after its start" in refusal_of(bpy.ops.footfall.bake_shot)
    cue.end_distance, cue.type = 5.0, "FACE_TARGET"
    assert "Event 1 has no target" in refusal_of(bpy.ops.footfall.bake_shot)
    cue.type, cue.range_type, cue.start_marker = "SPEED", "MARKERS", "gone"
    assert "has no start marker" in refusal_of(bpy.ops.footfall.bake_shot)
    assert bpy.ops.footfall.remove_path_event() == {"FINISHED"}
    assert not bpy.ops.footfall.remove_path_event.poll()


def test_the_radius_of_points_is_a_pace() -> None:
    armature = walker([(0.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 4.0, 0.0), (0.0, 8.0, 0.0)])
    points = armature.footfall.path.data.splines[0].points
    points[2].radius = points[3].radius = 0.6
    armature.footfall.speed_from_radius = True
    hips, _ = bake(armature)
    frames = np.searchsorted(hips[:, 1], (1.5, 3.0, 5.0, 7.0))
    before, after = 1.5 * FPS / (frames[1] - frames[0]), 2.0 * FPS / (frames[3] - frames[2])
    assert 1.1 < before < 1.3 and 0.65 < after < 0.8, (before, after)


def test_a_grease_pencil_is_a_path() -> None:
    data = bpy.data.grease_pencils_v3.new("Strokes") if hasattr(bpy.data, "grease_pencils_v3") else None
    data = data or bpy.data.grease_pencils.new("Strokes")
    pencil = bpy.data.objects.new("Strokes", data)
    bpy.context.collection.objects.link(pencil)
    drawing = data.layers.new("Lines").frames.new(1).drawing
    drawing.add_strokes([3])
    for point, at in zip(drawing.strokes[0].points, [(0, 0, 0), (1, 0, 0), (1, 3, 0)], strict=True):
        point.position = at
    pencil.location = (0.0, 1.0, 0.0)
    bpy.context.view_layer.update()
    path = read_path(pencil)
    assert abs(path.length - 4.0) < 1e-4 and np.allclose(path.points[0], (0, 1), atol=1e-6)
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    bpy.context.object.footfall.path = pencil
    hips, _ = bake(bpy.context.object)
    assert np.linalg.norm(hips[-1] - (1, 4)) < 0.3


def mark(armature: bpy.types.Object, frame: int, at, **told):
    bpy.context.scene.cursor.location = at
    bpy.context.scene.frame_set(frame)
    assert bpy.ops.footfall.add_waypoint() == {"FINISHED"}
    made = armature.footfall.waypoints[-1]
    for name, value in told.items():
        setattr(made, name, value)
    return made


def test_marks_are_met_and_told_of() -> None:
    armature = walker()
    first = mark(armature, 90, (0.3, 3.0, 0.0), planted_foot="L")
    last = mark(armature, 150, (0.0, 6.0, 0.0), match_rotation=True)
    last.empty.rotation_euler.z = 0.6
    far = mark(armature, 152, (0.0, 7.9, 0.0))
    bpy.context.view_layer.update()
    hips, yaws = bake(armature)
    start = bpy.context.scene.frame_start
    assert np.linalg.norm(hips[90 - start] - (0.3, 3.0)) < 0.03 and not first.missed, first.result
    assert np.linalg.norm(hips[150 - start] - (0.0, 6.0)) < 0.03 and not last.missed, last.result
    assert abs(yaws[150 - start] - 0.6) < 0.15, yaws[150 - start]
    assert far.missed and "too far" in far.result, far.result
    assert bpy.ops.footfall.remove_waypoint() == {"FINISHED"}
    assert len(armature.footfall.waypoints) == 2 and len([one for one in bpy.data.objects if one.type == "EMPTY"]) == 2


def test_marks_are_a_path_of_their_own() -> None:
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    assert not bpy.ops.footfall.bake_shot.poll()
    mark(armature, 100, (0.0, 4.0, 0.0))
    mark(armature, 160, (3.0, 5.0, 0.0))
    hips, _ = bake(armature)
    assert np.linalg.norm(hips[99] - (0.0, 4.0)) < 0.03 and np.linalg.norm(hips[159] - (3.0, 5.0)) < 0.03
    armature.footfall.waypoints[0].frame = 1
    assert "choose a later frame" in refusal_of(bpy.ops.footfall.bake_shot)


def test_the_character_is_directed_from_its_path_and_marks() -> None:
    armature = walker()
    spot = mark(armature, 90, (0.3, 3.0, 0.0)).empty
    objects = bpy.context.view_layer.objects
    assert bpy.context.window_manager.footfall.character == armature
    objects.active = spot
    assert bpy.context.window_manager.footfall.character == armature and bpy.ops.footfall.bake_shot.poll()
    objects.active = armature.footfall.path
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"} and armature.animation_data.action
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.footfall.update_bake.poll(), "Ctrl Z would take back the curve's editing alone"
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.empty_add()
    assert bpy.context.window_manager.footfall.character is None and not bpy.ops.footfall.update_bake.poll()
    objects.active = curve = armature.footfall.path
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Other"))
    bpy.context.collection.objects.link(other)
    other.footfall.path = curve
    armature.footfall.path = None
    assert bpy.context.window_manager.footfall.character == other
    bpy.data.objects.remove(other)
    assert bpy.context.window_manager.footfall.character is None


@pytest.mark.all_only("walks that go on are tested in tests/core")
def test_baking_again_makes_anew_only_what_has_changed() -> None:
    points = [(2.5 * number, math.sin(number), 0.0) for number in range(13)]
    armature = walker(points, "BEZIER")
    bake(armature)
    before = keys_of(armature)
    armature.footfall.path.data.splines[0].bezier_points[-1].co.y += 1.0
    again = WalkBake(armature, bpy.context)
    kept = again.reused_frames
    assert kept > 1000, kept
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    after = keys_of(armature)
    same = int((kept / 60 - 2.0) * FPS)
    for curve, values in after.items():
        np.testing.assert_array_equal(values[:same], before[curve][:same])
    clear()
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    for curve, values in keys_of(armature).items():
        np.testing.assert_allclose(values, after[curve], atol=1e-5)


def test_nothing_is_kept_where_the_ground_has_changed() -> None:
    armature = walker()
    bake(armature)
    assert WalkBake(armature, bpy.context).reused_frames > 300
    box = add_box("Step", (0.0, 4.0, 0.05), (1.0, 1.0, 0.1))
    box["footfall_walk_surface"] = "walkable"
    bpy.context.view_layer.update()
    assert WalkBake(armature, bpy.context).reused_frames == 0


def test_the_live_preview_follows_the_path() -> None:
    armature = walker([(0.0, 2.0 * number, 0.0) for number in range(6)], "BEZIER")
    objects, curves = len(bpy.data.objects), len(bpy.data.curves)
    session = bpy.context.window_manager.footfall
    session.live_preview = True
    preview = active_preview()
    assert isinstance(preview, LivePreview)
    for _ in range(2000):
        preview.tick()
        if (
            not preview.error
            and preview.partial_walk
            and len(preview.partial_walk) == preview.partial_walk.walk.total_frames
        ):
            break
    whole = len(preview.partial_walk)
    ankles, balls, left = preview.partial_walk.footprints()
    assert len(ankles) == len(balls) == len(left) > 8 and 0.3 < left.mean() < 0.7
    assert abs(ankles[:, 0]).max() < 0.3 and ankles[:, 1].max() > 9.0
    armature.footfall.path.data.splines[0].bezier_points[-1].co.x += 1.0
    bpy.context.view_layer.update()
    preview.path_may_have_changed = True
    preview.tick()
    assert 0 < preview.partial_walk.walk.frames_reused < len(preview.partial_walk) < whole, (
        "what comes before the change is kept"
    )
    armature.footfall.speed = 0.8
    preview.tick()
    assert preview.partial_walk.walk.frames_reused == 0
    clip = preview.partial_walk.pose(0)
    assert len(clip) == 1
    armature.footfall.path = None
    preview.tick()
    assert "No path is chosen" in preview.error
    assert (len(bpy.data.objects), len(bpy.data.curves)) == (objects, curves), "nothing is left behind"
    session.live_preview = False
    assert active_preview() is None


def test_characters_that_are_baked_together_make_way() -> None:
    ways = ([(0, -4, 0), (0, 4, 0)], [(0.1, 4, 0), (0.1, -4, 0)], [(-4, 0, 0), (4, 0, 0)])
    armatures = [walker(way) for way in ways]
    assert not bpy.ops.footfall.bake_crowd.poll(), "only the last one is selected"
    for armature in armatures:
        armature.select_set(True)
    assert bpy.ops.footfall.bake_crowd() == {"FINISHED"}
    hips = []
    for armature in armatures:
        clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
        hips.append(clip.positions[:, clip.skeleton.joint("hips"), :2])
    for way, walked in zip(ways, hips, strict=True):
        assert np.linalg.norm(walked[-1] - way[1][:2]) < 0.3, "all arrive"
    frames = max(map(len, hips))
    held = [np.concatenate([walked, np.repeat(walked[-1:], frames - len(walked), axis=0)]) for walked in hips]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert np.linalg.norm(held[one] - held[other], axis=1).min() > 0.3
    armatures[0].footfall.controller = "preset:gone"
    assert not bpy.ops.footfall.bake_crowd.poll()


def test_a_deleted_path_is_refused_and_never_walked() -> None:
    armature = walker()
    path = armature.footfall.path
    for collection in path.users_collection:
        collection.objects.unlink(path)
    assert armature.footfall.path == path, "the setting keeps it in the file"
    assert "is no longer in the scene" in refusal_of(bpy.ops.footfall.bake_shot)


def test_characters_are_added_at_the_cursor_and_clear_of_each_other() -> None:
    bpy.context.scene.cursor.location = (5.0, 6.0, 0.0)
    places = []
    for _ in range(3):
        bpy.ops.footfall.add_character(controller="preset:locomotion_small")
        bpy.context.view_layer.update()
        places.append(tuple(bpy.context.object.matrix_world.translation))
    np.testing.assert_allclose(places, [(5.0, 6.0, 0.0), (6.0, 6.0, 0.0), (7.0, 6.0, 0.0)])
