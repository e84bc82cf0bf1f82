"""How much life a motion has: joints' rotation, lift of the toes, sway of the hips, jerk.

Networks average; an averaged character turns its joints less, drags its toes and hardly sways, while path error and
skate look perfect (NSM Fig. 12). All are read over the frames under way, so that standing before and after a walk
does not pass for stiffness.
"""

from typing import Final

import numpy as np
import scipy

from ..motion.clip import Clip
from ..motion.rotations import Array, inverse, log, multiply, rotate
from ..retarget.rest_pose import is_standing
from .speed import FrameMask

LOW_PERCENTILE, HIGH_PERCENTILE = 5.0, 98.0
COURSE_SMOOTHING_S: Final = 0.45
"""Seconds, the standard deviation of the filter that leaves a root's course without its sway."""
MAX_STRAIGHT_TURN_RAD_S: Final = 0.35
"""Radians a second of turning under which a course counts as straight for the sway."""


def body_joints(clip: Clip) -> list[int]:
    """Return the joints that play a role: those that any two skeletons share, without fingers, face and helper
    bones.
    """
    return sorted(set(clip.skeleton.roles.values()))


def joint_rotation_speed(clip: Clip, frames: FrameMask) -> float:
    """Mean rotation of the body's joints relative to their parents, rad/s, over the steps to ``frames`` (F)."""
    if len(clip) < 2:
        return 0.0
    rotations = clip.rotations[:, body_joints(clip)]
    turned = np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1)
    return _mean(turned[frames[1:]]) * clip.rate


def joint_jerks(clip: Clip) -> Array:
    """Jerk of each of the body's joints in the world (F, J), m/s^3, in the order of :func:`body_joints`.

    It is that of the four frames that end with each, so that the first three have none (NaN).
    """
    result = np.full((len(clip), len(body_joints(clip))), np.nan)
    if len(clip) > 3:
        third = np.diff(clip.positions[:, body_joints(clip)], n=3, axis=0)
        result[3:] = np.linalg.norm(third, axis=-1) * clip.rate**3
    return result


def mean_jerk(clip: Clip, frames: FrameMask) -> float:
    """Mean jerk of the body's joints in the world, m/s^3, over the third differences that end in ``frames`` (F).

    It grows with the rate of the clip; compare clips of one rate only.
    """
    return _mean(joint_jerks(clip)[3:][frames[3:]])


def mean_lean(clip: Clip, role: str, frames: FrameMask) -> float | None:
    """How far a role's joint is from upright, radians, mean over ``frames`` (F).

    ``None`` where nobody plays the role, or where the skeleton's zero pose is nobody standing, so that it does not say
    what is upright.
    """
    if role not in clip.skeleton.roles or not is_standing(clip.skeleton):
        return None
    up = rotate(clip.world[1][:, clip.skeleton.roles[role]], np.array([0.0, 0.0, 1.0]))
    return _mean(np.arccos(np.clip(up[:, 2], -1.0, 1.0))[frames])


def toe_lift(toes: Array, frames: FrameMask) -> float:
    """98th minus 5th percentile of toe heights (F, T, 3), metres, over ``frames`` (F); the mean over the toes."""
    return float(_percentile_range(toes[frames, :, 2]).mean())


def hip_sway(roots: Array, rate: float, frames: FrameMask) -> float | None:
    """98th minus 5th percentile, metres, of the root's (F, 2) sideways swing about its own smoothed course.

    Bends would pass for sway, so of ``frames`` (F) only those on a nearly straight course count; ``None`` where that is
    less than a second.
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
    """Return the root's course (F, 2) without the sway of its steps; the ends go on as they came (odd reflection).

    What a Gaussian filter cuts off bends is filtered once more and put back (Tukey's twicing).
    """
    sigma = COURSE_SMOOTHING_S * rate
    pad = min(int(np.ceil(6 * sigma)), len(roots) - 1)
    longer = np.pad(roots, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    course = scipy.ndimage.gaussian_filter1d(longer, sigma, axis=0)
    course += scipy.ndimage.gaussian_filter1d(longer - course, sigma, axis=0)
    return course[pad : pad + len(roots)]


def _percentile_range(values: Array) -> Array:
    low, high = np.percentile(values, [LOW_PERCENTILE, HIGH_PERCENTILE], axis=0)
    return high - low


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else 0.0
