"""Bounds of the values in controller files, within which nothing that a walk computes can overflow."""

from typing import Final

MIN_DEVIATION: Final = 1e-8
"""Smallest deviation in the normalization."""
MAX_VALUE: Final = 1e6
"""Largest magnitude of weights, means and deviations."""
MAX_VALUES: Final = {
    "x_std": 1e12,  # inputs that a network is not to see are divided by much
    "skeleton.": 100.0,
    "start.position": 100.0,
    "start.idle": 100.0,
    "start.velocity": 1000.0,
}
"""Largest magnitude in other tensors, by the start of their names; meters, meters per second."""


MIN_BONES_M: Final = 0.2
"""Least length of all bones of a skeleton together; walks of tinier ones take many times as long."""


def largest_value(name: str) -> float:
    """Return the largest magnitude in a tensor with which nothing that a walk computes can overflow."""
    return next((largest for start, largest in MAX_VALUES.items() if name.startswith(start)), MAX_VALUE)
