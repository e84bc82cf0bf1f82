"""How well feet stand: skate, drift, penetration, float.

Heights are of joints, and a joint lies above its sole (an ankle by some 8 cm), so each joint's own height while it
stands, its *clearance*, is taken off first.
"""

from typing import Final

import numpy as np

from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.rotations import Array

MAX_DRIFT_HEIGHT_M: Final = 0.025
"""Metres under which a foot counts as near the ground in NSM's drift."""


def horizontal_speeds(positions: Array, rate: float) -> Array:
    """Horizontal speeds (F, C), m/s, of joints (F, C, 3): the mean of the step to a frame and the step from it.

    The mean of two speeds, not the speed of the mean step: a joint that trembles on the spot is not standing.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2])
    return average_adjacent_steps(np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1) * rate)


def average_adjacent_steps(steps: Array) -> Array:
    """What belongs to the steps between frames (F - 1, C), by frames (F, C): the mean of the step to it and from it."""
    return (np.concatenate([steps[:1], steps]) + np.concatenate([steps, steps[-1:]])) / 2


def skate_speeds(positions: Array, contacts: Array, rate: float) -> Array:
    """Horizontal speeds (N), m/s, of every frame and joint in contact.

    Args:
        positions: heel and toe joints (F, C, 3), metres.
        contacts: probabilities (F, C); a joint stands where its own is above 0.5.
    """
    return horizontal_speeds(positions, rate)[contacts > CONTACT_THRESHOLD]


def standing_heights(positions: Array, contacts: Array, ground: float) -> Array:
    """How high each joint (C) lies above the ground while it stands, metres: its median height in contact.

    A joint that never stands has its lowest height.
    """
    heights = positions[..., 2] - ground
    standing = contacts > CONTACT_THRESHOLD
    return np.array([np.median(h[on]) if on.any() else h.min() for h, on in zip(heights.T, standing.T, strict=True)])


def sole_heights(positions: Array, ground: float, standing_heights: Array) -> Array:
    """Heights (F, C), metres, of the soles under joints (F, C, 3) above the ground; negative is under it."""
    return positions[..., 2] - ground - standing_heights


def drift_speed(positions: Array, heights: Array, rate: float) -> float:
    """NSM's foot skating, m/s: horizontal travel while nearer than 2.5 cm to the ground, per second of clip.

    Args:
        positions: joints (F, C, 3), metres.
        heights: their soles' heights (F, C), metres.

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
    """Depths (F, C), metres, of soles (F, C) below the ground; zero above it."""
    return np.maximum(-heights, 0.0)


def floating_heights(heights: Array, contacts: Array) -> Array:
    """Heights (N), metres, of soles above the ground at every frame and joint in contact; zero where they are below."""
    return np.maximum(heights, 0.0)[contacts > CONTACT_THRESHOLD]
