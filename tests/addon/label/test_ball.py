"""The ball that hands play with: added, keyed, and its contacts among the labels."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.label import edits
from footfall.blender_addon.label.ball_object import find_ball
from footfall.core.ball.ball_track import ball_file, read_ball
from footfall.core.features.ball import HAND_SENSORS
from footfall.core.rig.clip_file import read_clip
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import GET_UP, PICK_UP, WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips
RADIUS_M = 0.105


def player(file: Path) -> bpy.types.Object:
    """Make a character that moves as captured active, in a scene at the clip's rate."""
    bpy.context.scene.render.fps = 60
    armature = import_bvh(file)
    bpy.context.view_layer.objects.active = armature
    return armature


def hand_spans(action: bpy.types.Action) -> list[tuple[str, int, int, str]]:
    return [
        (item.name, item.start, item.end, item.source) for item in action.footfall.segments if item.name in HAND_SENSORS
    ]


def path_of(ball: bpy.types.Object, first: int, frames: int) -> np.ndarray:
    places = []
    for frame in range(first, first + frames):
        bpy.context.scene.frame_set(frame)
        places.append(ball.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation[:])
    return np.array(places)


@pytest.mark.every_blender
def test_the_ball_that_was_captured_is_where_hands_say() -> None:
    armature = player(PICK_UP)
    action = armature.animation_data.action
    assert bpy.ops.footfall.fit_ball(radius=RADIUS_M) == {"FINISHED"}
    ball = find_ball(armature)
    assert ball is not None and ball.animation_data.action != action
    assert ball.dimensions.x == pytest.approx(2 * RADIUS_M, rel=0.02)
    clip = read_clip(PICK_UP)
    captured = read_ball(ball_file(PICK_UP), clip, RADIUS_M)
    first = int(ball.animation_data.action.frame_range[0])
    apart = np.linalg.norm(path_of(ball, first, len(clip)) - captured.positions, axis=1)
    assert np.median(apart) < 0.04, np.median(apart)
    spans = hand_spans(action)
    assert [name for name, *_ in spans] == list(HAND_SENSORS)
    starts = [int(np.flatnonzero(hand)[0]) + first for hand in captured.contacts.T]
    assert np.abs(np.subtract([span[1] for span in spans], starts)).max() <= 12, "within a fifth of a second"
    assert any(item.kind == "GAIT" for item in action.footfall.segments), "the rest is labelled, too"


def test_corrections_of_hands_stay_and_the_ball_is_made_once() -> None:
    armature = player(PICK_UP)
    action = armature.animation_data.action
    assert bpy.ops.footfall.fit_ball() == {"FINISHED"}
    _, start, end, _ = hand_spans(action)[0]
    edits.erase_contact(armature, action, "hand.L", start, start + 9)
    assert bpy.ops.footfall.fit_ball(radius=RADIUS_M) == {"FINISHED"}
    balls = [obj for obj in bpy.data.objects if obj.name.startswith("Ball")]
    assert balls == [find_ball(armature)] and balls[0].dimensions.x == pytest.approx(2 * RADIUS_M, rel=0.02)
    left = next(span for span in hand_spans(action) if span[0] == "hand.L")
    assert left[1] == start + 10 and left[2] == pytest.approx(end, abs=2)


def test_what_has_no_ball_is_told_and_nothing_changes() -> None:
    for file, words in ((GET_UP, "moves as if it held, caught or dribbled a ball"), (WALK, "moves as if it held")):
        armature = player(file)
        before = set(bpy.data.objects), set(bpy.data.actions), set(bpy.data.meshes)
        assert words in refusal_of(bpy.ops.footfall.fit_ball)
        assert (set(bpy.data.objects), set(bpy.data.actions), set(bpy.data.meshes)) == before
        assert not armature.animation_data.action.footfall.segments


def test_it_waits_for_an_action() -> None:
    armature = player(PICK_UP)
    armature.animation_data_clear()
    assert not bpy.ops.footfall.fit_ball.poll()
