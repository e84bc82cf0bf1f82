"""A ball that one character passes to another in Blender: one bake, one action of the ball."""

import bpy
import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.tests.addon.interaction.test_shot_balls import RADIUS_M, add_ball, centers
from footfall.tests.addon.interaction.test_shot_partners import add_beat, motion
from footfall.tests.addon.support.refusals import refusal_of


@pytest.fixture
def pair() -> list[bpy.types.Object]:
    """Ada at the origin and Bob 4.5 m before her, who faces her; Ada is active."""
    bpy.context.scene.render.fps = 60
    found = []
    for name, place, turn in (("Bob", 4.5, 0.0), ("Ada", 0.0, np.pi)):
        assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
        armature = bpy.context.object
        armature.name, armature.location, armature.rotation_euler.z = name, (0.0, place, 0.0), turn
        found.append(armature)
    bpy.context.view_layer.update()
    return found[::-1]


@pytest.mark.slow
def test_a_passed_ball_goes_from_hands_to_hands_and_is_put_down(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    ball = add_ball(ada)
    add_beat(ada, "pass_ball", partner=bob, object=ball, pass_distance=3.0)
    add_beat(bob, "pass_ball", partner=ada)
    add_beat(bob, "put_down_ball", object=ball)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not any(beat.is_skipped for one in pair for beat in one.footfall.interaction_tasks)
    places = centers(bob, ball)
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1) * bpy.context.scene.render.fps
    assert steps.max() < 9.5 and places[-1, 2] == pytest.approx(RADIUS_M, abs=0.01)
    palms = [palm_centers(motion(one)).mean(axis=1) for one in pair]
    frames = min(len(places), *map(len, palms))
    away = [np.linalg.norm(one[:frames] - places[:frames], axis=1) for one in palms]
    first, second = (np.flatnonzero(one < 0.015) for one in away)
    assert len(first) > 60 and len(second) > 60 and first[-1] < second[0] < first[-1] + 60


def test_a_selected_ball_and_character_make_a_pass_and_the_catcher_gets_its_own(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    ball = add_ball(ada)
    ball.select_set(True)
    bob.select_set(True)
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    throw = ada.footfall.interaction_tasks[0]
    assert (throw.type, throw.partner, throw.object) == ("pass_ball", bob, ball)
    ball.select_set(False)
    ada.select_set(True)
    bpy.context.view_layer.objects.active = bob
    assert bpy.ops.footfall.add_interaction_task() == {"FINISHED"}
    catch = bob.footfall.interaction_tasks[0]
    assert (catch.type, catch.partner, catch.object) == ("pass_ball", ada, None)


def test_a_pass_without_a_ball_or_its_partner_is_told(pair: list[bpy.types.Object]) -> None:
    ada, bob = pair
    add_beat(ada, "pass_ball", partner=bob)
    add_beat(bob, "idle").duration = 1.0
    assert "the shot of 'Bob' has no pass with 'Ada': add one" in refusal_of(bpy.ops.footfall.bake_shot)
    add_beat(bob, "pass_ball", partner=ada)
    assert "The pass of 'Ada' and 'Bob' in beat 1 has no ball" in refusal_of(bpy.ops.footfall.bake_shot)
