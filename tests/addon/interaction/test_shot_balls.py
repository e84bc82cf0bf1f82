"""Beats with a ball in Blender: picked up, dribbled and shot, put down for a task, and path events of a walk."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.label.ball_object import find_ball
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.core.ball.palms import palm_centers
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve

RADIUS_M = 0.12
LYING = (0.3, 2.0, RADIUS_M)
RIM = (1.0, 9.0, 3.05)


@pytest.fixture
def player() -> bpy.types.Object:
    bpy.context.scene.render.fps = 60
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    armature.rotation_euler.z = np.pi
    bpy.context.view_layer.update()
    return armature


def add_ball(armature: bpy.types.Object) -> bpy.types.Object:
    """A ball whose origin is at its lowest point, turned and scaled."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0, location=LYING)
    ball = bpy.context.object
    ball.data.transform(ball.matrix_world.Translation((0.0, 0.0, 1.0)))
    ball.scale, ball.rotation_euler, ball.location = (RADIUS_M,) * 3, (0.0, 0.0, 1.0), (*LYING[:2], 0.0)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return ball


def add_empty(place: tuple[float, float, float]) -> bpy.types.Object:
    empty = bpy.data.objects.new("Target", None)
    empty.location = place
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    return empty


def add_beat(
    armature: bpy.types.Object, kind: str, ball: bpy.types.Object | None = None, target: bpy.types.Object | None = None
) -> bpy.types.PropertyGroup:
    beat = armature.footfall.interaction_tasks.add()
    beat.type, beat.object, beat.target, beat.duration = kind, ball, target, 0.0
    return beat


def centers(armature: bpy.types.Object, ball: bpy.types.Object) -> np.ndarray:
    """The ball's center (F, 3) at each frame of the armature's action, meters."""
    (first, last), found = armature.animation_data.action.frame_range, []
    for frame in range(int(first), int(last) + 1):
        bpy.context.scene.frame_set(frame)
        corners = [ball.matrix_world @ vertex.co for vertex in ball.data.vertices]
        found.append((np.min(corners, axis=0) + np.max(corners, axis=0)) / 2)
    return np.array(found)


@pytest.mark.every_blender
@pytest.mark.slow
def test_ball_is_picked_up_dribbled_and_shot_through_the_hoop(player: bpy.types.Object) -> None:
    ball = add_ball(player)
    add_beat(player, "pick_up_ball", ball)
    add_beat(player, "dribble", ball, add_empty((1.0, 4.0, 0.0)))
    add_beat(player, "shoot", ball, add_empty(RIM))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not any(beat.is_skipped for beat in player.footfall.interaction_tasks)
    places = centers(player, ball)
    assert places[0] == pytest.approx(LYING, abs=1e-3)
    falls = np.flatnonzero((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2]))
    assert len(falls) == 1 and np.linalg.norm(places[falls[0], :2] - RIM[:2]) < 0.1
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() * 60 < 9.5
    clip = read_mapped_action(player, player.footfall.baked_action, bpy.context.scene)[0]
    apart = np.linalg.norm(palm_centers(clip) - places[: len(clip), None], axis=-1).max(axis=1)
    shoot = player.footfall.interaction_tasks[2].first_frame
    assert apart[shoot : shoot + 30].max() < 0.03, "both hands hold it before the shot"
    assert [row.measure for row in quality_rows(player) if row.verdict == "BAD"] == []
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert ball.animation_data is None or ball.animation_data.action is None


@pytest.mark.slow
def test_ball_is_put_down_before_a_beat_that_needs_both_hands(player: bpy.types.Object) -> None:
    ball = add_ball(player)
    add_beat(player, "pick_up_ball", ball)
    add_beat(player, "lie", None, add_empty((0.0, 5.0, 0.0)))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not any(beat.is_skipped for beat in player.footfall.interaction_tasks)
    places = centers(player, ball)
    assert places[:, 2].max() > 0.8 and places[-1, 2] == pytest.approx(RADIUS_M, abs=0.01)


@pytest.mark.slow
def test_path_events_of_a_walk_among_beats_play_the_ball(player: bpy.types.Object) -> None:
    player.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)])
    for kind, at, target in (("PICK_UP", 0.0, add_empty((0.0, 0.9, 0.12))), ("SHOOT", 3.0, add_empty(RIM))):
        event = player.footfall.path_events.add()
        event.type, event.start_distance, event.target = kind, at, target
    add_beat(player, "walk", None, player.footfall.path)
    add_beat(player, "idle").duration = 1.0
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    ball = find_ball(player)
    assert ball is not None
    places = centers(player, ball)
    assert places[0] == pytest.approx((0.0, 0.9, 0.12), abs=1e-3)
    assert ((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2])).sum() == 1
    bpy.context.scene.frame_set(1)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"} and find_ball(player) == ball
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert find_ball(player) is None


@pytest.mark.slow
def test_wall_in_the_flight_of_a_ball_is_reported(player: bpy.types.Object, capfd: pytest.CaptureFixture[str]) -> None:
    ball, wall = add_ball(player), add_box("Wall", (0.5, 5.0, 2.5), (6.0, 0.2, 5.0))
    add_beat(player, "shoot", ball, add_empty(RIM))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert f"The ball would hit '{wall.name}'" in capfd.readouterr().out


def test_selected_ball_proposes_what_is_done_with_it(player: bpy.types.Object) -> None:
    ball, hoop = add_ball(player), add_empty(RIM)
    path = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)])
    for target, kind in ((None, "pick_up_ball"), (hoop, "shoot"), (path, "dribble")):
        for one in bpy.context.view_layer.objects:
            one.select_set(one in (ball, target))
        bpy.context.view_layer.objects.active = player
        assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
        beat = player.footfall.interaction_tasks[player.footfall.active_interaction_task]
        assert (beat.type, beat.object, beat.target) == (kind, ball, target)


def test_beat_without_its_ball_or_target_is_refused(player: bpy.types.Object) -> None:
    beat = add_beat(player, "shoot")
    assert "Choose the object of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    beat.object = add_ball(player)
    assert "Choose the target of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
