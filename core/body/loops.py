"""Closed loops of points: cross-sections of body parts."""

from typing import Final

import numpy as np

from ..motion.rotations import Array

ROUND: Final = 2.0
"""Exponent of an ellipse; larger exponents are squarer (Lame's superellipse)."""


def superellipse(angles: Array, exponent: float = ROUND) -> tuple[Array, Array]:
    """Return both coordinates (N) of a unit superellipse at angles (N), radians: sine and cosine if it is round."""
    sine, cosine = np.sin(angles), np.cos(angles)
    power = 2.0 / exponent
    return np.sign(sine) * np.abs(sine) ** power, np.sign(cosine) * np.abs(cosine) ** power


def smoothing_loss(count: int) -> float:
    """Return the radius to which subdivision shrinks a regular polygon of radius 1 with ``count`` corners.

    The limit curve is the uniform cubic B-spline.
    """
    return (2.0 + float(np.cos(2 * np.pi / count))) / 3.0


def loop(
    center: Array,
    across: Array,
    ahead: Array,
    angles: Array,
    exponent: float = ROUND,
) -> Array:
    """Return the control points (N, 3), meters, of a closed curve that has the given half axes after subdivision.

    Args:
        center: (3) center, meters.
        across: (3) half axis at the angle of pi / 2, meters.
        ahead: (N, 3) or (3) half axis at the angle 0, meters.
        angles: (N) angles, radians.
        exponent: see :data:`ROUND`.
    """
    sine, cosine = superellipse(angles, exponent)
    return center + (sine[:, None] * across + cosine[:, None] * ahead) / smoothing_loss(len(angles))
