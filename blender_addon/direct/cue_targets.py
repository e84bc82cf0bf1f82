"""Targets of cues: where objects, and hands of characters, are at each frame of a walk."""

from typing import Final

import bpy
import numpy as np

from ...core.ball.palms import palm_centers
from ...core.errors import FootfallError
from ...core.features.ball import HAND_SENSORS
from ...core.motion.rotations import Array
from ..animation.fcurve_io.body_reader import read_body, run_to_end
from ..animation.fcurve_io.reader import scene_rate
from ..rig.store import rig_map_of
from ..scene.mesh_ground import Clock
from ..scene.mesh_ground.moving import possibly_moving_data

MAX_TARGET_TRACKING_S: Final = 120.0
"""Seconds for which a target that moves is followed; after them it stays where it is."""


def target_positions(target: bpy.types.Object, scene: bpy.types.Scene, clock: Clock) -> Array:
    """Return the positions (T, 3) of an object at each frame of a walk, meters; (1, 3) if it does not move."""
    if target not in possibly_moving_data():
        return np.array([target.matrix_world.translation[:]])
    current = scene.frame_current, scene.frame_subframe
    last = int(MAX_TARGET_TRACKING_S * scene_rate(scene))
    try:
        places = []
        for frame in range(last + 2):
            scene.frame_set(int(clock.start) + frame)
            places.append(target.matrix_world.translation[:])
    finally:
        scene.frame_set(current[0], subframe=current[1])
    frames = np.arange(0.0, last, clock.step)
    return np.stack([np.interp(frames, np.arange(last + 2), axis) for axis in np.array(places).T], axis=-1)


def hands_between(target: bpy.types.Object, scene: bpy.types.Scene, clock: Clock) -> tuple[Array, tuple[float, ...]]:
    """Return where (T, 3) a ball is between the hands of a character at each frame of a walk, and when it catches one.

    Args:
        target: the armature.
        scene: the scene of its action.
        clock: which of the scene's frames a frame of the walk is.

    Returns:
        Places, meters, world, and times since the first frame of the walk, seconds.

    Raises:
        FootfallError: it has no action, or no hands.
    """
    action = target.animation_data.action if target.animation_data else None
    if action is None:
        raise FootfallError(
            "'{name}' has no action, so that nothing is known of its hands: bake it first, with a cue that catches.",
            name=target.name,
        )
    clip, first = run_to_end(read_body(target, action, scene, rig_map_of(target)))
    between = palm_centers(clip).mean(axis=1)
    count = int((first + len(clip) - clock.start) / clock.step) + 1
    at = np.clip(clock.start + clock.step * np.arange(max(count, 1)) - first, 0, len(clip) - 1)
    places = np.column_stack([np.interp(at, np.arange(len(clip)), axis) for axis in between.T])
    spans = [{span.start for span in action.footfall.segments if span.name == name} for name in HAND_SENSORS]
    times = (np.array(sorted(spans[0] & spans[1]), dtype=float) - clock.start) / scene_rate(scene)
    return places, tuple(times[times > 0.0].tolist())
