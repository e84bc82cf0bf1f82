"""An axis: positions of values between its ends, and its ticks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from ``low`` to ``high``, which are different, and above zero if it is logarithmic."""

    low: float
    high: float
    is_log: bool = False

    @staticmethod
    def spanning(values: Sequence[float], is_log: bool = False, zero: bool = False) -> "Axis":
        """Return an axis that spans all values.

        Args:
            values: at least one value.
            is_log: whether the axis is logarithmic; if so, values that are not positive are excluded.
            zero: whether to include zero.
        """
        kept = np.asarray([value for value in values if value > 0 or not is_log], dtype=float)
        if len(kept) == 0:
            return Axis(0.1, 1.0, True)
        low, high = float(kept.min()), float(kept.max())
        if is_log:
            room = max((high / low) ** 0.05, 1.05)
            return Axis(low / room, high * room, True)
        low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
        room = 0.05 * (high - low) or 0.1 * abs(high) or 1.0
        return Axis(low if zero and low == 0.0 else low - room, high + room)

    def positions(self, values: ArrayLike) -> NDArray[np.floating]:
        """Return where values are on the axis, from 0 at its lower end to 1 at its upper end.

        On a logarithmic axis, values that are not positive give NaN.
        """
        numbers = np.asarray(values, dtype=float)
        if not self.is_log:
            return (numbers - self.low) / (self.high - self.low)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(numbers > 0, np.log(numbers), np.nan)
        return (logs - math.log(self.low)) / (math.log(self.high) - math.log(self.low))

    def ticks(self, max_count: int) -> list[float]:
        """Return round values for ticks, about ``max_count`` at most."""
        return self._log_ticks(max_count) if self.is_log else self._linear_ticks(max_count)

    def _linear_ticks(self, max_count: int) -> list[float]:
        least = (self.high - self.low) / max(max_count, 1)
        power = 10.0 ** math.floor(math.log10(least))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, 12) for number in range(first, last + 1)][: max(max_count, 1)]

    def _log_ticks(self, max_count: int) -> list[float]:
        """Return ticks at powers of ten if there are two or more, else at multiples by 1, 2 and 5, else linear ones."""
        decades = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        for factors in ((1,), (1, 2, 5)):
            found = [factor * 10.0**decade for decade in decades for factor in factors]
            inside = [value for value in found if self.low <= value <= self.high]
            if len(inside) >= 2:
                return inside[:: math.ceil(len(inside) / max(max_count, 1))]
        return [value for value in Axis(self.low, self.high)._linear_ticks(max_count) if value > 0]


def format_number(value: float) -> str:
    """Return the value of a tick as text.

    >>> [written(value) for value in (0.0, 0.05, 2.0, 12.5, 1500.0, 1e-5)] ['0', '0.05', '2', '12.5', '1500', '1e-05']
    """
    return f"{value:.4g}"
