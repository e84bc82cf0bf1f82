"""Spin of a ball: it turns with the hands that hold it, keeps spinning in flight, and rolls on the floor."""

from typing import Final

import numpy as np

from ..motion.rotations import IDENTITY, Array, exp, from_matrix, inverse, log, multiply, normalize, unroll
from ..motion.signals import Mask
from .hands import CUE_RATE_HZ, HandMotion

FLOOR_TOUCH_RATIO: Final = 1.3
"""Height of the center above the floor, in ball radii, below which the floor makes the ball roll."""
MAX_SPIN_RAD_S: Final = 25.0
"""Fastest spin that a hand gives, about four turns a second."""


def ball_rotations(hands: HandMotion, positions: Array, contacts: Mask, rate: float, radius: float) -> Array:
    """Return the world rotations (F, 4) of a ball: turned by hands, spinning on in flight, rolling on the floor.

    Args:
        hands: the motion of the hands.
        positions: (F, 3) centers of the ball, meters scaled to an adult, with the floor at height 0.
        contacts: (F, 2) whether left and right hand touch the ball.
        rate: frames per second of positions and contacts.
        radius: radius of the ball, meters scaled to an adult.
    """
    turning = _hand_turning(hands, len(positions), rate)
    velocity = np.gradient(positions, axis=0) * rate
    rolling = np.column_stack([-velocity[:, 1], velocity[:, 0], np.zeros(len(velocity))]) / radius
    on_floor = (positions[:, 2] < FLOOR_TOUCH_RATIO * radius) & ~contacts.any(axis=1)
    spins = np.zeros_like(positions)
    spin = np.zeros(3)
    for frame in range(len(positions)):
        if on_floor[frame]:
            spin = rolling[frame]
        elif contacts[frame].any():
            spin = turning[frame, contacts[frame]].mean(axis=0)
        size = float(np.linalg.norm(spin))
        spins[frame] = spin * min(1.0, MAX_SPIN_RAD_S / size) if size else spin
    rotations = np.empty((len(positions), 4))
    rotations[0] = IDENTITY
    for frame, step in enumerate(exp(spins[:-1] / rate), start=1):
        rotations[frame] = multiply(step, rotations[frame - 1])
    return unroll(normalize(rotations))


def _hand_turning(hands: HandMotion, frames: int, rate: float) -> Array:
    """Return the angular velocities (F, 2, 3) of both hands in the world, rad/s."""
    proper = hands.axes * np.ones((2, 3, 1))
    proper[:, 0, 1] *= -1.0  # The left hand's axes form a left-handed frame.
    turns = from_matrix(np.swapaxes(proper, -1, -2))
    steps = log(multiply(turns[1:], inverse(turns[:-1]))) * CUE_RATE_HZ
    index = np.clip(np.rint(np.arange(frames) * CUE_RATE_HZ / rate).astype(int), 0, len(steps) - 1)
    return steps[index]
