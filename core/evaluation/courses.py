"""The path courses on which walks are measured, as polylines on the ground."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..errors import FootfallError
from ..motion.rotations import Array

POINT_SPACING_M: Final = 0.05
"""Metres between points along curves: at a radius of 0.5 m the polyline cuts the arc by 0.6 mm."""


def course_points(name: str) -> Array:
    """Return the points (N, 2) of a course, metres, from the origin and setting out towards +X (the wave: up its
    slope).

    Curves have a point every 5 cm; the square's corners are sharp. Raises :class:`FootfallError` for an unknown name.
    """
    if name not in _COURSE_BUILDERS:
        raise FootfallError(f"There is no course called '{name}': choose one of {', '.join(_COURSE_BUILDERS)}.")
    return _COURSE_BUILDERS[name]()


def _straight() -> Array:
    return np.array([[0.0, 0.0], [12.0, 0.0]])


def _wave(amplitude: float = 1.0, wavelength: float = 6.0, length: float = 24.0) -> Array:
    x = np.linspace(0.0, length, round(length / POINT_SPACING_M) + 1)
    return np.stack([x, amplitude * np.sin(2 * np.pi * x / wavelength)], axis=-1)


def _square(side: float = 4.0) -> Array:
    return side * np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])


def _circle(radius: float = 2.0) -> Array:
    return _arc((0.0, radius), radius, -np.pi / 2, 2 * np.pi)


def _hairpin(straight: float = 6.0, radius: float = 0.5) -> Array:
    bend = _arc((straight, radius), radius, -np.pi / 2, np.pi)
    return np.concatenate([[[0.0, 0.0]], bend, [[0.0, 2 * radius]]])


def _s_curve(radius: float = 2.0) -> Array:
    first = _arc((0.0, radius), radius, -np.pi / 2, np.pi)
    second = _arc((0.0, 3 * radius), radius, -np.pi / 2, -np.pi)
    return np.concatenate([first, second[1:]])


def _arc(centre: ArrayLike, radius: float, start: float, sweep: float) -> Array:
    angles = start + np.linspace(0.0, sweep, round(abs(sweep) * radius / POINT_SPACING_M) + 1)
    return np.asarray(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)


_COURSE_BUILDERS: Final[dict[str, Callable[[], Array]]] = {
    "straight": _straight,
    "wave": _wave,
    "square": _square,
    "circle": _circle,
    "hairpin": _hairpin,
    "s_curve": _s_curve,
}
COURSE_NAMES: Final = tuple(_COURSE_BUILDERS)
