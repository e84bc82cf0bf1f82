"""Finger bones of a rig that close around its ball, and keep their pose while the hand has none."""

from typing import Final

import bpy
import numpy as np
import scipy

from ....core.ball.ball_track import BallTrack
from ....core.ball.fingers import finger_bends
from ....core.ball.palms import Palms
from ....core.motion.roles import FINGER_ROLES
from ....core.motion.rotations import IDENTITY, Array, from_axis_angle, inverse, normalize, rotate
from ....core.rig.rig_map import RigMap
from ...animation.fcurve_io.curves import bone_path
from ...animation.fcurve_io.rig import read_rig
from ...animation.fcurve_io.rotation_modes import (
    rotation_channel,
    rotation_interpolation,
    rotation_values,
    to_quaternions,
)
from ...animation.fcurve_io.tracks import PropertyTrack
from ...animation.layers.animation import animated_by_action
from ...rig.finger_bones import finger_chains
from ...rig.store import mapped_skeleton

MIN_FINGERS: Final = 3
"""Least number of chains on a hand that are fingers."""
PHALANGES: Final = 3
"""Number of bending bones of a finger; earlier bones are in the palm."""
CLOSING_S: Final = 0.05
"""Standard deviation of the smoothing of the closing and opening of fingers."""


def finger_tracks(armature: bpy.types.Object, rig_map: RigMap, ball: BallTrack) -> list[PropertyTrack]:
    """Return rotation tracks of all finger bones for the frames with a ball; empty on a rig without fingers.

    If constraints move the fingers, as in Rigify, the rotations are the controls'. In a range of an action, bones with
    keys of their own are left unchanged.
    """
    hands = [rig_map.bones.get(f"hand.{side}") for side in "LR"]
    if None in hands:
        return []
    rig, skeleton = read_rig(armature), mapped_skeleton(armature, rig_map)
    offsets = Palms.of(skeleton).offsets
    keyed = animated_by_action(armature.animation_data)
    in_part = armature.footfall.output.destination == "RANGE"
    tracks: list[PropertyTrack] = []
    for hand, offset, touches in zip(hands, offsets, ball.contacts.T, strict=True):
        bone = rig.index[str(hand)]
        closed = scipy.ndimage.gaussian_filter1d(touches.astype(float), CLOSING_S * ball.rate, mode="nearest")
        chains = [chain for chain in finger_chains(armature, rig, bone, _others(rig_map)) if len(chain) > 1]
        for chain in (chain[-PHALANGES:] for chain in chains if len(chains) >= MIN_FINGERS):
            points = np.array([*rig.heads[chain], rig.to_world(rig.tails[chain[-1]])])
            axis, bends = finger_bends(points, rig.heads[bone] + offset, ball.radius)
            for number, bend in zip(chain, bends, strict=True):
                name, mode = rig.names[number], armature.pose.bones[rig.names[number]].rotation_mode
                path = bone_path(name, rotation_channel(mode))
                is_keyed = any(channel[0] == path for channel in keyed)
                if is_keyed and in_part:
                    continue
                rest = IDENTITY if is_keyed else _present(armature.pose.bones[name])
                bent = from_axis_angle(rotate(inverse(rig.rest_rotations[number]), axis), bend)
                values = rotation_values(_between(rest, bent, closed), mode)
                tracks.append(PropertyTrack(path, name, values, rotation_interpolation(mode)))
    return tracks


def _others(rig_map: RigMap) -> set[str]:
    """Return the bones in a rig map that are not fingers."""
    return {bone for role, bone in rig_map.bones.items() if role not in FINGER_ROLES}


def _present(bone: bpy.types.PoseBone) -> Array:
    """Return the current rotation (4) of a bone as a quaternion."""
    return to_quaternions(np.array(getattr(bone, rotation_channel(bone.rotation_mode))), bone.rotation_mode)


def _between(first: Array, second: Array, shares: Array) -> Array:
    """Return rotations (F, 4) interpolated between two rotations (4) by shares (F)."""
    nearest = second if float(first @ second) >= 0.0 else -second
    return normalize(first + shares[:, None] * (nearest - first))
