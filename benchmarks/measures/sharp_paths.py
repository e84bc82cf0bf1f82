"""Random sharp paths, as polylines on the ground."""

from typing import Final

import numpy as np

from ...core.motion.rotations import Array

LEG_RANGE_M: Final = (0.5, 3.0)
"""Shortest and longest straight piece of a random sharp path."""


def random_sharp_path(seed: int, length: float) -> Array:
    """Return the points (N, 2) of a path of straight pieces of random length that turn by any angle, also right back.

    Args:
        seed: of the random numbers.
        length: of the path, meters.
    """
    random = np.random.default_rng(seed)
    points, walked, heading = [np.zeros(2)], 0.0, 0.0
    while walked < length:
        leg = min(float(random.uniform(*LEG_RANGE_M)), length - walked)
        points.append(points[-1] + leg * np.array([np.cos(heading), np.sin(heading)]))
        walked += leg
        heading += float(random.uniform(-np.pi, np.pi))
    return np.array(points)
