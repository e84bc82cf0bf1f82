"""Root motion: the part of a clip that a carrier does, an object or a root bone, and what is left for the body."""

from dataclasses import dataclass, replace

import numpy as np
import scipy

from ..motion import Clip, Skeleton
from ..motion.root_frame import FACING_SMOOTHING_S, root_track, yaw_of
from ..motion.rotations import Array, inverse, multiply, rotate, rotation_about_up


@dataclass(frozen=True, slots=True)
class RootAxes:
    """What the carrier does of a clip's motion; the hips keep the rest.

    Attributes:
        x, y: whether it travels along the world's X and Y, with the hips.
        z: whether it rises and falls with the hips.
        yaw: whether it turns the way the body faces.
    """

    x: bool = True
    y: bool = True
    z: bool = False
    yaw: bool = True


def split_root_motion(clip: Clip, axes: RootAxes, ground: float = 0.0) -> tuple[Array, Array, Clip]:
    """Take the carrier's motion out of a clip.

    The carrier begins on the ground below the hips, turned as the body is. From there it follows the hips along the
    axes that are its own; along the others, and in yaw where that is not its own, it stays as it begins. It turns
    smoothly: the small, fast turns of hips and shoulders are the body's.

    Args:
        clip: the motion, in the world.
        axes: what the carrier does.
        ground: the height at which it begins, metres, and stays where Z is not its own.

    Returns:
        The carrier's places (F, 3), metres, world; how far it is turned about the world's Z from how the skeleton
        stands at rest (F), radians, without jumps; and the clip as the carrier sees it, the hips above its origin,
        facing as at rest. Put back by :func:`apply_root_motion`, it is the clip.
    """
    hips = clip.positions[:, clip.skeleton.roles.get("hips", 0)]
    positions = np.tile(hips[:1], (len(clip), 1))
    for axis, follows in enumerate((axes.x, axes.y, axes.z)):
        if follows:
            positions[:, axis] = hips[:, axis]
    positions[:, 2] += ground - hips[0, 2]
    yaws = body_yaws(clip)
    if not axes.yaw:
        yaws = np.full(len(clip), yaws[0])
    return positions, yaws, remove_root_motion(clip, positions, yaws)


def apply_root_motion(clip: Clip, positions: Array, yaws: Array) -> Clip:
    """Return the clip carried by a carrier at places (F, 3), metres, turned about Z by yaws (F), radians."""
    turns = rotation_about_up(yaws)
    return replace(
        clip,
        root_positions=rotate(turns, clip.root_positions) + positions,
        rotations=_rotate_root(turns, clip.rotations),
    )


def remove_root_motion(clip: Clip, positions: Array, yaws: Array) -> Clip:
    """Return the clip as a carrier at places (F, 3), metres, turned about Z by yaws (F), radians, sees it."""
    back = inverse(rotation_about_up(yaws))
    return replace(
        clip,
        root_positions=rotate(back, clip.root_positions - positions),
        rotations=_rotate_root(back, clip.rotations),
    )


def body_yaws(clip: Clip) -> Array:
    """How far the body is turned about Z from how it stands at rest (F), radians: smooth, without jumps.

    The first lies between -pi and pi. Read across thighs and upper arms; without thighs, off the hips' own rotation.
    """
    skeleton = clip.skeleton
    if "thigh.L" in skeleton.roles and "thigh.R" in skeleton.roles:
        yaws = root_track(clip).yaws - root_track(_rest_clip(skeleton, clip.rate)).yaws[0]
    else:
        turn = clip.world[1][:, skeleton.roles.get("hips", 0)]
        half = np.arctan2(turn[:, 3], turn[:, 0])
        facing = np.stack([-np.sin(2 * half), np.cos(2 * half)], axis=-1)
        yaws = np.unwrap(
            yaw_of(scipy.ndimage.gaussian_filter1d(facing, FACING_SMOOTHING_S * clip.rate, axis=0, mode="nearest"))
        )
    return yaws - 2 * np.pi * np.round(yaws[0] / (2 * np.pi))


def _rest_clip(skeleton: Skeleton, rate: float) -> Clip:
    rotations = np.zeros((1, len(skeleton), 4))
    rotations[..., 0] = 1.0
    return Clip(skeleton, rate, np.zeros((1, 3)), rotations)


def _rotate_root(root_rotations: Array, rotations: Array) -> Array:
    result = rotations.copy()
    result[:, 0] = multiply(root_rotations, rotations[:, 0])
    return result
