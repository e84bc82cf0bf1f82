"""When exactly a foot lands: the impact breaks its way, whatever rolls or slides afterwards."""

from typing import Final

import numpy as np

from ..motion.rotations import Array

REACH: Final = 0.13  # seconds of the way that are looked at, to both sides of the guess
EARLIEST, LATEST = -0.085, 0.04  # seconds from the guess
STEPS: Final = 4  # candidates a frame
# A break counts where it explains this share of what a parabola leaves.
EXPLAINED: Final = 0.3


def landings(track: Array, guesses: Array, rate: float, noise: float) -> Array:
    """When a track lands near each guess (N), in frames and not whole; the guess where no impact is seen.

    Args:
        track: positions (F, 3), metres.
        guesses: frames (N), not whole.
        rate: frames a second.
        noise: standard deviation of the track per axis, metres.

    To the frames about a guess a way is fitted that is a parabola until the landing and a straight line from there on,
    both meeting at it; the landing with the smallest residual wins (a least squares fit for each candidate).
    """
    if len(guesses) == 0:
        return guesses
    reach = max(round(REACH * rate), 3)
    middle = np.rint(guesses).astype(int)
    offsets = np.arange(-reach, reach + 1)
    around = track[np.clip(middle[:, None] + offsets, 0, len(track) - 1)]
    around = around - around[:, reach : reach + 1]
    earliest, latest = min(round(EARLIEST * rate), -1), max(round(LATEST * rate), 1)
    candidates = np.arange(earliest * STEPS, latest * STEPS + 1) / STEPS
    bases = np.stack([_ways(offsets - candidate, reach) for candidate in candidates])
    smooth = np.linalg.qr(np.stack([np.ones(len(offsets)), offsets / reach, (offsets / reach) ** 2], axis=1))[0]
    whole = (around**2).sum(axis=(1, 2))
    left = whole[:, None] - (np.einsum("cws,nwa->ncsa", bases, around) ** 2).sum(axis=(2, 3))
    without = whole - (np.einsum("ws,nwa->nsa", smooth, around) ** 2).sum(axis=(1, 2))
    best = np.argmin(left, axis=1)
    row = np.arange(len(guesses))
    chance = 3 * noise**2 * (len(offsets) - 4)
    clear = left[row, best] - chance < (1 - EXPLAINED) * np.maximum(without - chance, 0.0) + chance / 2
    return np.where(clear, middle + candidates[best], guesses)


def _ways(since: Array, reach: int) -> Array:
    """An orthonormal basis (W, 4) of the ways that break at 0: place, drift after, speed before, and its change."""
    before, after = np.maximum(-since, 0.0) / reach, np.maximum(since, 0.0) / reach
    return np.linalg.qr(np.stack([np.ones(len(since)), after, before, before**2], axis=1))[0]
