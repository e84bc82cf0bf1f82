"""Spike filter: joints that turn faster than people's for a few frames are led past the spike, heights past a jolt.

A network that is driven beyond what it has seen, as on a path that turns sharply every other step, answers now and then
with a head or a hand turned for some frames. Positions of joints are fed back to it, rotations are not, so that the
spike is the answer's alone. Where the ground has edges, it raises or lowers the whole body within a frame or two.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array, inverse, log, multiply, normalize, slerp, unroll
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class SpikeFilter(Tuning):
    """Tuned numbers of the spike filter."""

    max_joint_speed: float = tuned(14.0, "rad/s", 5.0, 100.0)
    """Rotation speed of trunk, head and arms relative to their parents that people hardly exceed, runs included."""
    margin: float = tuned(0.05, "s", 0.0, 0.5)
    """Time before and after a spike that is led past it, too."""
    smoothing: float = tuned(0.08, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that weighs the frames around a spike."""
    max_height_acceleration: float = tuned(30.0, "m/s^2", 5.0, 200.0)
    """Vertical acceleration of the hips that people hardly exceed: they do some 10 m/s^2 walking, 20 to 30 running."""


TUNING: Final = SpikeFilter()


def remove_height_jolts(heights: Array, rate: float) -> Array:
    """Return heights (F), meters, without jolts; the same array if there are none.

    Args:
        heights: (F) of the hips.
        rate: frames per second.
    """
    if len(heights) < 3:
        return heights
    jolted = np.zeros(len(heights), dtype=bool)
    jolted[1:-1] = np.abs(np.diff(heights, n=2)) * rate**2 > TUNING.max_height_acceleration
    if not jolted.any():
        return heights
    sigma = TUNING.smoothing * rate
    margin = round(2 * sigma)
    smooth = scipy.ndimage.gaussian_filter1d(np.pad(heights, 4 * margin, "reflect", reflect_type="odd"), sigma)
    wide = scipy.ndimage.binary_dilation(jolted, np.ones(2 * margin + 1, dtype=bool))
    share = scipy.ndimage.gaussian_filter1d(wide.astype(float), margin / 2, mode="nearest", radius=margin)
    return heights + share * (smooth[4 * margin : -4 * margin] - heights)


def remove_spikes(rotations: Array, rate: float) -> Array:
    """Return rotations (F, J, 4), relative to the parents, without spikes; the same array if there are none.

    Frames in and beside a spike follow the frames around it, weighted by a Gaussian, with a smooth transition.

    Args:
        rotations: (F, J, 4).
        rate: frames per second.
    """
    if len(rotations) < 3:
        return rotations
    speeds = np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1) * rate
    fast = np.zeros(rotations.shape[:2], dtype=bool)
    fast[:-1] = speeds > TUNING.max_joint_speed
    fast[1:] |= speeds > TUNING.max_joint_speed
    if not fast.any():
        return rotations
    result = rotations.copy()
    for joint in np.flatnonzero(fast.any(axis=0)):
        result[:, joint] = _lead_past(rotations[:, joint], fast[:, joint], rate)
    return result


def _lead_past(rotations: Array, fast: NDArray[np.bool_], rate: float) -> Array:
    """Return the rotations (F, 4) of one joint, led past its fast frames (F)."""
    margin = max(round(TUNING.margin * rate), 1)
    spike = scipy.ndimage.binary_dilation(fast, np.ones(2 * margin + 1, dtype=bool))
    if spike.all():
        return rotations
    even = unroll(rotations)
    trusted, sigma = (~spike).astype(float)[:, None], TUNING.smoothing * rate
    # Far from any trusted frame the Gaussian is tiny; the ratio still is the nearest frames' mean.
    weights = scipy.ndimage.gaussian_filter1d(trusted, sigma, axis=0, mode="nearest", truncate=8.0)
    around = scipy.ndimage.gaussian_filter1d(trusted * even, sigma, axis=0, mode="nearest", truncate=8.0)
    led = normalize(np.where(weights > 1e-9, around, even))
    share = scipy.ndimage.gaussian_filter1d(spike.astype(float), margin / 2, mode="nearest", radius=margin)
    share = np.where(fast, 1.0, share)
    return slerp(even, led, share)
