"""Metrics of feet on level ground: skate, drift, penetration and float.

Joints are above their soles (an ankle by about 8 cm), so each joint's own height while standing is subtracted before
heights are judged.
"""

from typing import Final

import numpy as np

from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.rotations import Array

MAX_DRIFT_HEIGHT_M: Final = 0.025
"""Height of a sole below which :func:`drift_speed` counts it as near the ground."""


def horizontal_speeds(positions: Array, rate: float) -> Array:
    """Return the horizontal speeds (F, C), m/s, of joints at positions (F, C, 3), meters.

    The speed at a frame is the mean of the speeds from the previous frame and to the next one, not the speed of the
    mean displacement, so that a joint trembling on the spot does not count as standing.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2])
    return average_adjacent_steps(np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1) * rate)


def average_adjacent_steps(steps: Array) -> Array:
    """Return values (F, C) at frames, each the mean of the two adjacent values (F - 1, C) between frames."""
    return (np.concatenate([steps[:1], steps]) + np.concatenate([steps, steps[-1:]])) / 2


def skate_speeds(positions: Array, contacts: Array, rate: float) -> Array:
    """Return the foot skate (N), m/s: horizontal speeds of the joints in the N pairs of frame and joint in contact.

    Args:
        positions: (F, C, 3) heel and toe joints, meters.
        contacts: (F, C) contact probabilities of these joints.
        rate: frames per second.
    """
    return horizontal_speeds(positions, rate)[contacts > CONTACT_THRESHOLD]


def standing_heights(positions: Array, contacts: Array, ground: float) -> Array:
    """Return the median height (C), meters, of each joint above the ground in the frames of its contact.

    A joint without contacts gets its lowest height in the clip.

    Args:
        positions: (F, C, 3) joints, meters.
        contacts: (F, C) contact probabilities of these joints.
        ground: height of the ground, meters.
    """
    heights = positions[..., 2] - ground
    standing = contacts > CONTACT_THRESHOLD
    return np.array([np.median(h[on]) if on.any() else h.min() for h, on in zip(heights.T, standing.T, strict=True)])


def sole_heights(positions: Array, ground: float, standing_heights: Array) -> Array:
    """Return the height (F, C) of the sole under each joint above the ground, meters; negative in the ground.

    Args:
        positions: (F, C, 3) joints, meters.
        ground: height of the ground, meters.
        standing_heights: (C) standing heights of the joints, meters.
    """
    return positions[..., 2] - ground - standing_heights


def drift_speed(positions: Array, heights: Array, rate: float) -> float:
    """Return the foot skating of NSM: horizontal travel of joints near the ground per second of the clip, m/s.

    Args:
        positions: (F, C, 3) joints, meters.
        heights: (F, C) heights of the soles under the joints, meters.
        rate: frames per second.

    Returns:
        The mean over the C joints.
    """
    if len(positions) < 2:
        return 0.0
    steps = np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1)
    near = heights < MAX_DRIFT_HEIGHT_M
    seconds = (len(positions) - 1) / rate
    return float((steps * (near[1:] & near[:-1])).sum(axis=0).mean() / seconds)


def penetration_depths(heights: Array) -> Array:
    """Return the depth (F, C) of soles below the ground, meters; 0 for soles with heights (F, C) above it."""
    return np.maximum(-heights, 0.0)


def floating_heights(heights: Array, contacts: Array) -> Array:
    """Return the heights (N), meters, of soles above the ground in the N pairs of frame and sole in contact.

    A sole below the ground counts as 0; heights (F, C) are in meters, contacts (F, C) are probabilities.
    """
    return np.maximum(heights, 0.0)[contacts > CONTACT_THRESHOLD]
