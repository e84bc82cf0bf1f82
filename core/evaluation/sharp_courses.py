"""Sharp courses: corners and reversals, as polylines on the ground."""

from collections.abc import Callable
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion.rotations import Array


def sharp_course_points(name: str) -> Array:
    """Return the points (N, 2) of a course with sharp corners, meters, which begins at the origin.

    Raises:
        FootfallError: there is no sharp course of this name.
    """
    if name not in _SHARP_COURSES:
        raise FootfallError(f"There is no sharp course '{name}': choose one of {', '.join(_SHARP_COURSES)}")
    return _SHARP_COURSES[name]()


def _corner(side: float = 4.0) -> Array:
    """Return a right angle."""
    return side * np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])


def _reversal(length: float = 4.0) -> Array:
    """Return a straight line and the same line back."""
    return length * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])


def _zigzag(leg: float = 3.0, legs: int = 6, turn: float = np.radians(120.0)) -> Array:
    """Return straight legs, with turns by an angle to the left and to the right alternately."""
    headings = np.array([turn / 2 if number % 2 else -turn / 2 for number in range(legs)])
    steps = leg * np.stack([np.cos(headings), np.sin(headings)], axis=-1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def _narrow_hairpin(straight: float = 4.0, gap: float = 0.2) -> Array:
    """Return a straight line and a parallel line back, close beside it."""
    return np.array([[0.0, 0.0], [straight, 0.0], [straight, gap], [0.0, gap]])


_SHARP_COURSES: Final[dict[str, Callable[[], Array]]] = {
    "reversal": _reversal,
    "corner": _corner,
    "zigzag": _zigzag,
    "hairpin_20_cm": _narrow_hairpin,
}
SHARP_COURSE_NAMES: Final = tuple(_SHARP_COURSES)
