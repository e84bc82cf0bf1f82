"""Smoothing of tracks only where they change too fast, and only as much as necessary."""

from collections.abc import Callable, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array


def smooth_where(
    track: Array, is_fast: Callable[[Array], NDArray[np.bool_]], deviations: Sequence[float], rate: float
) -> Array:
    """Return a track (F, D) smoothed around its fast frames, by wider and wider Gaussians until no frame is fast.

    Args:
        track: (F, D) values of a track, which is returned as it is if no frame is fast.
        is_fast: function that returns a mask (F) of the frames at which a track (F, D) changes too fast.
        deviations: standard deviations of the Gaussians to try, in increasing order, seconds.
        rate: frames per second.
    """
    smoothed = track
    for deviation in deviations:
        fast = is_fast(smoothed)
        if not fast.any():
            break
        sigma = deviation * rate
        near = scipy.ndimage.maximum_filter1d(fast.astype(float), 2 * round(3.0 * sigma) + 1)
        weights = scipy.ndimage.gaussian_filter1d(near, sigma)[:, None]
        wide = scipy.ndimage.gaussian_filter1d(track, sigma, axis=0, mode="nearest")
        smoothed = track + weights * (wide - track)
    return smoothed
