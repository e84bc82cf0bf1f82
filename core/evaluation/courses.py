"""Courses: test paths for walks, as polylines on the ground."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..errors import FootfallError
from ..motion.rotations import Array

POINT_SPACING_M: Final = 0.05
"""Spacing of points along curves; at a radius of 0.5 m the polyline deviates from the arc by 0.6 mm."""


def course_points(name: str) -> Array:
    """Return the points (N, 2) of a course, meters; it starts at the origin toward +X, the wave at an angle to +X.

    Curves have a point every :data:`POINT_SPACING_M`; the corners of the square are sharp.

    Raises:
        FootfallError: there is no course of this name.
    """
    if name not in _COURSE_BUILDERS:
        raise FootfallError(
            "There is no course '{name}': choose one of {names}", name=name, names=", ".join(_COURSE_BUILDERS)
        )
    return _COURSE_BUILDERS[name]()


def _straight() -> Array:
    """Return a straight line of 12 m."""
    return np.array([[0.0, 0.0], [12.0, 0.0]])


def _wave(amplitude: float = 1.0, wavelength: float = 6.0, length: float = 24.0) -> Array:
    """Return a sine wave along +X."""
    x = np.linspace(0.0, length, round(length / POINT_SPACING_M) + 1)
    return np.stack([x, amplitude * np.sin(2 * np.pi * x / wavelength)], axis=-1)


def _square(side: float = 4.0) -> Array:
    """Return a closed square."""
    return side * np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])


def _circle(radius: float = 2.0) -> Array:
    """Return the points (N, 2), meters, of a full circle that starts at the origin, counterclockwise."""
    return _arc((0.0, radius), radius, -np.pi / 2, 2 * np.pi)


def _hairpin(straight: float = 6.0, radius: float = 0.5) -> Array:
    """Return a line, half a circle and the line back."""
    bend = _arc((straight, radius), radius, -np.pi / 2, np.pi)
    return np.concatenate([[[0.0, 0.0]], bend, [[0.0, 2 * radius]]])


def _s_curve(radius: float = 2.0) -> Array:
    """Return two half circles, one to the left and one to the right."""
    first = _arc((0.0, radius), radius, -np.pi / 2, np.pi)
    second = _arc((0.0, 3 * radius), radius, -np.pi / 2, -np.pi)
    return np.concatenate([first, second[1:]])


def _arc(centre: ArrayLike, radius: float, start: float, sweep: float) -> Array:
    """Return the points of an arc that sweeps ``sweep`` radians from the angle ``start``, radians."""
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
