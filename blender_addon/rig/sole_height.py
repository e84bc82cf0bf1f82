"""Height of a rig's feet above the ground at rest, which its object shows but a clip does not."""

from dataclasses import replace
from typing import Final, Literal

import bpy
import numpy as np

from ...core.motion import Clip, Skeleton
from ...core.motion.proportions import (
    ADULT_LEG_LENGTH_M,
    ANKLE_JOINT_HEIGHT_M,
    TOE_JOINT_HEIGHT_M,
    has_toes,
    leg_length,
    scale_between,
)
from ...core.motion.roles import is_quadruped
from ...core.motion.signals import local_floor
from ...core.retarget.rest_pose import is_standing
from ..animation.fcurve_io import read_rig
from ..units import world_location
from .skin import sole_of
from .store import mapped_skeleton, rig_map_of

USUAL_JOINT_HEIGHTS_M: Final = {"toe": TOE_JOINT_HEIGHT_M, "foot": ANKLE_JOINT_HEIGHT_M}
MIN_PLAUSIBLE_HEIGHT_RATIO, MAX_PLAUSIBLE_HEIGHT_RATIO = 0.25, 2.5
"""Range of plausible heights of a rig, as shares of the usual height; other rigs are not built on their own ground."""
MIN_SHOWN_M: Final = 0.005
"""Distance of a mesh's soles from the rig's own ground at rest above which the mesh is trusted instead of the rig."""
MAX_ORIGIN_HEIGHT_RATIO: Final = 0.2
"""Largest height of an armature's origin above its soles, as a share of leg length, that counts as on the ground."""
SAME_FLOOR_TOLERANCE_M: Final = 0.04
"""Largest distance of an adult's soles from the scene's or the armature's ground that counts as contact."""


def floor_height(armature: bpy.types.Object) -> float:
    """Return the height of the ground under an armature: that of its origin, or of its soles if they differ.

    In files from other programs, the origin may be at the hips.
    """
    origin, body = float(world_location(armature)[2]), mapped_skeleton(armature, rig_map_of(armature))
    if is_quadruped(body.roles):
        return origin
    part: Literal["toe", "foot"] = "toe" if has_toes(body) else "foot"
    rig, size = read_rig(armature), leg_length(body)
    height = min(float(rig.heads[rig.index[body.names[body.joint(f"{part}.{side}")]], 2]) for side in "LR")
    usual = USUAL_JOINT_HEIGHTS_M[part] * size / ADULT_LEG_LENGTH_M
    sole = sole_of(armature, part)
    soles = height - (usual if sole is None else sole)
    return origin if abs(origin - soles) < MAX_ORIGIN_HEIGHT_RATIO * size else soles


def joint_rise(armature: bpy.types.Object, part: Literal["toe", "foot"]) -> float:
    """Return the excess height, meters, of the balls or ankles of a rig's feet at rest over the usual; 0 if unknown."""
    rig_map = rig_map_of(armature)
    bones = [rig_map.bones.get(f"{part}.{side}") for side in "LR"]
    body = mapped_skeleton(armature, rig_map)
    if None in bones or not is_standing(body):
        return 0.0
    rig, ground = read_rig(armature), world_location(armature)[2]
    heights = [float(rig.heads[rig.index[bone], 2]) - ground for bone in bones if bone]
    usual = USUAL_JOINT_HEIGHTS_M[part] * leg_length(body) / ADULT_LEG_LENGTH_M
    sole = sole_of(armature, part)
    if sole is not None and abs(sole - sum(heights) / len(heights)) > MIN_SHOWN_M:
        return sole - usual
    if not all(MIN_PLAUSIBLE_HEIGHT_RATIO * usual < height < MAX_PLAUSIBLE_HEIGHT_RATIO * usual for height in heights):
        return 0.0
    return sum(heights) / len(heights) - usual


def place_on_soles(clip: Clip, armature: bpy.types.Object, source: tuple[Clip, bpy.types.Object] | None = None) -> Clip:
    """Return a clip on a rig's body, raised or lowered so that the feet stand on the rig's own soles.

    Args:
        clip: motion on the body of the armature.
        armature: the rig.
        source: the motion as read, whose feet have their own height, and the armature from which it was read.
    """
    higher = sole_offset(clip.skeleton, armature, source)
    return replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, higher]))


def sole_offset(
    skeleton: Skeleton, armature: bpy.types.Object, source: tuple[Clip, bpy.types.Object] | None = None
) -> float:
    """Return the height, meters, by which :func:`place_on_soles` raises a clip on a body."""
    if is_quadruped(skeleton.roles):
        return 0.0  # paws are placed on the ground by their own depth at rest
    if source is None:
        return rise_after(skeleton, skeleton, armature)
    part = _foot_part(source[0].skeleton, skeleton)
    return joint_rise(armature, part) - scale_between(source[0].skeleton, skeleton) * joint_rise(source[1], part)


def floor_below(clip: Clip, armature: bpy.types.Object) -> float:
    """Return the height of the ground, meters, under the soles at the start of a motion.

    Args:
        clip: the motion, in the world.
        armature: the armature from which the motion was read.
    """
    part: Literal["toe", "foot"] = "toe" if has_toes(clip.skeleton) else "foot"
    joints = [clip.skeleton.roles[role] for role in (f"{part}.L", f"{part}.R") if role in clip.skeleton.roles]
    if not joints:
        return 0.0
    size = leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
    four_legged = is_quadruped(clip.skeleton.roles)
    above_sole = 0.0 if four_legged else USUAL_JOINT_HEIGHTS_M[part] * size + joint_rise(armature, part)
    floor = float(local_floor(clip.positions[:, joints, 2], clip.rate)[0].min()) - above_sole
    tolerance = size * (ANKLE_JOINT_HEIGHT_M if four_legged else SAME_FLOOR_TOLERANCE_M)
    nearest = min((0.0, float(world_location(armature)[2])), key=lambda height: abs(height - floor))
    return nearest if abs(nearest - floor) < tolerance else floor


def rise_after(source: Skeleton, skeleton: Skeleton, armature: bpy.types.Object) -> float:
    """Return the height, meters, by which to raise a retargeted motion so that a rig's soles are on the ground.

    Args:
        source: skeleton from which the motion was retargeted.
        skeleton: skeleton of the rig.
        armature: the rig.
    """
    return joint_rise(armature, _foot_part(source, skeleton))


def _foot_part(source: Skeleton, skeleton: Skeleton) -> Literal["toe", "foot"]:
    """Return the part of the feet whose height retargeting keeps: the balls if both skeletons have them."""
    return "toe" if has_toes(source) and has_toes(skeleton) else "foot"
