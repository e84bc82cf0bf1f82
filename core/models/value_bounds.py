"""Bounds of the values in controller files that prevent overflow in all computations of a walk."""

from typing import Final

MIN_DEVIATION: Final = 1e-8
"""Smallest accepted standard deviation in the normalization."""
MAX_VALUE: Final = 1e6
"""Largest accepted magnitude of weights, means and deviations."""
MAX_VALUES: Final = {
    "x_std": 1e12,  # inputs hidden from a network are divided by a large number
    "skeleton.": 100.0,
    "start.position": 100.0,
    "start.idle": 100.0,
    "start.velocity": 1000.0,
}
"""Largest accepted magnitude in other tensors, by the prefix of their names; meters, meters per second."""


MIN_BONES_M: Final = 0.2
"""Least accepted total length of a skeleton's bones; walks of tinier skeletons would take many times as long."""


def largest_value(name: str) -> float:
    """Return the largest magnitude that a tensor's values may have so that no computation of a walk overflows."""
    return next((largest for start, largest in MAX_VALUES.items() if name.startswith(start)), MAX_VALUE)
