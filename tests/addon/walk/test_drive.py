"""Driving in Blender: held keys move the character, what was driven becomes a path, and a bake follows it."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.drive.driven_path import store_driven_path
from footfall.blender_addon.activities.drive.session import DriveSession
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.scene.ground_tags import OBSTACLE, WALKABLE, set_tag
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import root_track, smooth_positions
from footfall.core.motion.rotations import length
from footfall.tests.addon.support.scenes import add_box, add_plane

AHEAD = 0.0
"""Yaw of a view along +Y."""
TICK_S = 1 / 30


def add_character(controller: str = "preset:locomotion_small") -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    return bpy.context.object


def drive(session: DriveSession, seconds: float, *actions: str, view: float = AHEAD) -> np.ndarray:
    """Hold some keys for a time; return where the character has come, meters, world."""
    for action in actions:
        session.press(action)
    for _ in range(round(seconds / TICK_S)):
        session.advance(TICK_S, view)
    for action in actions:
        session.release(action)
    return session.place


def driven_way(session: DriveSession) -> np.ndarray:
    """The way (F, 2) of a drive without the sway of steps, meters, world."""
    roots = session.scale * np.array([moment.root[:2] for moment in session.moments])
    return smooth_positions(roots, 0.25 * session.model.rate)


def farthest(places: np.ndarray, line: np.ndarray) -> float:
    """The largest distance of places (N, 2) from the nearest points of a line (M, 2)."""
    return float(max(length(line - place).min() for place in places))


@pytest.mark.every_blender
def test_held_keys_lead_the_character_and_its_way_becomes_a_path_that_a_bake_follows() -> None:
    armature = add_character()
    armature.rotation_euler.z = np.pi  # it looks ahead
    bpy.context.view_layer.update()
    session = DriveSession(armature, bpy.context)
    drive(session, 3.0, "FORWARD")
    place = drive(session, 2.0, "RIGHT")
    assert place[1] > 2.0 and place[0] > 1.0 and place[2] == pytest.approx(0.0)
    driven = driven_way(session)
    said = str(store_driven_path(armature, session.path(), session.scale, bpy.context.collection))
    assert "Recorded the path" in said and armature.footfall.path is not None
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    baked = root_track(clip, 0.25).positions
    assert max(farthest(driven, baked), farthest(baked, driven)) < 0.06, "a sway of the hips beside the goal of 5 cm"


def test_the_scene_plays_from_the_frame_at_which_the_bake_begins() -> None:
    bpy.context.scene.render.fps, bpy.context.scene.frame_start = 24, 11
    session = DriveSession(add_character(), bpy.context)
    assert session.scene_frame == 11
    drive(session, 2.0, "FORWARD")
    assert session.scene_frame == 11 + 48


def test_keys_are_those_of_the_view() -> None:
    session = DriveSession(add_character(), bpy.context)
    session.press("FORWARD")
    np.testing.assert_allclose(session.wish(0.0).velocity * session.scale, [0.0, session.speed])
    np.testing.assert_allclose(session.wish(np.pi / 2).velocity * session.scale, [-session.speed, 0.0], atol=1e-9)
    session.press("RIGHT")
    assert length(session.wish(0.0).velocity) * session.scale == pytest.approx(session.speed), "no faster aslant"
    session.release("FORWARD")
    session.release("RIGHT")
    assert not session.wish(0.0).velocity.any()


def test_running_slow_walking_crouching_strafing_and_jumping_are_keys() -> None:
    session = DriveSession(add_character("preset:locomotion"), bpy.context)
    session.press("FORWARD")
    walked = length(session.wish(0.0).velocity)
    session.press("FASTER")
    assert length(session.wish(0.0).velocity) > 2.0 * walked
    session.release("FASTER")
    session.press("SLOWER")
    assert length(session.wish(0.0).velocity) == pytest.approx(0.5 * walked)
    session.press("CROUCH")
    session.press("STRAFE")
    assert session.wish(1.0).style == "crouch" and session.wish(1.0).yaw == 1.0
    session.press("JUMP")
    assert session.wish(0.0).jumps and not session.wish(0.0).jumps, "once"
    session.press("CAMERA")
    assert not session.follows


def test_a_wall_is_gone_along_and_not_through() -> None:
    set_tag(add_plane(30.0), WALKABLE)
    set_tag(add_box("Wall", (0.0, 2.0, 1.0), (6.0, 0.2, 2.0)), OBSTACLE)
    bpy.context.view_layer.update()
    session = DriveSession(add_character(), bpy.context)
    assert drive(session, 4.0, "FORWARD")[1] < 1.8


def test_stairs_are_climbed() -> None:
    set_tag(add_plane(30.0), WALKABLE)
    set_tag(add_box("Step", (0.0, 3.0, 0.075), (4.0, 3.0, 0.15)), WALKABLE)
    bpy.context.view_layer.update()
    session = DriveSession(add_character("preset:locomotion"), bpy.context)
    assert drive(session, 3.0, "FORWARD")[2] == pytest.approx(0.15, abs=0.02)


def test_waits_and_styles_become_cues() -> None:
    armature = add_character("preset:locomotion")
    session = DriveSession(armature, bpy.context)
    drive(session, 2.0, "FORWARD")
    drive(session, 2.0)
    drive(session, 4.0, "FORWARD", "CROUCH")
    store_driven_path(armature, session.path(), session.scale, bpy.context.collection)
    kinds = [(event.type, event.style) for event in armature.footfall.path_events]
    assert ("STYLE", "crouch") in kinds and "WAIT" in {kind for kind, _ in kinds}
    points = armature.footfall.path.data.splines[0].bezier_points
    assert armature.footfall.speed_from_radius and 2 < len(points) < 20, "few, to be edited"
    radii = [point.radius for point in points]
    assert min(radii) < 0.8 * max(radii), "a crouch is slow"


def test_a_jump_becomes_an_event() -> None:
    armature = add_character("preset:locomotion")
    session = DriveSession(armature, bpy.context)
    drive(session, 2.0, "FORWARD")
    session.press("JUMP")
    drive(session, 3.0, "FORWARD")
    store_driven_path(armature, session.path(), session.scale, bpy.context.collection)
    (event,) = armature.footfall.path_events
    assert event.type == "JUMP" and 1.0 < event.start_distance < 4.5


def test_a_ball_is_dribbled_in_a_drive_and_the_other_hand_becomes_an_event() -> None:
    armature = add_character("preset:dribble")
    armature.footfall.ball = "RIGHT"
    session = DriveSession(armature, bpy.context)
    drive(session, 4.0, "FORWARD")
    assert session.ball is not None and session.ball[2] < 1.5
    session.press("HAND")
    drive(session, 4.0, "FORWARD")
    store_driven_path(armature, session.path(), session.scale, bpy.context.collection)
    (event,) = [event for event in armature.footfall.path_events if event.type == "HAND"]
    assert event.hand == "LEFT" and 3.0 < event.start_distance < 8.0
    armature.footfall.ball = "NONE"
    session = DriveSession(armature, bpy.context)
    drive(session, 0.5, "FORWARD")
    assert session.ball is None


def test_a_quadruped_is_driven_too() -> None:
    session = DriveSession(add_character("preset:quadruped"), bpy.context)
    assert drive(session, 3.0, "FORWARD")[1] > 1.0


def test_who_hardly_moved_has_no_path() -> None:
    session = DriveSession(add_character(), bpy.context)
    drive(session, 1.0)
    with pytest.raises(FootfallError, match="The character hardly moved"):
        session.path()
