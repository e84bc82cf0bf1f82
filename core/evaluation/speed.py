"""Travel speed of the root over the ground, with the sway of single steps averaged out."""

import numpy as np

from ..motion.rotations import Array
from ..motion.signals import MIN_TRAVEL_SPEED_M_S, TRAVEL_WINDOW_S, Mask


def travel_speed(roots: Array, rate: float) -> Array:
    """Return the speed (F), m/s, of root positions (F, 2), meters, over half a second around each frame.

    The time is shorter at the ends.
    """
    half = max(round(TRAVEL_WINDOW_S * rate / 2), 1)
    frames = np.arange(len(roots))
    before, after = np.maximum(frames - half, 0), np.minimum(frames + half, len(roots) - 1)
    return np.linalg.norm(roots[after] - roots[before], axis=-1) * rate / np.maximum(after - before, 1)


def trailing_speed(roots: Array, rate: float) -> Array:
    """Return the speed (F), m/s, of root positions (F, 2), meters, over the half second before each frame.

    The root counts as standing before the first frame. The window only looks back, so that a speed counts as reached
    only when it has been sustained for a step.
    """
    window = max(round(TRAVEL_WINDOW_S * rate), 1)
    before = np.maximum(np.arange(len(roots)) - window, 0)
    return np.linalg.norm(roots - roots[before], axis=-1) * rate / window


def moving_frames(roots: Array, rate: float) -> Mask:
    """Return a mask (F) of the frames in which root positions (F, 2) travel; all frames if they never do."""
    moving = travel_speed(roots, rate) > MIN_TRAVEL_SPEED_M_S
    return moving if moving.any() else np.ones(len(roots), dtype=bool)
