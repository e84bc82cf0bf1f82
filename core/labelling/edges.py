"""When exactly a contact begins and ends: where a track's way breaks, to a fraction of a frame."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

REACH: Final = 0.085  # seconds to both sides of a first guess
STEPS: Final = 4  # candidates a frame
# A break counts where it explains this share of what a straight line leaves, and turns the speed by this (m/s).
EXPLAINED: Final = 0.6
LEAST_TURN: Final = 0.2


def breaks(positions: Array, guesses: NDArray[np.intp], moving: int, rate: float, noise: float) -> NDArray[np.floating]:
    """Where the way breaks near each guess (N), in frames and not whole; the guess where it does not clearly.

    Args:
        positions: the track (F, 3), metres.
        guesses: frames (N).
        moving: -1 where the track moves before the break and rests after it, 1 where it is the other way round.
        rate: frames a second.
        noise: standard deviation of the track per axis, metres.

    To the frames about a guess a way is fitted that is straight on the resting side and a parabola on the moving side,
    both meeting at the break; the break with the smallest residual wins (a least squares fit for each candidate).
    """
    reach = max(round(REACH * rate), 3)
    offsets = np.arange(-reach, reach + 1)
    at = np.clip(guesses[:, None] + offsets, 0, len(positions) - 1)
    around = positions[at] - positions[guesses][:, None]
    candidates = np.arange(-reach * STEPS // 2, reach * STEPS // 2 + 1) / STEPS
    bases = np.stack([_orthonormal(offsets - candidate, moving, reach) for candidate in candidates])
    straight = np.linalg.qr(np.stack([np.ones(len(offsets)), offsets / reach], axis=1))[0]
    total = (around**2).sum(axis=(1, 2)) - (np.einsum("ws,nwa->nsa", straight, around) ** 2).sum(axis=(1, 2))
    whole = (around**2).sum(axis=(1, 2))[:, None]
    left = whole - (np.einsum("cws,nwa->ncsa", bases, around) ** 2).sum(axis=(2, 3))
    best = np.argmin(left, axis=1)
    row = np.arange(len(guesses))
    floor = 3 * noise**2 * (len(offsets) - 4)
    gain = total - left[row, best]
    clear = (gain > EXPLAINED * (total - np.minimum(floor, total))) & (
        np.sqrt(np.maximum(gain, 0) / len(offsets)) > LEAST_TURN * REACH / 12
    )
    return guesses.astype(float) + np.where(clear, candidates[best], 0.0)


def _orthonormal(since: Array, moving: int, reach: int) -> Array:
    """An orthonormal basis (W, 4) of the ways that break at 0: level, resting drift, moving speed, and its change."""
    ahead = np.maximum(since * moving, 0.0) / reach
    behind = np.maximum(-since * moving, 0.0) / reach
    return np.linalg.qr(np.stack([np.ones(len(since)), behind, ahead, ahead**2], axis=1))[0]
