"""Liveliness of a motion: rotation of joints, lift of the toes, sway of the hips, jerk.

Networks tend to the average pose: joints turn less, toes drag and hips hardly sway, while path error and skate look
perfect (NSM figure 12). All measures are taken while the character travels, so that standing before and after a walk
does not count as stiffness.
"""

from typing import Final

import numpy as np
import scipy

from ..motion.clip import Clip
from ..motion.rotations import Array, inverse, log, multiply, rotate
from ..motion.signals import Mask, low_pass
from ..retarget.rest_pose import is_standing

LOW_PERCENTILE, HIGH_PERCENTILE = 5.0, 98.0
"""Percentiles between which the ranges of toe lift and sway are measured."""
COURSE_SMOOTHING_S: Final = 0.45
"""Standard deviation of the filter that removes the sway from a root's path."""
MAX_STRAIGHT_TURN_RAD_S: Final = 0.35
"""Turn rate below which a path is straight enough to measure the sway."""
SINK_SMOOTHING_S: Final = 0.1
"""Standard deviation of the filter that removes noise, but no bounce, from the hips' height."""


def body_joints(clip: Clip) -> list[int]:
    """Return the indices of joints with a body part (role), which rigs share; fingers, face and helpers have none."""
    return sorted(set(clip.skeleton.roles.values()))


def joint_speeds(clip: Clip) -> Array:
    """Return the rotation speeds (F - 1, B), rad/s, of the body's B joints relative to their parents.

    Joints are in the order of :func:`body_joints`; the hips turn relative to the world.
    """
    rotations = clip.rotations[:, body_joints(clip)]
    return np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1) * clip.rate


def joint_rotation_speed(clip: Clip, frames: Mask, cutoff: float | None = None) -> float:
    """Return the mean rotation speed, rad/s, of the body's joints relative to their parents in the given frames.

    Args:
        clip: the motion.
        frames: (F) mask of the frames.
        cutoff: frequency, Hz, above which rotation is ignored as noise of markers; no limit by default.
    """
    if len(clip) < 2:
        return 0.0
    rotations = clip.rotations[:, body_joints(clip)]
    turned = log(multiply(inverse(rotations[:-1]), rotations[1:]))
    if cutoff is not None:
        turned = low_pass(turned, clip.rate, cutoff)
    return _mean(np.linalg.norm(turned, axis=-1)[frames[1:]]) * clip.rate


def joint_jerks(clip: Clip) -> Array:
    """Return the jerk (F, B), m/s^3, of the body's joints in the world, in the order of :func:`body_joints`.

    It is measured over a frame and the three before, and NaN in the first three frames.
    """
    result = np.full((len(clip), len(body_joints(clip))), np.nan)
    if len(clip) > 3:
        third = np.diff(clip.positions[:, body_joints(clip)], n=3, axis=0)
        result[3:] = np.linalg.norm(third, axis=-1) * clip.rate**3
    return result


def mean_jerk(clip: Clip, frames: Mask) -> float:
    """Return the mean jerk of the body's joints in the world, m/s^3, in frames given by a mask (F).

    It is computed from third differences of position (Flash and Hogan 1985). It grows with the clip's rate, so that
    only clips of equal rate are comparable.
    """
    return _mean(joint_jerks(clip)[3:][frames[3:]])


def mean_lean(clip: Clip, role: str, frames: Mask) -> float | None:
    """Return the mean angle, radians, between a joint's orientation and its upright rest orientation, in given frames.

    Args:
        clip: the motion.
        role: role of the joint.
        frames: (F) mask of the frames.

    Returns:
        ``None`` if there is no such joint, or if the skeleton does not stand upright in its rest pose.
    """
    if role not in clip.skeleton.roles or not is_standing(clip.skeleton):
        return None
    up = rotate(clip.world[1][:, clip.skeleton.roles[role]], np.array([0.0, 0.0, 1.0]))
    return _mean(np.arccos(np.clip(up[:, 2], -1.0, 1.0))[frames])


def toe_lift(toes: Array, frames: Mask) -> float:
    """Return the range of height of toes (F, T, 3) in the masked frames (F), mean over the T toes, meters.

    The range is the difference of the 98th and the 5th percentile.
    """
    return float(_percentile_range(toes[frames, :, 2]).mean())


def hip_sway(roots: Array, rate: float, frames: Mask) -> float | None:
    """Return the range, meters, of the root's sideways offset from its own smoothed path: 98th minus 5th percentile.

    Only frames on a nearly straight path are measured, since bends would count as sway.

    Args:
        roots: (F, 2) positions, meters.
        rate: frames per second.
        frames: (F) mask of the frames.

    Returns:
        ``None`` if less than a second of straight path remains.
    """
    if len(roots) < 3:
        return None
    course = smooth_root_path(roots, rate)
    heading = np.gradient(course, axis=0)
    length = np.linalg.norm(heading, axis=-1)
    turning = np.abs(np.gradient(np.unwrap(np.arctan2(heading[:, 1], heading[:, 0])))) * rate
    chosen = frames & (turning < MAX_STRAIGHT_TURN_RAD_S)
    if np.count_nonzero(chosen) < rate:
        return None
    across = np.stack([heading[:, 1], -heading[:, 0]], axis=-1) / np.where(length > 0, length, 1.0)[:, None]
    return float(_percentile_range(np.sum((roots - course) * across, axis=-1)[chosen]))


def smooth_root_path(roots: Array, rate: float) -> Array:
    """Return root positions (F, 2), meters, without the sway of steps; for the filter they are mirrored at both ends.

    The residual of a Gaussian filter is filtered again and added, so that bends are not cut (Tukey's twicing, 1977).
    """
    sigma = COURSE_SMOOTHING_S * rate
    pad = min(int(np.ceil(6 * sigma)), len(roots) - 1)
    longer = np.pad(roots, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    course = scipy.ndimage.gaussian_filter1d(longer, sigma, axis=0)
    course += scipy.ndimage.gaussian_filter1d(longer - course, sigma, axis=0)
    return course[pad : pad + len(roots)]


def _percentile_range(values: Array) -> Array:
    """Return the difference of an upper and a lower percentile of values."""
    low, high = np.percentile(values, [LOW_PERCENTILE, HIGH_PERCENTILE], axis=0)
    return high - low


def _mean(values: Array) -> float:
    """Return the mean of values, or 0 if there are none."""
    return float(values.mean()) if values.size else 0.0
