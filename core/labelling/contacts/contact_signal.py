"""The contact signal to which local phases are fitted (Starke et al. 2020, section 5.2, equations 5 and 6)."""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion.rotations import Array

NORMALISATION_WINDOW_S: Final = 1.0
"""Centered window W of the paper; longer here for longer contact cycles."""
CUTOFF_HZ: Final = 3.25
"""Cutoff of the low-pass filter: the bandwidth of the network's thirteen samples in two seconds."""
FILTER_MEMORY_S: Final = 1.0
"""Time after which a frame's influence in the filter has fallen below a millionth."""
NEGLIGIBLE_SIGNAL: Final = 1e-3
"""Magnitude below which the signal is zero: the filter's residue where nothing changes."""
MIN_WINDOW_S: Final = 0.5
"""Shortest window of the sinusoid fit."""
MAX_WINDOW_S: Final = 2.0
"""Longest window; for contacts that change more rarely it shows only the change."""
CYCLES_PER_WINDOW: Final = 1.25
"""Cycles in a window; in a single one the frequency wavers if contact is much shorter than half of the cycle."""
WINDOW_SMOOTHING_S: Final = 0.17
"""Standard deviation of the smoothing of window lengths, which change over about half a second."""


def contact_signal(contacts: NDArray[np.bool_], rate: float) -> Array:
    """Return the normalized signal G (K, F) of contacts (K, F): above 0 in contact, the larger the shorter the contact.

    Each frame is normalized by mean and deviation of the contact over the second around it (equation 5; near the clip's
    ends over the part inside), then low-passed without delay (equation 6) by a zero-phase Butterworth filter
    (Gustafsson 1996). The signal is zero where no contact changes within the window. A contact whose cycle is longer
    than a second is normalized over its cycle, up to two seconds; otherwise the signal of a slow gait would return to
    zero in the middle of every stance, and its phase would run twice as fast.

    Raises:
        FootfallError: the rate is too low for the filter.
    """
    if rate <= 2 * CUTOFF_HZ:
        raise FootfallError(
            "Local phases need more than {least} fps, but the clip has {rate}: resample the clip",
            least=f"{2 * CUTOFF_HZ:g}",
            rate=f"{rate:g}",
        )
    mean = _sliding_mean(
        contacts, np.maximum(_smoothed_cycle_lengths(contacts, rate), NORMALISATION_WINDOW_S * rate) / 2
    )
    deviation = np.sqrt(mean * (1 - mean))
    normalised = (contacts - mean) / np.where(deviation > 0, deviation, 1.0)
    sections = np.asarray(scipy.signal.butter(2, CUTOFF_HZ, fs=rate, output="sos"))
    # Mirrored at the ends by more than the filter's memory, even for short clips, so that time has no direction.
    beyond = round(FILTER_MEMORY_S * rate)
    mirrored = np.pad(normalised, ((0, 0), (beyond, beyond)), mode="symmetric")
    signal = np.asarray(scipy.signal.sosfiltfilt(sections, mirrored, axis=1, padlen=0))[:, beyond:-beyond]
    constant = np.logical_or(contacts.all(axis=1), ~contacts.any(axis=1))
    return np.where((np.abs(signal) < NEGLIGIBLE_SIGNAL) | constant[:, None], 0.0, signal)


def fit_window_lengths(contacts: NDArray[np.bool_], rate: float) -> Array:
    """Return the lengths (K, F), frames, of the windows in which sinusoids are fitted to contacts (K, F).

    A window is slightly longer than the contact's cycle around its frame. (In the paper, N of equation 4 is a second,
    adjusted to the frequency of the contacts.)
    """
    return np.clip(
        CYCLES_PER_WINDOW * _smoothed_cycle_lengths(contacts, rate), MIN_WINDOW_S * rate, MAX_WINDOW_S * rate
    )


def sliding_maximum(values: Array, half_width: Array) -> Array:
    """Return the maxima (K, F) of values (K, F) in windows around each frame, of a width that may differ by frame.

    A sparse table of maxima over powers of two answers each window with two overlapping entries (range-minimum query,
    Bender and Farach-Colton 2000). Windows end with the clip.

    Args:
        values: (K, F) values to search.
        half_width: (K, F) frames on each side; a frame belongs to the window if its center does.
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
    """Return the smoothed lengths (K, F), frames, of the cycles of contacts (K, F).

    A cycle is the run with or without contact around the frame, plus half of each neighboring run. Its length is
    constant in a steady gait, whatever the duty factor.
    """
    lengths = [_cycle_lengths(column, MAX_WINDOW_S * rate) for column in contacts]
    smooth = scipy.ndimage.gaussian_filter1d(
        np.reshape(lengths, contacts.shape), WINDOW_SMOOTHING_S * rate, axis=1, mode="nearest"
    )
    return np.asarray(smooth)


def _cycle_lengths(contact: NDArray[np.bool_], max_length: float) -> Array:
    """Return the lengths (F), frames, of the cycles of one contact (F), each at most ``max_length``."""
    edges = np.flatnonzero(np.diff(contact)) + 1
    runs = np.diff(np.concatenate([[0], edges, [len(contact)]])).astype(float)
    before, after = np.append(np.inf, runs[:-1]), np.append(runs[1:], np.inf)
    beside = np.where(np.isinf(before), after, np.where(np.isinf(after), before, (before + after) / 2))
    return np.repeat(np.minimum(runs + beside, max_length), runs.astype(np.intp))


def _sliding_mean(contacts: NDArray[np.bool_], half_width: Array) -> Array:
    """Return the means (K, F) of contacts over ``half_width`` (K, F) frames on each side, cut at the clip's ends.

    A frame that is partly in the window counts by its share in it.
    """
    frames = contacts.shape[1]
    sums = np.pad(np.cumsum(contacts, axis=1, dtype=float), ((0, 0), (1, 0)))
    # A frame extends half a frame to both sides, so that the edges of the frames are at 0, 1, ... frames.
    centres, edges = np.arange(frames) + 0.5, np.arange(frames + 1)
    first, last = np.maximum(centres - half_width, 0), np.minimum(centres + half_width, frames)
    inside = [
        np.interp(to, edges, line) - np.interp(since, edges, line)
        for to, since, line in zip(last, first, sums, strict=True)
    ]
    return np.clip(np.array(inside).reshape(contacts.shape) / (last - first), 0, 1)
