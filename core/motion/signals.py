"""Signals over time: velocity, noise, runs and hysteresis, as contact detectors need them."""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from .rotations import Array

Mask = NDArray[np.bool_]
"""Boolean array over frames or a grid."""
FrameIndices = NDArray[np.intp]
"""Indices of frames."""

MIN_SPEED_WINDOW_S: Final = 0.04
"""Shortest one-sided window over which a speed is measured, for tracks without noise."""
MAX_SPEED_WINDOW_S: Final = 0.14
"""Longest one-sided window over which a speed is measured."""
MAX_SPEED_NOISE_M_S: Final = 0.12
"""Standard deviation of a speed that the choice of its window allows."""
FLOOR_PERCENTILE: Final = 8.0
"""Percentile of a joint's heights within the window that is taken as the floor."""
FLOOR_WINDOW_S: Final = 2.0
"""Length of the window of heights from which the floor is estimated."""
TRAVEL_WINDOW_S: Final = 0.5
"""Window over which travel is averaged, about one walking step."""
MIN_TRAVEL_SPEED_M_S: Final = 0.3
"""Horizontal speed above which a character travels."""


def velocities(positions: Array, rate: float) -> Array:
    """Return smoothed velocities (F, ..., 3), m/s, of positions (F, ..., 3) at ``rate`` Hz.

    Savitzky-Golay filter: a quadratic fitted over 0.08 s.
    """
    window = min(max(round(0.08 * rate) | 1, 5), (len(positions) - 1) | 1)
    if window < 5 or window > len(positions):
        return np.gradient(positions, 1 / rate, axis=0) if len(positions) > 1 else np.zeros_like(positions)
    return np.asarray(scipy.signal.savgol_filter(positions, window, 2, deriv=1, delta=1 / rate, axis=0, mode="interp"))


def noise_level(positions: Array) -> float:
    """Return the standard deviation, meters per axis, of the jitter from frame to frame in tracks (F, C, 3).

    Third differences remove smooth motion; only the quietest fifth of the frames is used, to leave out impacts. Third
    differences of Gaussian noise have 20 times its variance, and a fifth of their lengths in 3D are below one
    deviation.
    """
    if len(positions) < 8:
        return 0.0
    jitter = np.linalg.norm(np.diff(positions, n=3, axis=0), axis=-1)
    return float(np.median(np.percentile(jitter, 20, axis=0)) / np.sqrt(20))


def speed_window_frames(noise: float, rate: float) -> int:
    """Return the one-sided window, frames, in which position noise, meters, adds a speed error of about 0.12 m/s."""
    shortest, longest = (max(round(seconds * rate), 2) for seconds in (MIN_SPEED_WINDOW_S, MAX_SPEED_WINDOW_S))
    for frames in range(shortest, longest):
        if speed_noise(noise, frames, rate) < MAX_SPEED_NOISE_M_S:
            return frames
    return longest


def speed_noise(noise: float, frames: int, rate: float) -> float:
    """Return the standard deviation, m/s, of a speed fitted to a noisy track.

    Args:
        noise: standard deviation of the track, meters per axis.
        frames: length of the window to which the speed is fitted.
        rate: frames per second.
    """
    return noise * rate * float(np.sqrt(3 * 12 / (frames * (frames + 1) * (frames + 2))))


def one_sided_speed(positions: Array, rate: float, noise: float = 0.0) -> Array:
    """Return the speeds (F, C), m/s, of tracks (F, C, 3), just before or just after each frame, whichever is slower.

    Straight lines are fitted to the frames that follow and to those that precede. A joint that has just come to rest is
    at rest in the frames that follow, so that the speed steps at once where a centered filter would smear the landing.
    The speed due only to noise is subtracted in quadrature.

    Args:
        positions: (F, C, 3) positions, meters.
        rate: frames per second.
        noise: standard deviation of the positions, meters per axis.
    """
    count = min(speed_window_frames(noise, rate), max(len(positions) - 1, 1))
    if len(positions) < 2:
        return np.zeros(positions.shape[:-1])
    at = np.arange(count + 1) - count / 2
    weights = at / (at @ at) * rate
    flat = positions.reshape(len(positions), -1)
    padded = np.concatenate([flat, 2 * flat[-1] - flat[-2 : -count - 2 : -1]]) if len(flat) > count else flat
    ahead = np.asarray(scipy.signal.lfilter(weights[::-1], 1.0, padded, axis=0))[count:]
    speed = np.linalg.norm(ahead.reshape(-1, *positions.shape[1:]), axis=-1)
    before = np.concatenate([speed[:1].repeat(min(count, len(positions)), axis=0), speed])[: len(positions)]
    slower = np.minimum(speed[: len(positions)], before)
    return np.sqrt(np.maximum(slower**2 - speed_noise(noise, count, rate) ** 2, 0.0))


def runs_of(state: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the runs (R, 2) of true values in a mask (F): first frame, and frame after the last, of each."""
    padded = np.concatenate([[0], state.astype(np.int8), [0]])
    return np.flatnonzero(np.diff(padded)).reshape(-1, 2)


def hysteresis(begins: NDArray[np.bool_], ends: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return masks (F, C) that turn true where ``begins`` is true, false where ``ends`` is, else keep their value."""
    event = np.where(begins, 1, np.where(ends, -1, 0))
    last = np.maximum.accumulate(np.where(event != 0, np.arange(len(event))[:, None], -1), axis=0)
    return (last >= 0) & (np.take_along_axis(event, np.maximum(last, 0), axis=0) > 0)


def drop_short_runs(state: NDArray[np.bool_], min_frames: int) -> NDArray[np.bool_]:
    """Return masks (F, C) without runs of true or false values shorter than ``min_frames``.

    Short gaps are closed first, then short runs of true values are dropped.
    """
    result = state.copy()
    for column in result.T:
        for value in (False, True):
            for start, stop in runs_of(column == value):
                if stop - start < min_frames and start > 0 and stop < len(column):
                    column[start:stop] = not value
    return result


def local_floor(heights: Array, rate: float) -> Array:
    """Return the floor under each joint at each frame (F, C), meters: a low percentile of its height over two seconds.

    The window follows steps and slopes; a Gaussian filter then keeps the floor from jumping between them.
    """
    size = max(round(FLOOR_WINDOW_S * rate), 1)
    floor = scipy.ndimage.percentile_filter(heights, FLOOR_PERCENTILE, size=(size, 1), mode="nearest")
    return scipy.ndimage.gaussian_filter1d(floor, 0.1 * rate, axis=0, mode="nearest")


def low_pass(values: Array, rate: float, cutoff: float) -> Array:
    """Return values (F, ...) low-pass filtered without lag.

    A Butterworth filter of the second order, forwards and backwards, as is usual for joints (Winter 2009, section 3.5).

    Args:
        values: (F, ...) signals.
        rate: frames per second.
        cutoff: cutoff frequency, Hz; if above half the rate, nothing is filtered.
    """
    if len(values) < 4 or cutoff >= rate / 2:
        return values
    sections = scipy.signal.butter(2, cutoff, fs=rate, output="sos")
    pad = min(round(rate), len(values) - 1)
    return np.asarray(scipy.signal.sosfiltfilt(sections, values, axis=0, padtype="odd", padlen=pad))
