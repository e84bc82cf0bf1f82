"""Where sensors are: their tracks through the world."""

import numpy as np

from ...motion import Clip
from ...motion.heel import heel_positions
from ...motion.proportions import body_scale
from ...motion.rotations import Array, rotate
from ..presets import LabellingPreset
from ..sensors import Sensor, find_joint


def sensor_tracks(clip: Clip, preset: LabellingPreset, level_ground_clip: Clip | None = None) -> Array:
    """Where a preset's sensors are (F, C, 3), metres, world.

    Args:
        clip: the motion.
        preset: what is looked for.
        level_ground_clip: the same body on level ground, where the clip is not: its feet say where heels are.

    Raises:
        FootfallError: where a sensor's joint is not there.
    """
    return np.stack([sensor_track(clip, sensor, level_ground_clip) for sensor in preset.sensors], axis=1)


def sensor_track(clip: Clip, sensor: Sensor, level_ground_clip: Clip | None = None) -> Array:
    """Where a sensor is (F, 3), metres, world; raises :class:`FootfallError` where its joint is not there."""
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
    """Return the toe joint that belongs to a foot joint; the foot itself where it has none."""
    roles = clip.skeleton.roles
    for role, joint in roles.items():
        if joint == foot and role.startswith("foot."):
            return roles.get(role.replace("foot", "toe"), foot)
    return foot
