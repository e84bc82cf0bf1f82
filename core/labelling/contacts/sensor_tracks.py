"""Tracks of sensors: their world positions, frame by frame."""

from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.heel import heel_positions
from ...motion.paws import LegChain
from ...motion.proportions import body_scale
from ...motion.roles import PAW_CONTACTS
from ...motion.rotations import Array, rotate
from ..presets import LabellingPreset
from ..sensors import Sensor, find_joint

PAW_JOINTS: Final = {contact.replace("foot", "paw"): contact for contact in PAW_CONTACTS}
"""Contact of each paw by its joint name in presets (``paw...``), which stands for the end of the leg."""


def sensor_tracks(clip: Clip, preset: LabellingPreset, level_ground_clip: Clip | None = None) -> Array:
    """Return the world positions (F, C, 3) of a preset's sensors, meters.

    Args:
        clip: the motion.
        preset: the sensors.
        level_ground_clip: a clip of the same body on level ground, from which heels are measured; the clip itself by
            default.

    Raises:
        FootfallError: a sensor's joint is missing.
    """
    return np.stack([sensor_track(clip, sensor, level_ground_clip) for sensor in preset.sensors], axis=1)


def sensor_track(clip: Clip, sensor: Sensor, level_ground_clip: Clip | None = None) -> Array:
    """Return the world positions (F, 3) of a sensor, meters.

    Args:
        clip: the motion.
        sensor: the sensor.
        level_ground_clip: see :func:`sensor_tracks`.

    Raises:
        FootfallError: the sensor's joint is missing.
    """
    if sensor.joint in PAW_JOINTS:
        return LegChain.of(clip.skeleton, PAW_JOINTS[sensor.joint]).paw_positions(*clip.world)
    joint = find_joint(clip, sensor.joint, sensor.name)
    if sensor.at == "heel":
        track = heel_positions(clip, joint, _toe_joint(clip, joint), level_ground_clip)
    else:
        track = clip.positions[:, joint]
    local = np.array(sensor.offset) * body_scale(clip)
    if sensor.at == "tip":
        local = local + clip.skeleton.bone_vectors[joint]
    if not local.any():
        return track
    return track + rotate(clip.world[1][:, joint], np.broadcast_to(local, track.shape))


def _toe_joint(clip: Clip, foot: int) -> int:
    """Return the toe joint of a foot, or the foot's own joint if it has no toe."""
    roles = clip.skeleton.roles
    for role, joint in roles.items():
        if joint == foot and role.startswith("foot."):
            return roles.get(role.replace("foot", "toe"), foot)
    return foot
