"""Treadmill clips: a character walks on the spot, as if on a belt that moves under its feet."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array

LOW_FOOT_SHARE: Final = 0.2
"""Share of a foot's height range, from below, in which the foot counts as low."""
MIN_BELT_SPEED_M_S: Final = 0.15
"""Slowest speed of a belt."""
MIN_BELT_SPEED_SHARE: Final = 0.2
"""Slowest speed of a belt, relative to the fastest speed of the feet."""
AGREEMENT_RATIO: Final = 0.35
"""Difference from the belt's velocity, relative to its speed, within which the belt carries a foot."""
MIN_AGREEING_SHARE: Final = 0.35
"""Smallest share of low feet carried by the belt: nearly all in captured clips, fewer in keyframed ones."""
MEAN_SHIFT_ROUNDS: Final = 20
"""Number of iterations of the mean shift."""


def find_belt_velocity(positions: Array, rate: float) -> Array | None:
    """Return the constant velocity (2), m/s, of the belt that carries the standing feet; ``None`` without a belt.

    A foot is low in the lowest fifth of its height range. The belt's velocity is the mode of the velocities of low
    feet, if a third of them agree with it. There is no belt if low feet rest, as when the clip travels or stands.

    Args:
        positions: (F, C, 3) lowest joints or tips of the feet, meters.
        rate: frames per second.
    """
    if len(positions) < 3:
        return None
    velocities = np.gradient(positions[..., :2], 1 / rate, axis=0)
    # Velocities at the ends are one-sided and half a frame off, which distorts short clips.
    inner, heights = velocities[1:-1], positions[1:-1, :, 2]
    low = inner[_is_low_foot(heights)]
    belt = _mean_shift_mode(low)
    speed = float(np.linalg.norm(belt))
    fastest = float(np.percentile(np.linalg.norm(inner, axis=-1), 95))
    if speed < max(MIN_BELT_SPEED_M_S, MIN_BELT_SPEED_SHARE * fastest):
        return None
    agreeing = np.linalg.norm(low - belt, axis=-1) < AGREEMENT_RATIO * speed
    return belt if np.mean(agreeing) >= MIN_AGREEING_SHARE else None


def _is_low_foot(heights: Array) -> NDArray[np.bool_]:
    """Return whether each foot (F, C) is low in its own range of heights; always true if it is never lifted."""
    lowest, highest = np.percentile(heights, [1, 99], axis=0)
    return heights <= lowest + LOW_FOOT_SHARE * (highest - lowest)


def _mean_shift_mode(points: Array) -> Array:
    """Return the mode (2) of points (N, 2) by mean shift with a shrinking window (Fukunaga and Hostetler 1975)."""
    centre = np.median(points, axis=0)
    width = float(np.median(np.linalg.norm(points - centre, axis=-1))) * 2 + 1e-6
    for _ in range(MEAN_SHIFT_ROUNDS):
        weights = np.exp(-(np.linalg.norm(points - centre, axis=-1) ** 2) / (2 * width**2))
        moved = weights @ points / weights.sum()
        width = max(width * 0.9, AGREEMENT_RATIO / 2 * float(np.linalg.norm(moved)) + 1e-6)
        centre = moved
    return centre
