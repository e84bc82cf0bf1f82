"""Dribbling along a path in Blender: the ball's own action, hands by cues, and what is refused."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.walk.live_preview.planning import WalkInputs, start_walk
from footfall.blender_addon.activities.walk.live_preview.rollout import PartialWalk
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.ball_object import find_ball
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.core.features.ball import HAND_SENSORS
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve, add_plane

LINE = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)]
DRIBBLER, WALKER = "preset:dribble", "preset:locomotion_small"


def add_player(controller: str = DRIBBLER, ball: str = "RIGHT") -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path, armature.footfall.ball = add_curve("POLY", LINE), ball
    return armature


@pytest.mark.every_blender
def test_the_ball_has_an_action_of_its_own_and_is_in_the_hand() -> None:
    bpy.context.scene.render.fps = 60
    armature = add_player()
    cue = armature.footfall.path_events.add()
    cue.type, cue.hand, cue.start_distance, cue.end_distance = "HAND", "LEFT", 2.0, 9.0
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    ball, action = find_ball(armature), armature.animation_data.action
    assert ball is not None and ball.animation_data.action.name == f"{action.name}_ball"
    clip, first = read_action(armature, action, bpy.context.scene)
    spans = [item for item in action.footfall.segments if item.name in HAND_SENSORS]
    assert {item.name for item in spans} == set(HAND_SENSORS)
    for item in spans:
        frame = (item.start + item.end) // 2
        bpy.context.scene.frame_set(frame)
        hand = clip.positions[frame - first, clip.skeleton.joint(item.name)]
        assert np.linalg.norm(np.array(ball.matrix_world.translation) - hand) < 0.35, item.name
    heights = []
    for frame in range(first, first + len(clip)):
        bpy.context.scene.frame_set(frame)
        heights.append(ball.matrix_world.translation.z)
    assert min(heights) == pytest.approx(0.12, abs=0.05) and max(heights) < 1.8


def test_a_controller_that_plays_no_ball_is_told_before_the_bake() -> None:
    add_player(WALKER)
    assert "This controller does not play with a ball: choose Dribble, or No Ball" in refusal_of(
        bpy.ops.footfall.bake_shot
    )


def test_without_a_ball_no_ball_is_added() -> None:
    armature = add_player(ball="NONE")
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert find_ball(armature) is None


def test_a_path_that_rises_is_a_sentence() -> None:
    set_tag(add_plane(20.0), WALKABLE)
    set_tag(add_box("Step", (3.0, 0.0, 0.075), (2.0, 3.0, 0.15)), WALKABLE)
    bpy.context.view_layer.update()
    add_player()
    assert "cm, but dribbling needs level ground" in refusal_of(bpy.ops.footfall.bake_shot)


def test_the_preview_has_the_ball_where_the_network_dribbles_it() -> None:
    armature = add_player()
    walk = start_walk(armature, bpy.context.scene, WalkInputs.of(armature, bpy.context))
    seen = PartialWalk(walk)
    while seen.advance(60):
        pass
    places = [seen.ball(frame) for frame in range(0, len(seen), 5)]
    assert all(place is not None for place in places)
    heights = np.array([place[2] for place in places if place is not None])
    assert np.ptp(heights) > 0.5, "it goes up and down"
    armature.footfall.ball = "NONE"
    empty = PartialWalk(start_walk(armature, bpy.context.scene, WalkInputs.of(armature, bpy.context)))
    empty.advance(30)
    assert empty.ball(10) is None
