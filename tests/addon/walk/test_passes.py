"""A pass between two characters: one ball, hands that wait for each other, refusals, and what Revert takes back."""

from collections.abc import Sequence

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.ball_object import BALL_PROPERTY, ball_motion, played_ball
from footfall.core.ball.palms import palm_centers
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

Point = tuple[float, float, float]
FPS = 30


def add_player(name: str, path: Sequence[Point]) -> bpy.types.Object:
    bpy.context.scene.render.fps = FPS
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    armature.name, armature.footfall.path = name, add_curve("POLY", path)
    return armature


def add_cue(armature: bpy.types.Object, kind: str, at: float, target: bpy.types.Object) -> None:
    cue = armature.footfall.path_events.add()
    cue.type, cue.start_distance, cue.target = kind, at, target


def bake(armature: bpy.types.Object) -> None:
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}


def revert(armature: bpy.types.Object) -> None:
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}


@pytest.fixture
def pair() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A passer that walks 1 m, and a receiver that walks 3 m, 5 m from each other in the end."""
    passer = add_player("Passer", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    receiver = add_player("Receiver", [(6.0, -3.0, 0.0), (6.0, 0.0, 0.0)])
    add_cue(passer, "PASS", 1.0, receiver)
    add_cue(receiver, "CATCH", 3.0, passer)
    return passer, receiver


def balls() -> list[bpy.types.Object]:
    return [thing for thing in bpy.data.objects if BALL_PROPERTY in thing]


def motion_of_the_ball() -> tuple[int, np.ndarray]:
    (ball,) = balls()
    motion = ball_motion(ball)
    assert motion is not None
    return motion[0], motion[1]


def from_hands(armature: bpy.types.Object) -> dict[int, float]:
    """Distance of the ball from between the hands of a character, meters, by frames of both."""
    first, places = motion_of_the_ball()
    clip, start = read_action(armature, armature.animation_data.action, bpy.context.scene)
    between = palm_centers(clip).mean(axis=1)
    return {
        frame: float(np.linalg.norm(places[frame - first] - between[frame - start]))
        for frame in range(max(first, start), min(first + len(places), start + len(clip)))
    }


def check_one_ball(passer: bpy.types.Object, receiver: bpy.types.Object) -> None:
    _, places = motion_of_the_ball()
    assert played_ball(passer) == played_ball(receiver) == balls()[0]
    at_passer, at_receiver = from_hands(passer), from_hands(receiver)
    assert max(list(at_passer.values())[:10]) < 0.01, "it begins in the hands of the one"
    assert max(list(at_receiver.values())[-10:]) < 0.01, "and ends in those of the other"
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * FPS
    assert speeds.max() < 10.0, "nowhere does it jump"


@pytest.mark.parametrize("receiver_first", [True, False])
def test_both_play_one_ball(pair: tuple[bpy.types.Object, bpy.types.Object], receiver_first: bool) -> None:
    passer, receiver = pair
    receiver.footfall.path_events[0].start_distance = 3.0 if receiver_first else 0.5
    for armature in pair[::-1] if receiver_first else pair:
        bake(armature)
    check_one_ball(passer, receiver)


def test_baking_one_again_keeps_the_other_s_part_and_revert_takes_back_each(
    pair: tuple[bpy.types.Object, bpy.types.Object],
) -> None:
    passer, receiver = pair
    bake(receiver)
    alone = motion_of_the_ball()
    bake(passer)
    bake(passer)
    check_one_ball(passer, receiver)
    revert(passer)
    np.testing.assert_array_equal(motion_of_the_ball()[1], alone[1])
    bake(passer)
    receiver.footfall.path_events[0].start_distance = 2.8
    bake(receiver)
    check_one_ball(passer, receiver)
    revert(receiver)
    assert not balls() and passer.animation_data.action is not None


def test_who_comes_too_late_is_told(pair: tuple[bpy.types.Object, bpy.types.Object]) -> None:
    passer, receiver = pair
    bake(receiver)
    passer.footfall.speed = 0.3
    bpy.context.view_layer.objects.active = passer
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert "The other character catches" in said and "before the pass can arrive: pass earlier" in said


def test_a_character_that_is_neither_baked_nor_told_to_catch_is_a_sentence(
    pair: tuple[bpy.types.Object, bpy.types.Object],
) -> None:
    passer, receiver = pair
    receiver.footfall.path_events.clear()
    bpy.context.view_layer.objects.active = passer
    assert "'Receiver' has no action, so it is unknown where its hands are" in refusal_of(bpy.ops.footfall.bake_shot)
