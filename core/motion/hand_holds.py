"""Hands of two characters that hold each other, found from the distance of their wrists."""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from . import Clip
from .proportions import ADULT_LEG_LENGTH_M
from .rotations import Array
from .signals import drop_short_runs

HAND_PAIRS: Final = (("L", "L"), ("L", "R"), ("R", "L"), ("R", "R"))
"""Side of the first character's hand and side of the second's, in the column order of all arrays of hand pairs."""
HOLD_DISTANCE_M: Final = 0.32
"""Largest distance of two adults' wrists at which their hands count as holding each other."""
MIN_HOLD_S: Final = 0.3
"""Shortest duration of a hold, and of a gap between holds."""
DISTANCE_SMOOTHING_S: Final = 0.1
"""Standard deviation of the Gaussian that smooths the distance."""


def hand_distances(first: Clip, second: Clip) -> Array:
    """Return the distances (F, 4), meters, between the wrists of each of :data:`HAND_PAIRS`, two characters' hands.

    Args:
        first: the first character's motion.
        second: the second character's motion in the same space, with the same frames.

    Raises:
        FootfallError: a skeleton has no hands.
    """
    hands = [
        {side: clip.positions[:, clip.skeleton.joint(f"hand.{side}")] for side in "LR"} for clip in (first, second)
    ]
    return np.stack([np.linalg.norm(hands[0][a] - hands[1][b], axis=-1) for a, b in HAND_PAIRS], axis=-1)


def held_hands(first: Clip, second: Clip) -> NDArray[np.bool_]:
    """Return a mask (F, 4), true while the two hands of each of :data:`HAND_PAIRS` hold each other.

    A hand holds only the nearest hand. The arguments are those of :func:`hand_distances`.
    """
    scale = (first.skeleton.leg_length + second.skeleton.leg_length) / (2 * ADULT_LEG_LENGTH_M)
    distances = scipy.ndimage.gaussian_filter1d(
        hand_distances(first, second), DISTANCE_SMOOTHING_S * first.rate, axis=0, mode="nearest"
    )
    shortest = max(round(MIN_HOLD_S * first.rate), 1)
    steady = drop_short_runs((distances < HOLD_DISTANCE_M * scale) & _nearest(distances), shortest)
    return steady & _nearest(np.where(steady, distances, np.inf))


def _nearest(distances: Array) -> NDArray[np.bool_]:
    """Return which pairs (F, 4) consist of hands that are each other's nearest."""
    table = distances.reshape(-1, 2, 2)
    nearest = (table == table.min(axis=1, keepdims=True)) & (table == table.min(axis=2, keepdims=True))
    return nearest.reshape(distances.shape)
