"""Metrics of feet: skate, drift, penetration, float.

Heights are measured at joints, which are above their soles (an ankle by about 8 cm), so that each joint's own standing
height is subtracted first.
"""

from typing import Final

import numpy as np

from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.rotations import Array

MAX_DRIFT_HEIGHT_M: Final = 0.025
"""Height of a sole below which NSM's drift counts it as near the ground."""


def horizontal_speeds(positions: Array, rate: float) -> Array:
    """Return the horizontal speeds (F, C), m/s, of joints (F, C, 3).

    A speed is the mean of the speeds of the steps to and from a frame, not the speed of the mean step, so that a joint
    trembling on the spot does not count as standing.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2])
    return average_adjacent_steps(np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1) * rate)


def average_adjacent_steps(steps: Array) -> Array:
    """Convert values (F - 1, C) of the steps between frames to values (F, C) of frames: means of adjacent steps."""
    return (np.concatenate([steps[:1], steps]) + np.concatenate([steps, steps[-1:]])) / 2


def skate_speeds(positions: Array, contacts: Array, rate: float) -> Array:
    """Return the horizontal speeds (N), m/s, of joints in contact, one for each joint and frame (foot skate).

    Args:
        positions: (F, C, 3) heel and toe joints, meters.
        contacts: (F, C) probabilities.
        rate: frames per second.
    """
    return horizontal_speeds(positions, rate)[contacts > CONTACT_THRESHOLD]


def standing_heights(positions: Array, contacts: Array, ground: float) -> Array:
    """Return each joint's height (C) above the ground, meters, when the foot stands: its median in contact.

    For a joint without contacts it is the lowest height.

    Args:
        positions: (F, C, 3) joints, meters.
        contacts: (F, C) probabilities.
        ground: height of the ground, meters.
    """
    heights = positions[..., 2] - ground
    standing = contacts > CONTACT_THRESHOLD
    return np.array([np.median(h[on]) if on.any() else h.min() for h, on in zip(heights.T, standing.T, strict=True)])


def sole_heights(positions: Array, ground: float, standing_heights: Array) -> Array:
    """Return how high (F, C), meters, the soles under joints are above the ground; negative below it.

    Args:
        positions: (F, C, 3) joints, meters.
        ground: height of the ground, meters.
        standing_heights: (C) standing heights of the joints, meters.
    """
    return positions[..., 2] - ground - standing_heights


def drift_speed(positions: Array, heights: Array, rate: float) -> float:
    """Return NSM's foot skating, m/s: horizontal travel near the ground, per second of the clip.

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
    """Return how deep (F, C), meters, soles are below the ground, given their heights; 0 above it."""
    return np.maximum(-heights, 0.0)


def floating_heights(heights: Array, contacts: Array) -> Array:
    """Return how high (N), meters, soles in contact are above the ground, for each frame and joint; 0 below it."""
    return np.maximum(heights, 0.0)[contacts > CONTACT_THRESHOLD]
