"""Root motion: splitting a clip into the motion of an object or root bone and the remaining motion of the body."""

from dataclasses import dataclass, replace

import numpy as np
import scipy

from ..motion import Clip, Skeleton
from ..motion.root_frame import FACING_SMOOTHING_S, root_track, yaw_of
from ..motion.rotations import Array, inverse, multiply, rotate, rotation_about_up


@dataclass(frozen=True, slots=True)
class RootAxes:
    """The axes of the motion that a root object or root bone takes; the hips keep the others.

    Attributes:
        x: whether the root follows the hips along the world's X.
        y: whether the root follows the hips along the world's Y.
        z: whether the root rises and falls with the hips.
        yaw: whether the root turns with the body's facing.
    """

    x: bool = True
    y: bool = True
    z: bool = False
    yaw: bool = True


def split_root_motion(clip: Clip, axes: RootAxes, ground: float = 0.0) -> tuple[Array, Array, Clip]:
    """Split a clip into the motion of a root object or bone, and the remaining motion of the body.

    The root starts on the ground below the hips, facing as the body does. It follows the hips along the chosen axes;
    along the others, and in yaw if not chosen, it keeps its initial value. It turns smoothly: small, fast turns of hips
    and shoulders stay with the body.

    Args:
        clip: the motion, in the world.
        axes: the axes that the root takes.
        ground: the root's initial height, meters, which it keeps if Z is not chosen.

    Returns:
        The root's positions (F, 3), meters, world; its yaws (F), radians, relative to the skeleton's rest facing and
        without jumps; and the clip in the root's frame, the hips above its origin, facing as at rest.
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


def remove_root_motion(clip: Clip, positions: Array, yaws: Array) -> Clip:
    """Convert a clip from the world to the frame of a moving root object or bone.

    Args:
        clip: the motion in the world.
        positions: (F, 3) positions of the root, meters, world.
        yaws: (F) yaws of the root, radians.
    """
    back = inverse(rotation_about_up(yaws))
    return replace(
        clip, root_positions=rotate(back, clip.root_positions - positions), rotations=_rotate_root(back, clip.rotations)
    )


def body_yaws(clip: Clip) -> Array:
    """Return the smoothed yaws (F), radians, of the body relative to its rest facing, without jumps of a full turn.

    The first lies between -pi and pi. Yaws are measured across thighs and upper arms; in a body without thighs, they
    are those of the hips.
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
    """Return a clip of one frame in the rest pose."""
    rotations = np.zeros((1, len(skeleton), 4))
    rotations[..., 0] = 1.0
    return Clip(skeleton, rate, np.zeros((1, 3)), rotations)


def _rotate_root(root_rotations: Array, rotations: Array) -> Array:
    """Multiply the root's rotations in local rotations (F, J, 4) by ``root_rotations`` (F, 4) from the left."""
    result = rotations.copy()
    result[:, 0] = multiply(root_rotations, rotations[:, 0])
    return result
