"""Targets of cues: positions of objects at each frame of a walk."""

from typing import Final

import bpy
import numpy as np

from ....core.motion.rotations import Array
from ...animation.fcurve_io.reader import scene_rate
from ...scene.mesh_ground import Clock
from ...scene.mesh_ground.moving import possibly_moving_data
from ...units import world_location

MAX_TARGET_TRACKING_S: Final = 120.0
"""Time for which a moving target is followed; afterwards its last position is used, seconds."""


def target_positions(target: bpy.types.Object, scene: bpy.types.Scene, clock: Clock) -> Array:
    """Return an object's position at each frame of a walk (T, 3), meters, or (1, 3) if it does not move."""
    if target not in possibly_moving_data():
        return world_location(target)[None]
    current = scene.frame_current, scene.frame_subframe
    last = int(MAX_TARGET_TRACKING_S * scene_rate(scene))
    try:
        places = []
        for frame in range(last + 2):
            scene.frame_set(int(clock.start) + frame)
            places.append(world_location(target))
    finally:
        scene.frame_set(current[0], subframe=current[1])
    frames = np.arange(0.0, last, clock.step)
    return np.stack([np.interp(frames, np.arange(last + 2), axis) for axis in np.array(places).T], axis=-1)
