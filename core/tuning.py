"""Tuned numbers as data: one frozen dataclass per processing pass, whose fields carry unit and range."""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np


def tuned(value: float | tuple[float, ...], unit: str, low: float, high: float) -> Any:
    """Return a dataclass field for a tuned number, with its unit and range as metadata.

    Args:
        value: the number, or a tuple of them.
        unit: its unit, such as `m`, `s`, `rad` or `m/s`; `1` for a share or a ratio.
        low: least sensible value.
        high: greatest sensible value.
    """
    return field(default=value, metadata={"unit": unit, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class Tuning:
    """Base class for the tuned numbers of a processing step; each field is made by :func:`tuned`."""

    def __post_init__(self) -> None:
        """Check that all numbers are in their ranges.

        Raises:
            ValueError: a number is out of its range.
        """
        for one in fields(self):
            low, high, value = one.metadata["low"], one.metadata["high"], getattr(self, one.name)
            if not np.all((np.asarray(value) >= low) & (np.asarray(value) <= high)):
                unit = one.metadata["unit"]
                raise ValueError(f"{type(self).__name__}.{one.name} is {value}, not from {low} to {high} {unit}")
