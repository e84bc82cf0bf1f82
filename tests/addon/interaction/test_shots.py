"""Tasks as a shot: along a path, up stairs, onto a seat on a landing, down again and through a door, in one bake."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.interaction.preview.operators import active_preview
from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.blender_addon.shot.staleness import first_change
from footfall.core.motion import Clip
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve, add_plane

RISE_M, STEPS = 0.17, 3
LANDING_M = RISE_M * STEPS


def build() -> None:
    """Stairs to a landing with a stool, and a door behind them."""
    set_tag(add_plane(40.0, name="Floor"), WALKABLE)
    for step in range(STEPS):
        depth = 6.2 - 0.6 * step
        top = RISE_M * (step + 1)
        set_tag(add_box(f"Step {step}", (0.0, 5.0, top / 2), (3.0, depth, top)), WALKABLE)
    add_box("Stool", (-0.9, 5.0, LANDING_M + 0.225), (0.45, 0.45, 0.45))
    add_box("Door", (0.0, 11.0, 1.0), (0.9, 0.045, 2.0))
    bpy.context.scene.render.fps = 30


def before_stairs(armature: bpy.types.Object) -> bpy.types.Object:
    """Have a character look up the stairs."""
    armature.rotation_euler.z = np.pi
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def stairs() -> bpy.types.Object:
    """A character before the stairs."""
    build()
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    return before_stairs(bpy.context.object)


def add_beats(armature: bpy.types.Object) -> None:
    """Up the stairs, a seat on the landing, down again, and through the door."""
    add_task(armature, "walk", add_curve("POLY", [(0.0, 0.5, 0.0), (0.2, 2.0, 0.0), (0.0, 4.4, LANDING_M)]))
    add_task(armature, "sit", bpy.data.objects["Stool"], 1.0)
    add_task(armature, "walk", add_curve("POLY", [(0.0, 6.0, LANDING_M), (0.0, 9.0, 0.0)]))
    add_task(armature, "open", bpy.data.objects["Door"])


def path_of(armature: bpy.types.Object, bone: str) -> np.ndarray:
    """World positions (F, 3) of a bone's head at the scene's frames."""
    scene, heads = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        heads.append((armature.matrix_world @ armature.pose.bones[bone].head)[:])
    return np.array(heads)


def add_task(armature: bpy.types.Object, kind: str, thing: bpy.types.Object, duration: float = 0.0) -> None:
    task = armature.footfall.interaction_tasks.add()
    task.type, task.duration = kind, duration
    setattr(task, "target" if kind == "walk" else "object", thing)


def motion(armature: bpy.types.Object) -> Clip:
    return read_mapped_action(armature, armature.footfall.baked_action, bpy.context.scene)[0]


@pytest.mark.slow
def test_one_bake_climbs_sits_and_leaves_by_the_door(stairs: bpy.types.Object) -> None:
    add_beats(stairs)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip = motion(stairs)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    seated = np.linalg.norm(hips - [-0.9, 5.0, LANDING_M + 0.52], axis=1)
    assert seated.min() < 0.12
    assert hips[-1, 1] > 11.0 and hips[-1, 2] < 1.1, "it is gone through the door, down on the floor"
    joints = [clip.skeleton.joint(f"toe.{side}") for side in "LR"]
    assert clip.positions[:, joints, 2].min() > -0.03
    assert np.linalg.norm(np.diff(clip.positions, axis=0), axis=2).max() < 0.25
    door = bpy.data.objects["Door"]
    assert door.animation_data.action is not None
    rows = {row.measure: row for row in quality_rows(stairs)}
    assert abs(rows["seat_gap"].worst) < 2.0 and "palm_gap" in rows
    assert first_change(stairs, bpy.context.scene) is None
    stairs.footfall.interaction_tasks[0].target.data.splines[0].points[1].co.x += 0.1
    assert "a beat or its object" in str(first_change(stairs, bpy.context.scene))


@pytest.mark.slow
@pytest.mark.all_only("the built-in figure always runs")
def test_a_rigify_human_does_the_same_by_its_controls() -> None:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    bpy.data.objects.remove(metarig)
    build()
    rig = before_stairs(next(one for one in bpy.data.objects if one.type == "ARMATURE"))
    add_beats(rig)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    hips = path_of(rig, "DEF-spine")
    assert np.linalg.norm(hips[:, :2] - [-0.9, 5.0], axis=1).min() < 0.12
    assert hips[-1, 1] > 11.0 and hips[-1, 2] < 1.2
    assert [row.measure for row in quality_rows(rig) if row.verdict == "BAD"] == []


def test_a_path_among_the_tasks_is_added_from_the_selection(stairs: bpy.types.Object) -> None:
    path = add_curve("POLY", [(0.0, 0.5, 0.0), (0.0, 2.0, 0.0)])
    path.select_set(True)
    bpy.context.view_layer.objects.active = stairs
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    (task,) = stairs.footfall.interaction_tasks
    assert (task.type, task.target, task.duration) == ("walk", path, 0.0)


@pytest.mark.slow
def test_a_preview_plays_the_shot_follows_the_path_and_is_baked(stairs: bpy.types.Object) -> None:
    way = add_curve("POLY", [(0.0, 0.5, 0.0), (0.0, 1.2, 0.0)])
    add_task(stairs, "walk", way)
    assert bpy.ops.footfall.preview_interactions() == {"FINISHED"}
    preview = active_preview()
    assert preview is not None

    def play() -> np.ndarray:
        seen = []
        for _ in range(300):
            preview.tick(1 / 30)
            if preview.clip is not None:
                seen.append(preview.clip.root_positions[0])
        return np.array(seen)

    seen = play()
    assert np.linalg.norm(np.diff(seen, axis=0), axis=1).max() < 0.1, "it plays in time"
    assert seen[-1, 1] == pytest.approx(1.2, abs=0.3) and not preview.running
    way.data.splines[0].points[1].co = (1.0, 1.2, 0.0, 1.0)
    seen = play()
    assert seen[-1, :2] == pytest.approx([1.0, 1.2], abs=0.3)
    assert stairs.animation_data is None and not bpy.data.actions, "a preview changes nothing"
    assert bpy.ops.footfall.bake_interaction_preview("EXEC_DEFAULT", True) == {"FINISHED"}
    clip = motion(stairs)
    assert clip.root_positions[-1, :2] == pytest.approx(seen[-1, :2], abs=0.02)


def test_a_task_that_cannot_be_done_is_told_and_the_others_are_baked(stairs: bpy.types.Object) -> None:
    add_task(stairs, "walk", add_curve("POLY", [(0.0, 0.5, 0.0), (0.0, 1.5, 0.0)]))
    armature = stairs
    task = armature.footfall.interaction_tasks.add()
    task.type = "walk"
    assert "Choose the target of beat 2" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.interaction_tasks.remove(1)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip = motion(armature)
    assert clip.positions[-1, clip.skeleton.joint("hips"), 1] == pytest.approx(1.5, abs=0.3)


def test_an_update_keeps_every_key_before_the_changed_beat(stairs: bpy.types.Object) -> None:
    way = add_curve("POLY", [(0.0, 0.5, 0.0), (0.0, 1.2, 0.0)])
    end = add_curve("POLY", [(0.5, 0.8, 0.0), (2.0, 0.8, 0.0)])
    add_task(stairs, "walk", way, duration=2.0)
    add_task(stairs, "walk", end)
    stairs.footfall.start = "CURRENT"
    bpy.context.scene.frame_set(40)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    before, start = motion(stairs), stairs.footfall.baked_action.frame_range[0]
    end.data.splines[0].points[1].co.x += 1.0
    bpy.context.scene.frame_set(90)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    after = motion(stairs)
    assert stairs.footfall.baked_action.frame_range[0] == start == 40, "it stays at its frames"
    assert np.abs(after.root_positions[-1] - before.root_positions[-1])[0] == pytest.approx(1.0, abs=0.2)
    waits = round(2.0 * after.rate)
    np.testing.assert_array_equal(after.rotations[:waits], before.rotations[:waits])
    np.testing.assert_array_equal(after.root_positions[:waits], before.root_positions[:waits])


def test_a_beat_ends_at_its_marker_and_a_blow_lands_on_its_frame(stairs: bpy.types.Object) -> None:
    scene = bpy.context.scene
    scene.frame_start = 1
    add_task(stairs, "walk", add_curve("POLY", [(0.0, 0.3, 0.0), (0.0, 0.8, 0.0)]))
    beats = stairs.footfall.interaction_tasks
    scene.timeline_markers.new("There", frame=121)
    beats[0].has_end, beats[0].end_marker = True, "There"
    bag = add_box("Bag", (0.2, 1.5, 1.35), (0.3, 0.3, 0.3))
    add_task(stairs, "strike", bag)
    beats[1].has_end, beats[1].end_frame = True, 240
    beats[1].target, beats[1].object = bag, None
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not beats[0].is_skipped and not beats[1].is_skipped
    clip = motion(stairs)
    there = np.flatnonzero(np.linalg.norm(clip.root_positions[:, :2] - [0.0, 0.8], axis=1) < 0.12)[0]
    assert there == pytest.approx(120, abs=20)
    hand = clip.positions[:, clip.skeleton.joint("hand.R")]
    away = np.linalg.norm(hand - bag.matrix_world.translation, axis=1)
    assert away[239] == pytest.approx(0.09, abs=0.02), "the knuckles, 9 cm from the wrist, are at the target"
    assert beats[0].last_frame < beats[1].last_frame and beats[1].first_frame > beats[0].first_frame
    assert bpy.ops.footfall.pick_beat(index=0, end_frame=100) == {"FINISHED"}
    assert (beats[0].end_frame, beats[0].end_marker, stairs.footfall.active_interaction_task) == (100, "", 0)
    scene.timeline_markers.remove(scene.timeline_markers["There"])
    beats[0].end_marker = "There"
    assert "A beat refers to the marker 'There', which was deleted" in refusal_of(bpy.ops.footfall.bake_shot)


def test_a_walk_that_becomes_the_first_beat_keeps_its_events_and_its_style(stairs: bpy.types.Object) -> None:
    settings = stairs.footfall
    settings.path, settings.speed = add_curve("POLY", [(0.0, 0.3, 0.0), (0.0, 1.6, 0.0)]), 1.0
    event = settings.path_events.add()
    event.type, event.start_distance, event.duration = "WAIT", 0.7, 3.0
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = stairs
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    walk, wait = settings.interaction_tasks
    assert (walk.type, walk.target, round(walk.speed, 2)) == ("walk", settings.path, 1.0)
    wait.type, wait.duration = "idle", 0.5
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    roots = motion(stairs).root_positions[:, :2]
    stands = np.linalg.norm(roots - [0.0, 1.0], axis=1) < 0.15
    assert stands.sum() / bpy.context.scene.render.fps > 2.0, "it waits on its way"
