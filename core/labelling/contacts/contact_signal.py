"""The signal that local phases are fitted to, made of contacts (Starke et al. 2020, section 5.2, equations 5 and 6)."""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion.rotations import Array

NORMALISATION_WINDOW_S: Final = 1.0
"""Seconds, centred: the paper's window W, which is longer here where the contact's cycle is."""
CUTOFF_HZ: Final = 3.25
"""Hz: what the network's samples of the phase, thirteen in two seconds, can tell."""
FILTER_MEMORY_S: Final = 1.0
"""Seconds after which less than a millionth of a frame is left in the filter."""
NEGLIGIBLE_SIGNAL: Final = 1e-3
"""Smaller values are zero: what the filter leaves where nothing changes."""
MIN_WINDOW_S: Final = 0.5
MAX_WINDOW_S: Final = 2.0
"""Seconds; contacts that change more seldom show only their change."""
CYCLES_PER_WINDOW: Final = 1.25
"""Cycles in a window: in a single one the frequency wavers where a contact is much shorter than a half."""
WINDOW_SMOOTHING_S: Final = 0.17
"""Seconds (standard deviation), so that windows grow and shrink over about half a second each way."""


def contact_signal(contacts: NDArray[np.bool_], rate: float) -> Array:
    """Return the signal G (K, F) of contacts (K, F), without unit: above zero in contact, the more so the shorter it
    is.

    Each frame is normalised by mean and deviation of the contact over the second around it (equation 5; near the clip's
    ends over what there is of it), then all is low-passed without delay (equation 6). Zero where nothing changes within
    reach. Where the contact's cycle is longer than a second it is normalised over the cycle, up to two seconds: else
    the signal of a slow gait would return to zero in the middle of every stance, and its phase run twice as fast.

    Raises:
        FootfallError: the rate is too low for the filter.
    """
    if rate <= 2 * CUTOFF_HZ:
        raise FootfallError(
            f"Local phases need more than {2 * CUTOFF_HZ:g} frames a second, and these are {rate:g}: resample the clip."
        )
    mean = _sliding_mean(
        contacts, np.maximum(_smoothed_cycle_lengths(contacts, rate), NORMALISATION_WINDOW_S * rate) / 2
    )
    deviation = np.sqrt(mean * (1 - mean))
    normalised = (contacts - mean) / np.where(deviation > 0, deviation, 1.0)
    sections = np.asarray(scipy.signal.butter(2, CUTOFF_HZ, fs=rate, output="sos"))
    # mirrored at its ends by more than the filter remembers, however short the clip, so that time has no direction
    beyond = round(FILTER_MEMORY_S * rate)
    mirrored = np.pad(normalised, ((0, 0), (beyond, beyond)), mode="symmetric")
    signal = np.asarray(scipy.signal.sosfiltfilt(sections, mirrored, axis=1, padlen=0))[:, beyond:-beyond]
    constant = np.logical_or(contacts.all(axis=1), ~contacts.any(axis=1))
    return np.where((np.abs(signal) < NEGLIGIBLE_SIGNAL) | constant[:, None], 0.0, signal)


def fit_window_lengths(contacts: NDArray[np.bool_], rate: float) -> Array:
    """Lengths (K, F) in frames of the windows that the sinusoids of contacts (K, F) are fitted in (N of equation 4).

    A window is a little longer than the contact's cycle around its frame (N of the paper is a second, adjusted to the
    frequency of the contacts).
    """
    return np.clip(
        CYCLES_PER_WINDOW * _smoothed_cycle_lengths(contacts, rate), MIN_WINDOW_S * rate, MAX_WINDOW_S * rate
    )


def sliding_maximum(values: Array, half_width: Array) -> Array:
    """Return the largest value (K, F) of ``values`` (K, F) within ``half_width`` (K, F) frames on each side, the frame
    included.

    Every window is two overlapping ones whose length is a power of two, and the maxima of those are made by doubling.
    A frame counts where its middle is in reach. Windows end with the clip.
    """
    frames = np.arange(values.shape[1])
    whole = np.floor(half_width).astype(np.intp)
    first, last = np.maximum(frames - whole, 0), np.minimum(frames + whole, len(frames) - 1)
    level = np.frexp(last - first + 1)[1] - 1
    result, maxima = np.empty_like(values), values
    for power in range(int(level.max(initial=-1)) + 1):
        lines, at = np.nonzero(level == power)
        start, end = first[lines, at], last[lines, at] + 1 - 2**power
        result[lines, at] = np.maximum(maxima[lines, start], maxima[lines, end])
        maxima = np.maximum(maxima[:, : -(2**power)], maxima[:, 2**power :])
    return result


def _smoothed_cycle_lengths(contacts: NDArray[np.bool_], rate: float) -> Array:
    """Smooth lengths (K, F) in frames of the cycles of contacts (K, F).

    A cycle is the run of contact or of none that the frame is in, and half of each of the runs beside it, which is the
    same all through a steady gait, whatever share of it is contact.
    """
    lengths = [_cycle_lengths(column, MAX_WINDOW_S * rate) for column in contacts]
    smooth = scipy.ndimage.gaussian_filter1d(
        np.reshape(lengths, contacts.shape), WINDOW_SMOOTHING_S * rate, axis=1, mode="nearest"
    )
    return np.asarray(smooth)


def _cycle_lengths(contact: NDArray[np.bool_], max_length: float) -> Array:
    """Lengths (F) in frames, at most ``max_length``, of the cycles of one contact (F)."""
    edges = np.flatnonzero(np.diff(contact)) + 1
    runs = np.diff(np.concatenate([[0], edges, [len(contact)]])).astype(float)
    before, after = np.append(np.inf, runs[:-1]), np.append(runs[1:], np.inf)
    beside = np.where(np.isinf(before), after, np.where(np.isinf(after), before, (before + after) / 2))
    return np.repeat(np.minimum(runs + beside, max_length), runs.astype(np.intp))


def _sliding_mean(contacts: NDArray[np.bool_], half_width: Array) -> Array:
    """Means (K, F) over ``half_width`` (K, F) frames each side, a fraction of a frame counting in part, within the
    clip.
    """
    frames = contacts.shape[1]
    sums = np.pad(np.cumsum(contacts, axis=1, dtype=float), ((0, 0), (1, 0)))
    # a frame fills the half before and the half after it, so that the edges of the frames lie at 0, 1, ... frames
    centres, edges = np.arange(frames) + 0.5, np.arange(frames + 1)
    first, last = np.maximum(centres - half_width, 0), np.minimum(centres + half_width, frames)
    inside = [
        np.interp(to, edges, line) - np.interp(since, edges, line)
        for to, since, line in zip(last, first, sums, strict=True)
    ]
    return np.clip(np.array(inside).reshape(contacts.shape) / (last - first), 0, 1)
