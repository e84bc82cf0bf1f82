"""The ball of a character in the scene: a sphere with an action of its own."""

from typing import Final

import bmesh
import bpy
import numpy as np

from ...core.ball.ball_track import BallTrack
from ...core.motion.rotations import Array
from ..animation.fcurve_io.curves import channel_values, curves_of
from ..animation.fcurve_io.tracks import PropertyTrack
from ..animation.layers import Destination, companions_of, is_replaced, revert, uncover, write

BALL_PROPERTY: Final = "footfall_ball"
"""Custom property of a ball: the full name of the armature that plays with it."""
SEGMENTS: Final = (24, 16)
"""Meridians and parallels of a ball's mesh."""


def place_ball(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    track: BallTrack,
    first_frame: int,
    scene: bpy.types.Scene,
    common: bpy.types.Object | None = None,
) -> bpy.types.Object:
    """Key the motion of an armature's ball on every frame, adding a ball if it has none; return the ball.

    Args:
        armature: the armature that plays with the ball.
        action: the armature's action, after which the ball's action is named.
        track: the motion of the ball.
        first_frame: scene frame of the first key.
        scene: the scene for a new ball.
        common: another character's ball that the armature plays with instead of its own.
    """
    ball = common or find_ball(armature)
    if ball is None:
        ball = bpy.data.objects.new("Ball", _sphere(track.radius))
        ball[BALL_PROPERTY] = armature.name_full
        scene.collection.objects.link(ball)
    else:
        old = ball.data
        ball.data = _sphere(track.radius)
        for material in old.materials:
            ball.data.materials.append(material)
        if not old.users:
            bpy.data.meshes.remove(old)
    ball.parent, ball.rotation_mode, ball.scale = None, "QUATERNION", (1.0, 1.0, 1.0)
    tracks = [
        PropertyTrack("location", "Object Transforms", np.asarray(track.positions, dtype=float), "LINEAR"),
        PropertyTrack("rotation_quaternion", "Object Transforms", np.asarray(track.rotations, dtype=float), "LINEAR"),
    ]
    uncover(armature, ball)
    if is_replaced(armature, action, ball):
        revert(ball, known_untouched=True)
    write(ball, tracks, first_frame, Destination(), f"{action.name}_ball")
    return ball


def find_ball(armature: bpy.types.Object) -> bpy.types.Object | None:
    """Return the ball of an armature; ``None`` unless it has one that can be changed."""
    return next(
        (
            obj
            for obj in bpy.data.objects
            if obj.type == "MESH" and obj.is_editable and obj.get(BALL_PROPERTY) == armature.name_full
        ),
        None,
    )


def played_ball(armature: bpy.types.Object) -> bpy.types.Object | None:
    """Return the ball in an armature's last bake, possibly another character's; else the armature's own, if any."""
    played = (one for one in companions_of(armature) if BALL_PROPERTY in one and one.is_editable)
    return next(played, None) or find_ball(armature)


def ball_motion(ball: bpy.types.Object) -> tuple[int, Array, Array] | None:
    """Return the first frame of a ball's action, its positions (F, 3), meters, and rotations (F, 4), if it has one.

    Parent and constraints are ignored.
    """
    data = ball.animation_data
    if data is None or data.action is None or data.action_slot is None:
        return None
    curves, (first, last) = curves_of(data.action, data.action_slot), data.action.frame_range
    if ("location", 0) not in curves:
        return None
    frames = np.arange(round(first), round(last) + 1, dtype=float)
    places = channel_values(curves, "location", tuple(ball.location), frames)
    turns = channel_values(curves, "rotation_quaternion", tuple(ball.rotation_quaternion), frames)
    return round(first), places, np.broadcast_to(turns, (len(frames), 4))


def _sphere(radius: float) -> bpy.types.Mesh:
    """Return the mesh of a ball."""
    mesh, form = bpy.data.meshes.new("Ball"), bmesh.new()
    bmesh.ops.create_uvsphere(form, u_segments=SEGMENTS[0], v_segments=SEGMENTS[1], radius=radius)
    form.to_mesh(mesh)
    form.free()
    mesh.shade_smooth()
    return mesh
