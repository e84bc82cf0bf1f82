"""Closed loops of points: cross-sections of body parts."""

from typing import Final

import numpy as np

from ..motion.rotations import Array

ROUND: Final = 2.0
"""Exponent of an ellipse; larger exponents are squarer (Lame's superellipse)."""


def superellipse(angles: Array, exponent: float = ROUND) -> tuple[Array, Array]:
    """Return sine-like and cosine-like coordinates (N) of a unit superellipse at angles (N), radians."""
    sine, cosine = np.sin(angles), np.cos(angles)
    power = 2.0 / exponent
    return np.sign(sine) * np.abs(sine) ** power, np.sign(cosine) * np.abs(cosine) ** power


def smoothing_loss(count: int) -> float:
    """Return the radius of the smooth curve to which a regular polygon of radius 1 with ``count`` corners shrinks.

    The curve is the uniform cubic B-spline, the limit of subdivision.
    """
    return (2.0 + float(np.cos(2 * np.pi / count))) / 3.0


def loop(
    center: Array,
    across: Array,
    ahead: Array,
    angles: Array,
    exponent: float = ROUND,
) -> Array:
    """Return the control points (N, 3) of a loop whose subdivided curve has the given half axes, meters.

    Args:
        center: (3) center, meters.
        across: (3) half axis at the angle of pi / 2, meters.
        ahead: (N, 3) or (3) half axis at the angle 0, meters.
        angles: (N) angles, radians.
        exponent: see :data:`ROUND`.
    """
    sine, cosine = superellipse(angles, exponent)
    return center + (sine[:, None] * across + cosine[:, None] * ahead) / smoothing_loss(len(angles))
