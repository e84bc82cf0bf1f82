"""When exactly a contact begins and ends: where a track comes to its resting place and where it leaves it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from ..motion.rotations import Array

Frames = NDArray[np.intp]

# Seconds before the end of a contact from which its resting place is taken, and how far an end is looked for.
RESTING: Final = (0.35, 0.1)
REACH: Final = 0.2
# Metres of an adult: a track nearer to its resting place than this has not left; beyond FAR times as much it has.
NEAR: Final = 0.006
FAR: Final = 4.0
# The way from a resting place grows with a power of time between 1 and 2; followed back from NEAR and FAR it began
# this share of the time between them before NEAR.
BACK: Final = 0.6
NOISE_SHARE: Final = 3.0


def exact_edges(track: Array, runs: Frames, rate: float, noise: float, scale: float) -> Array:
    """When contacts begin and end (R, 2), in frames and not whole, from first guesses (R, 2) of [start, stop).

    Args:
        track: positions (F, 3), metres.
        runs: first guesses; one that touches an end of the clip stays there.
        rate: frames a second.
        noise: standard deviation of the track per axis, metres.
        scale: the body's size as a share of an adult's.
    """
    smooth, left = _smooth(track, rate, noise)
    near = max(NEAR * scale, NOISE_SHARE * left)
    count = len(track)
    ends = _ends(smooth, runs, rate, near)
    mirrored = _ends(smooth[::-1], count - runs[:, ::-1], rate, near)
    begins = count - 1 - mirrored
    begins = np.where(runs[:, 0] == 0, 0.0, begins)
    ends = np.where(runs[:, 1] == count, float(count), ends)
    wrong = ends - begins < 2
    return np.where(wrong[:, None], runs, np.stack([begins, ends], axis=1))


def _smooth(track: Array, rate: float, noise: float) -> tuple[Array, float]:
    """The track averaged over at most 0.08 s, so that 4 mm of noise are left; and the noise that is."""
    frames = int(np.clip((noise / 0.004) ** 2, 1, max(0.08 * rate, 1)))
    frames += 1 - frames % 2
    return (uniform_filter1d(track, frames, axis=0, mode="nearest") if frames > 1 else track), noise / np.sqrt(frames)


def _ends(track: Array, runs: Frames, rate: float, near: float) -> Array:
    """When contacts end (R): the time at which the way from the resting place began."""
    first, last = (round(seconds * rate) for seconds in RESTING)
    reach = max(round(REACH * rate), 2)
    offsets = np.arange(-first, reach + 1)
    at = np.clip(runs[:, 1:] + offsets, 0, len(track) - 1)
    inside = runs[:, :1] + np.minimum((runs[:, 1:] - runs[:, :1]) // 2, last)
    resting = (at >= inside) & (offsets <= -np.minimum(last, (runs[:, 1:] - runs[:, :1]) // 2))
    resting |= ~resting.any(axis=1, keepdims=True) & (at >= runs[:, :1]) & (offsets < 0)
    around = track[at]
    place = np.nanmedian(np.where(resting[..., None], around, np.nan), axis=1)
    away = np.linalg.norm(around - place[:, None], axis=-1)
    # A foot that rolls all the time is never quite at one place.
    nearer = near + np.where(resting, away, np.inf).min(axis=1, keepdims=True)
    # It has left for good where it is far; the last moment near before that is the one at which it leaves.
    far = _first(away > FAR * nearer, (at > inside) & (offsets >= -reach))
    there = _last(away < nearer, np.arange(len(offsets)) < far[:, None])
    known = (far < len(offsets)) & (there >= 0)
    there, far = np.maximum(there, 0), np.minimum(far, len(offsets) - 1)
    row = np.arange(len(runs))
    crossing = _crossing(away, row, there, nearer[:, 0])
    passed = _crossing(away, row, np.maximum(far - 1, 0), FAR * nearer[:, 0])
    began = crossing - BACK * (passed - crossing)
    # A contact lasts to the frame after the last one in which the track has not left.
    return np.where(known, runs[:, 1] + offsets[0] + began, runs[:, 1])


def _crossing(away: Array, row: Frames, before: Frames, level: float) -> Array:
    """The index (R), not whole, at which a distance passes a level between a sample and the next."""
    after = np.minimum(before + 1, away.shape[1] - 1)
    low, high = away[row, before], away[row, after]
    return before + np.clip((level - low) / np.maximum(high - low, 1e-9), 0.0, 1.0)


def _first(state: NDArray[np.bool_], allowed: NDArray[np.bool_]) -> Frames:
    """The first allowed index (R) at which a state (R, W) is true; W where there is none."""
    found = state & allowed
    return np.where(found.any(axis=1), found.argmax(axis=1), state.shape[1])


def _last(state: NDArray[np.bool_], allowed: NDArray[np.bool_]) -> Frames:
    """The last allowed index (R) at which a state (R, W) is true; -1 where there is none."""
    found = (state & allowed)[:, ::-1]
    return np.where(found.any(axis=1), state.shape[1] - 1 - found.argmax(axis=1), -1)
