"""Heel and toe contacts by height and speed with hysteresis (PFNN section 4.1, after Lee et al. 2002).

The *heel* is the foot joint, which sits above the heel bone, the *toe* the ball of the foot.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, percentile_filter
from scipy.signal import savgol_filter

from ..motion import Clip
from ..motion.rotations import Array

JOINTS: Final = ("foot.L", "toe.L", "foot.R", "toe.R")

# Thresholds of an adult whose leg is 0.84 m long; they scale with the leg.
ADULT_LEG: Final = 0.84
BEGIN_SPEED: Final = 0.35
END_SPEED: Final = 0.55
BEGIN_HEIGHT: Final = 0.035
END_HEIGHT: Final = 0.060
SHORTEST: Final = 0.06
# What hysteresis holds is a contact, however near to its end: above 0.5, also when rounded in a file.
LEAST_CONTACT: Final = 0.51
FLOOR_PERCENTILE: Final = 8.0
FLOOR_WINDOW: Final = 2.0


def velocities(positions: Array, rate: float) -> Array:
    """Smoothed velocities (F, ..., 3) of positions (F, ..., 3), m/s: a quadratic fitted over 0.08 s."""
    window = min(max(round(0.08 * rate) | 1, 5), (len(positions) - 1) | 1)
    if window < 5 or window > len(positions):
        return np.gradient(positions, 1 / rate, axis=0) if len(positions) > 1 else np.zeros_like(positions)
    return np.asarray(savgol_filter(positions, window, 2, deriv=1, delta=1 / rate, axis=0, mode="interp"))


def local_floor(heights: Array, rate: float) -> Array:
    """The floor under each joint at each frame (F, C), metres: a low percentile of its height over two seconds.

    The window follows steps and slopes; the filter at its end keeps the floor from jumping between them.
    """
    size = max(round(FLOOR_WINDOW * rate), 1)
    floor = percentile_filter(heights, FLOOR_PERCENTILE, size=(size, 1), mode="nearest")
    return gaussian_filter1d(floor, 0.1 * rate, axis=0, mode="nearest")


def hysteresis(begins: NDArray[np.bool_], ends: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A state (F, C) that turns on where ``begins`` and off where ``ends``, and otherwise stays as it was."""
    event = np.where(begins, 1, np.where(ends, -1, 0))
    last = np.maximum.accumulate(np.where(event != 0, np.arange(len(event))[:, None], -1), axis=0)
    return (last >= 0) & (np.take_along_axis(event, np.maximum(last, 0), axis=0) > 0)


def drop_short(state: NDArray[np.bool_], frames: int) -> NDArray[np.bool_]:
    """The state (F, C) without runs of on or off shorter than ``frames``; gaps are closed first, then specks go."""
    result = state.copy()
    for column in result.T:
        for value in (False, True):
            for start, stop in runs_of(column == value):
                if stop - start < frames and start > 0 and stop < len(column):
                    column[start:stop] = not value
    return result


def runs_of(state: NDArray[np.bool_]) -> NDArray[np.intp]:
    """First frame and frame after the last (R, 2) of every run of true in a state (F)."""
    padded = np.concatenate([[0], state.astype(np.int8), [0]])
    return np.flatnonzero(np.diff(padded)).reshape(-1, 2)


def find_contacts(clip: Clip) -> tuple[Array, float]:
    """Contact probabilities (F, 4) of heels and toes in the order of ``JOINTS``, and the ground's height in metres.

    A contact begins where a joint is slow and near its local floor, and ends where it is fast or high; between the two
    thresholds it stays what it was. The probability says how far inside (1), at (0.5) or outside (0) the thresholds the
    joint is. A skeleton without toe joints has its toe contacts copied from the heels.
    """
    skeleton = clip.skeleton
    joints = [skeleton.roles.get(role, skeleton.role(role.replace("toe", "foot"))) for role in JOINTS]
    scale = skeleton.leg_length / ADULT_LEG
    positions = clip.positions[:, joints]
    speed = np.linalg.norm(velocities(positions, clip.rate)[..., :2], axis=-1)
    floor = local_floor(positions[..., 2], clip.rate)
    height = positions[..., 2] - floor
    begins = (speed < BEGIN_SPEED * scale) & (height < BEGIN_HEIGHT * scale)
    ends = (speed > END_SPEED * scale) | (height > END_HEIGHT * scale)
    state = drop_short(hysteresis(begins, ends), max(round(SHORTEST * clip.rate), 2))
    excess = np.maximum(
        speed / ((BEGIN_SPEED + END_SPEED) / 2 * scale),
        np.maximum(height, 0) / ((BEGIN_HEIGHT + END_HEIGHT) / 2 * scale),
    )
    inside = np.clip(1 - excess / 2, LEAST_CONTACT, 1.0)
    outside = np.clip(1 - excess / 2, 0.0, 0.5)
    toes = [1, 3]
    ground = float(np.median(floor[:, toes])) if len(floor) else 0.0
    return np.where(state, inside, outside), ground
