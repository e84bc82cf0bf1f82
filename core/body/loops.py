"""Closed loops of points around a part of the body."""

from typing import Final

import numpy as np

from ..motion.rotations import Array

ROUND: Final = 2.0
"""Exponent of an ellipse; larger ones are squarer (Lame's superellipse)."""


def superellipse(angles: Array, exponent: float = ROUND) -> tuple[Array, Array]:
    """Return sine and cosine (N) of a superellipse with half axes of 1 at angles (N), radians."""
    sine, cosine = np.sin(angles), np.cos(angles)
    power = 2.0 / exponent
    return np.sign(sine) * np.abs(sine) ** power, np.sign(cosine) * np.abs(cosine) ** power


def smoothing_loss(count: int) -> float:
    """Return the radius of the smooth curve of a regular polygon of ``count`` corners with radius 1.

    It is that of the uniform cubic B-spline, which subdivision tends to.
    """
    return (2.0 + float(np.cos(2 * np.pi / count))) / 3.0


def loop(center: Array, across: Array, ahead: Array, angles: Array, exponent: float = ROUND) -> Array:
    """Return the points (N, 3) of a loop whose smooth curve has the half axes that are given.

    Args:
        center: (3), meters.
        across: (3) half axis at the angle of pi / 2, meters.
        ahead: (N, 3) or (3) half axis at the angle 0, meters.
        angles: (N), radians.
        exponent: see :data:`ROUND`.
    """
    sine, cosine = superellipse(angles, exponent)
    return center + (sine[:, None] * across + cosine[:, None] * ahead) / smoothing_loss(len(angles))
