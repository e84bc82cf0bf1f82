"""Spike filter: brief rotations that are faster than human joints, and jolts in height, are smoothed away.

A network outside its training data, as on a path with a sharp turn every other step, sometimes jerks a head or a hand
for a few frames. Joint positions are fed back to it and rotations are not, so the spike does not persist. At edges of
the ground it may raise or lower the whole body within a frame or two.
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
    max_joint_speed: float = tuned(14.0, "rad/s", 5.0, 100.0)
    """Rotation speed of trunk, head and arm joints relative to their parents that people rarely exceed, even running.
    """
    margin: float = tuned(0.05, "s", 0.0, 0.5)
    """Time before and after a spike in which frames are replaced as well."""
    smoothing: float = tuned(0.08, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that weights the frames from which a spike is replaced."""
    max_height_acceleration: float = tuned(30.0, "m/s^2", 5.0, 200.0)
    """Vertical acceleration of the hips that people rarely exceed: about 10 m/s^2 in walks, 20 to 30 in runs."""


TUNING: Final = SpikeFilter()


def remove_height_jolts(heights: Array, rate: float) -> Array:
    """Return heights (F), meters, with jolts smoothed away; the same array if there are none.

    Args:
        heights: (F) heights of the hips, meters.
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
    """Return rotations (F, J, 4) with their spikes smoothed away; the same array if there are none.

    Frames in and next to a spike become the Gaussian-weighted mean of the frames around it, with a smooth transition.

    Args:
        rotations: (F, J, 4) rotations of the joints relative to their parents.
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
    """Return one joint's rotations (F, 4) with its fast frames (F) replaced with a mean of the frames around them."""
    margin = max(round(TUNING.margin * rate), 1)
    spike = scipy.ndimage.binary_dilation(fast, np.ones(2 * margin + 1, dtype=bool))
    if spike.all():
        return rotations
    even = unroll(rotations)
    trusted, sigma = (~spike).astype(float)[:, None], TUNING.smoothing * rate
    # Far from any trusted frame the weights are tiny, but their ratio still gives the mean of the nearest frames.
    weights = scipy.ndimage.gaussian_filter1d(trusted, sigma, axis=0, mode="nearest", truncate=8.0)
    around = scipy.ndimage.gaussian_filter1d(trusted * even, sigma, axis=0, mode="nearest", truncate=8.0)
    led = normalize(np.where(weights > 1e-9, around, even))
    share = scipy.ndimage.gaussian_filter1d(spike.astype(float), margin / 2, mode="nearest", radius=margin)
    share = np.where(fast, 1.0, share)
    return slerp(even, led, share)
