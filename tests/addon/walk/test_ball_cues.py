"""Ball play by cues in Blender: the ball through the hoop and into hands, refusals, and what Revert takes back."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.walk.live_preview.planning import WalkInputs, start_walk
from footfall.blender_addon.activities.walk.live_preview.rollout import PartialWalk
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.ball_object import find_ball, played_ball
from footfall.core.ball.palms import palm_centers
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve

LINE = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)]
RIM = (7.0, 0.0, 3.05)


def add_player(controller: str = "preset:locomotion_small", ball: str = "NONE") -> bpy.types.Object:
    bpy.context.scene.render.fps = 60
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path, armature.footfall.ball = add_curve("POLY", LINE), ball
    return armature


def add_empty(place: tuple[float, float, float], name: str = "Target") -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location = place
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    return empty


def add_cue(armature: bpy.types.Object, kind: str, at: float, target: bpy.types.Object | None = None) -> None:
    cue = armature.footfall.path_events.add()
    cue.type, cue.start_distance, cue.target = kind, at, target


def ball_places(armature: bpy.types.Object) -> np.ndarray:
    """The ball's place (F, 3) at each frame of the armature's action, meters."""
    ball, (first, last) = find_ball(armature), armature.animation_data.action.frame_range
    assert ball is not None
    places = []
    for frame in range(int(first), int(last) + 1):
        bpy.context.scene.frame_set(frame)
        places.append(ball.matrix_world.translation[:])
    return np.array(places)


@pytest.mark.every_blender
def test_a_ball_is_picked_up_carried_and_shot_through_the_hoop() -> None:
    armature = add_player()
    add_cue(armature, "PICK_UP", 0.0, add_empty((0.9, 0.05, 0.12), "Lying"))
    add_cue(armature, "SHOOT", 3.0, add_empty(RIM, "Hoop"))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    places = ball_places(armature)
    assert places[0] == pytest.approx((0.9, 0.05, 0.12), abs=1e-5), "it lies where it is told"
    falls = np.flatnonzero((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2]))
    assert len(falls) == 1, "from above, once"
    share = (places[falls[0], 2] - RIM[2]) / (places[falls[0], 2] - places[falls[0] + 1, 2])
    through = places[falls[0]] + share * (places[falls[0] + 1] - places[falls[0]])
    assert np.linalg.norm(through[:2] - RIM[:2]) < 0.01
    assert places[falls[0] :, 2].min() < 0.25, "and down to the floor"


def test_the_preview_shoots_the_ball_once_all_frames_are_made() -> None:
    armature = add_player()
    add_cue(armature, "SHOOT", 3.0, add_empty(RIM, "Hoop"))
    seen = PartialWalk(start_walk(armature, bpy.context.scene, WalkInputs.of(armature, bpy.context)))
    assert seen.advance(60) and seen.ball(10) is None, "the walk alone, before"
    while seen.advance(60):
        pass
    places = seen.walk.scale * np.array([seen.ball(frame) for frame in range(len(seen))])
    falls = np.flatnonzero((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2]))
    assert len(falls) == 1 and np.linalg.norm(places[falls[0], :2] - RIM[:2]) < 0.1
    held = palm_centers(seen.pose(30)).mean(axis=1)[0] * seen.walk.scale
    assert np.linalg.norm(places[30] - held) < 0.01, "hands hold it before"


def test_a_pass_comes_into_the_hands_that_catch() -> None:
    receiver = add_player()
    add_cue(receiver, "CATCH", 3.0, add_empty((7.0, 0.0, 1.3), "Thrower"))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    passer = add_player()
    passer.footfall.path = add_curve("POLY", [(9.0, 2.0, 0.0), (8.0, 1.0, 0.0)])
    add_cue(passer, "PASS", 1.4, receiver)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    ball, (clip, first) = played_ball(passer), read_action(receiver, receiver.animation_data.action, bpy.context.scene)
    assert ball is not None
    between = palm_centers(clip).mean(axis=1)
    ends = int(passer.animation_data.action.frame_range[1])
    assert ends < first + len(clip) - 1, "the passer is done before"
    for frame in (ends, first + len(clip) - 1):
        bpy.context.scene.frame_set(frame)
        assert np.linalg.norm(np.array(ball.matrix_world.translation) - between[frame - first]) < 0.01


def test_revert_takes_the_ball_back_that_the_bake_made() -> None:
    armature = add_player()
    add_cue(armature, "SHOOT", 3.0, add_empty(RIM))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert find_ball(armature) is not None
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert find_ball(armature) is None and not [one for one in bpy.data.actions if one.name.endswith("_ball")]


def test_baking_again_keeps_the_ball_and_one_action_of_it() -> None:
    armature = add_player()
    add_cue(armature, "SHOOT", 3.0, add_empty(RIM))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    ball = find_ball(armature)
    assert ball is not None
    name = ball.name
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    again = find_ball(armature)
    assert again is not None and again.name == name
    assert len([one for one in bpy.data.actions if "_ball" in one.name]) == 1
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"} and find_ball(armature) is None


def test_a_wall_in_the_way_is_a_sentence_and_nothing_is_baked() -> None:
    armature = add_player()
    add_cue(armature, "SHOOT", 3.0, add_empty(RIM))
    add_box("Wall", (5.0, 0.0, 3.0), (0.2, 4.0, 6.0))
    bpy.context.view_layer.update()
    assert "The ball would hit 'Wall'" in refusal_of(bpy.ops.footfall.bake_shot)
    assert find_ball(armature) is None and armature.footfall.baked_action is None


@pytest.mark.parametrize(
    ("kind", "place", "said"),
    [
        ("SHOOT", (60.0, 0.0, 3.05), "The hoop, 57.0 m away and"),
        ("PASS", (40.0, 0.0, 1.3), "The pass is 37.0 m long, but people can pass"),
        ("PICK_UP", (2.0, 0.0, 2.2), "The ball is 208 cm above the ground, but can only be picked up from the ground"),
        (
            "PICK_UP",
            (2.0, 5.0, 0.12),
            "The ball is out of reach, because the path stays at least 5.0 m away from it: draw the path to the ball",
        ),
    ],
)
def test_out_of_reach_is_a_sentence(kind: str, place: tuple[float, float, float], said: str) -> None:
    armature = add_player()
    add_cue(armature, kind, 3.0, add_empty(place))
    assert said in refusal_of(bpy.ops.footfall.bake_shot)


def test_targets_that_are_missing_deleted_or_the_character_are_sentences() -> None:
    armature = add_player()
    add_cue(armature, "PASS", 3.0)
    assert "Event 1 has no target to pass to: choose one" in refusal_of(bpy.ops.footfall.bake_shot)
    cue = armature.footfall.path_events[0]
    cue.target = armature
    assert "The target of event 1 is the character itself" in refusal_of(bpy.ops.footfall.bake_shot)
    target = add_empty((6.0, 0.0, 1.0))
    cue.target = target
    bpy.context.scene.collection.objects.unlink(target)
    assert "The target 'Target' of event 1 was deleted" in refusal_of(bpy.ops.footfall.bake_shot)


def test_a_character_without_an_action_catches_nothing() -> None:
    receiver = add_player()
    passer = add_player()
    add_cue(passer, "PASS", 3.0, receiver)
    assert "has no action, so it is unknown where its hands are" in refusal_of(bpy.ops.footfall.bake_shot)
