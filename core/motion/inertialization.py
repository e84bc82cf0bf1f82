"""Inertialization (Bollo 2018): a clip starts in the pose of the preceding one, and the offset decays."""

from typing import Final

import numpy as np

from .clip import Clip
from .rotations import Array, exp, inverse, log, multiply, normalize

DECAY_RATE_HZ: Final = 9.0
"""Rate of the critically damped decay: a tenth of an offset is left after 0.43 s."""


def inertialized(before: Clip, after: Clip) -> Clip:
    """Return a clip that starts from another clip's last pose and velocity and blends into its own motion.

    The offset between the two clips decays like a critically damped spring.

    Args:
        before: the preceding clip, of at least two frames.
        after: the clip to blend into, with the same skeleton and rate; its first frame follows the last of `before`.
    """
    dt = 1 / after.rate
    times = np.arange(len(after)) * dt
    place = decayed(
        2 * before.root_positions[-1] - before.root_positions[-2] - after.root_positions[0],
        _speed(before.root_positions[-2:], dt) - _speed(after.root_positions[:2], dt),
        times,
    )
    last, own = before.rotations[-2:], after.rotations[:2]
    spin = log(multiply(inverse(last[0]), last[1])) / dt
    on = multiply(last[1], exp(spin * dt))
    offset = log(multiply(inverse(own[0]), on))
    turning = spin - log(multiply(inverse(own[0]), own[-1])) / dt
    turns = exp(decayed(offset, turning, times))
    rotations = normalize(multiply(after.rotations, turns))
    return Clip(after.skeleton, after.rate, after.root_positions + place, rotations, after.name)


def _speed(pair: Array, dt: float) -> Array:
    """Return the change per second from the first to the last of one or two frames."""
    return (pair[-1] - pair[0]) / dt


def decayed(offset: Array, velocity: Array, times: Array) -> Array:
    """Return an offset (...) of initial velocity (...), per second, after it has decayed for ``times`` (F), seconds."""
    at = times.reshape(-1, *[1] * offset.ndim)
    return (offset + (velocity + DECAY_RATE_HZ * offset) * at) * np.exp(-DECAY_RATE_HZ * at)
