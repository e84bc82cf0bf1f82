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
    """Return the horizontal speeds (F, C), m/s, of joints (F, C, 3).

    A speed is the mean of the speeds of the steps to and from a frame, not the speed of the mean step, so that a joint
    trembling on the spot does not count as standing.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2])
    return average_adjacent_steps(np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1) * rate)


def average_adjacent_steps(steps: Array) -> Array:
    """Convert values (F - 1, C) between frames to values (F, C) at frames, as means of the two adjacent ones."""
    return (np.concatenate([steps[:1], steps]) + np.concatenate([steps, steps[-1:]])) / 2


def skate_speeds(positions: Array, contacts: Array, rate: float) -> Array:
    """Return the foot skate (N), m/s: the horizontal speed of each joint at each frame in which it is in contact.

    Args:
        positions: (F, C, 3) heel and toe joints, meters.
        contacts: (F, C) contact probabilities of these joints.
        rate: frames per second.
    """
    return horizontal_speeds(positions, rate)[contacts > CONTACT_THRESHOLD]


def standing_heights(positions: Array, contacts: Array, ground: float) -> Array:
    """Return the height (C) of each joint above the ground while its foot stands, meters: the median during contact.

    For a joint without contacts it is the lowest height.

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
    """Return the foot skating of NSM, m/s: horizontal travel of joints near the ground, per second of the clip.

    Args:
        positions: (F, C, 3) joints, meters.
        heights: (F, C) heights of the soles under the joints, meters.
        rate: frames per second.

    Returns:
        The mean over the joints.
    """
    if len(positions) < 2:
        return 0.0
    steps = np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1)
    near = heights < MAX_DRIFT_HEIGHT_M
    seconds = (len(positions) - 1) / rate
    return float((steps * (near[1:] & near[:-1])).sum(axis=0).mean() / seconds)


def penetration_depths(heights: Array) -> Array:
    """Return the depth (F, C) of soles below the ground, meters, given their heights; 0 above the ground."""
    return np.maximum(-heights, 0.0)


def floating_heights(heights: Array, contacts: Array) -> Array:
    """Return the height (N) of each sole above the ground at each frame of its contact, meters; 0 below the ground."""
    return np.maximum(heights, 0.0)[contacts > CONTACT_THRESHOLD]
