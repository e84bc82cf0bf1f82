"""Clips on the spot: somebody walks while the root stays, and the feet slide back over a ground that is not said."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array

# Of a foot's height range; a foot this low is on the ground, or just about to be.
LOW_FOOT_SHARE: Final = 0.2
# A belt is at least this fast, metres a second and as a share of the feet's own fastest.
MIN_BELT_SPEED_M_S: Final = 0.15
MIN_BELT_SPEED_SHARE: Final = 0.2
# Low feet within this share of the belt's speed are carried by it, and so many of them have to be. In capture it is
# nearly all; keyframed feet swim.
AGREEMENT_RATIO: Final = 0.35
MIN_AGREEING_SHARE: Final = 0.35
MEAN_SHIFT_ROUNDS: Final = 20


def find_belt_velocity(positions: Array, rate: float) -> Array | None:
    """Return the constant velocity of the ground (2), m/s in the world, with which low feet are still; ``None``: no
    belt.

    A foot is low in the lowest fifth of its own height range. The belt's velocity is where the velocities of the low
    feet lie closest together: a third of them at least must agree on it. There is no belt where low feet rest, as they
    do when the clip travels or stands, and where they agree on nothing.

    Args:
        positions: (F, C, 3) of the lowest joints or tips of the feet, metres.
        rate: frames a second.
    """
    if len(positions) < 3:
        return None
    velocities = np.gradient(positions[..., :2], 1 / rate, axis=0)
    # One-sided at the ends: half a frame off, which a short clip notices.
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
    """Whether each foot (F, C) is in the lowest part of its own range; one that is never lifted always is."""
    lowest, highest = np.percentile(heights, [1, 99], axis=0)
    return heights <= lowest + LOW_FOOT_SHARE * (highest - lowest)


def _mean_shift_mode(points: Array) -> Array:
    """Where points (N, 2) lie closest together: mean shift from their median, with a window that closes in."""
    centre = np.median(points, axis=0)
    width = float(np.median(np.linalg.norm(points - centre, axis=-1))) * 2 + 1e-6
    for _ in range(MEAN_SHIFT_ROUNDS):
        weights = np.exp(-(np.linalg.norm(points - centre, axis=-1) ** 2) / (2 * width**2))
        moved = weights @ points / weights.sum()
        width = max(width * 0.9, AGREEMENT_RATIO / 2 * float(np.linalg.norm(moved)) + 1e-6)
        centre = moved
    return centre
