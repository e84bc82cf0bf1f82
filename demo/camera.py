"""Cameras: one that follows the walker smoothly from three-quarter side, one with the whole path in view."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from mathutils import Euler, Vector
from scipy.ndimage import gaussian_filter1d

from ..core.evaluation.report import root_positions
from ..core.motion import Clip
from ..core.motion.rotations import Array
from .scene_file import View

SIDE: Final = math.radians(-52.0)
DISTANCE: Final = 5.2
HEIGHT: Final = 1.55
AIM: Final = 0.84
LENS: Final = 50.0
FILM: Final = 20.25  # mm upwards: the same framing for every width of the picture
CALM: Final = 0.5
CALM_TURN: Final = 1.3
EDGE: Final = np.array([0.35, 0.25, 0.0])
FAR: Final = 4.0
LOWEST_TILT: Final = 10.0


def follow(scene: bpy.types.Scene, clip: Clip, first: int) -> bpy.types.Object:
    """Return a camera, with a key per frame, beside the walker, which turns smoothly and later than the way."""
    hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
    roots = gaussian_filter1d(hips, CALM * clip.rate, axis=0, mode="nearest")
    angles = _headings(hips, clip.rate) + SIDE
    beside = np.stack([np.cos(angles), np.sin(angles)], axis=1) * DISTANCE
    camera = _add(scene, "Follow")
    camera.rotation_mode = "QUATERNION"
    places = roots + beside
    for frame in range(len(roots)):
        _place(camera, (places[frame, 0], places[frame, 1], HEIGHT), (roots[frame, 0], roots[frame, 1], AIM))
        camera.keyframe_insert("location", frame=first + frame)
        camera.keyframe_insert("rotation_quaternion", frame=first + frame)
    return camera


def overlook(scene: bpy.types.Scene, points: Array) -> bpy.types.Object:
    """Return a camera with all of a path's points (N, 2), meters, in view, from above and its front side."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    camera = _add(scene, "Overlook")
    _place(camera, (middle[0], low[1] - 7.2, 4.6), (middle[0], middle[1] - 0.1, 0.55))
    camera.data.lens = 42.0
    return camera


def place_camera(scene: bpy.types.Scene, name: str, at: Sequence[float], aim: Sequence[float]) -> bpy.types.Object:
    """Return a camera at a place that looks at another place (3), meters."""
    camera = _add(scene, name)
    _place(camera, at, aim)
    camera.data.lens = 38.0
    return camera


@dataclass(frozen=True, slots=True)
class Framing:
    """An orthographic camera from the side with something fully in view: meters of its view, across and up."""

    camera: bpy.types.Object
    width: float
    height: float


def beside(scene: bpy.types.Scene, points: Array, view: View) -> Framing:
    """Return a camera with exactly all points (N, 3), meters, in view."""
    turn = Euler((math.pi / 2 - math.radians(view.tilt), 0.0, math.radians(view.turn)))
    across, up, back = np.array(turn.to_matrix()).T
    seen = points @ np.column_stack([across, up, back])
    low, high = seen.min(axis=0) - EDGE, seen.max(axis=0) + EDGE
    width, height = float(high[0] - low[0]), float(high[1] - low[1])
    camera = _add(scene, "Side")
    middle = (low + high) / 2
    camera.location = middle[0] * across + middle[1] * up + (high[2] + FAR) * back
    camera.rotation_euler = turn
    camera.data.type, camera.data.sensor_fit = "ORTHO", "HORIZONTAL"
    camera.data.ortho_scale, camera.data.clip_end = width, 4 * FAR + float(high[2] - low[2])
    return Framing(camera, width, height)


def along(scene: bpy.types.Scene, clip: Clip, first: int, view: View) -> bpy.types.Object:
    """Return a camera with a key per frame that moves along with the walker and looks at it from a view."""
    middles = calm_middles(clip)
    values = (view.turn, max(view.tilt, LOWEST_TILT), view.distance)
    return led(scene, middles, np.tile(values, (len(middles), 1)), first)


def calm_middles(clip: Clip) -> Array:
    """Return the smooth way (F, 3) of a character's middle, meters."""
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2:]
    middles = np.concatenate([root_positions(clip), heights], axis=1)
    return gaussian_filter1d(middles, CALM * clip.rate, axis=0, mode="nearest")


def led(scene: bpy.types.Scene, aims: Array, views: Array, first: int) -> bpy.types.Object:
    """Return a camera with a key per frame from a first one on.

    Args:
        scene: scene of the camera.
        aims: (F, 3) points in the middle of the picture, meters.
        views: (F, 3) degrees about Z from the -Y side, degrees from above, and meters to the aim.
        first: scene frame.
    """
    turns, tilts = np.radians(views[:, 0]), np.radians(views[:, 1])
    ways = np.stack([np.sin(turns) * np.cos(tilts), -np.cos(turns) * np.cos(tilts), np.sin(tilts)], axis=1)
    camera = _add(scene, "Led")
    camera.rotation_mode = "QUATERNION"
    for frame, (aim, at) in enumerate(zip(aims, aims + views[:, 2:] * ways, strict=True), first):
        _place(camera, at, aim)
        camera.keyframe_insert("location", frame=frame)
        camera.keyframe_insert("rotation_quaternion", frame=frame)
    return camera


def _headings(hips: Array, rate: float) -> Array:
    """Return the smooth direction of travel (F), radians without jumps; standing frames keep the nearest direction."""
    way = gaussian_filter1d(hips, 0.3 * rate, axis=0, mode="nearest")
    steps = np.gradient(way, axis=0) * rate
    walked = np.flatnonzero(np.linalg.norm(steps, axis=1) > 0.3)
    frames = np.arange(len(hips))
    angles = np.interp(frames, walked, np.unwrap(np.arctan2(steps[walked, 1], steps[walked, 0])))
    return gaussian_filter1d(angles, CALM_TURN * rate, mode="nearest")


def _add(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    data = bpy.data.cameras.new(name)
    data.sensor_fit, data.sensor_height, data.lens = "VERTICAL", FILM, LENS
    camera = bpy.data.objects.new(name, data)
    scene.collection.objects.link(camera)
    return camera


def _place(camera: bpy.types.Object, at: Sequence[float] | Array, aim: Sequence[float] | Array) -> None:
    turn = (Vector(aim) - Vector(at)).to_track_quat("-Z", "Y")
    camera.location = at
    if camera.rotation_mode == "QUATERNION":
        turn.make_compatible(camera.rotation_quaternion)
        camera.rotation_quaternion = turn
    else:
        camera.rotation_euler = turn.to_euler()
