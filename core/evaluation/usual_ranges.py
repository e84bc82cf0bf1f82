"""Usual range of each measure in people's motion, its limits of faults, and how closeness falls outside.

Ranges are measured by the same code on captured people (ACCAD, CMU and O3DE clips), or taken from the literature where
captured bodies are known to be off, as in the knees of standing people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Final

from .usual_cadence import WALK_RUN_SPEEDS_M_S, usual_cadence

CADENCE_FADE_SHARE: Final = 0.12
"""Deviation beyond the usual band, as a share of the cadence, at which closeness is 0.5."""
CADENCE_FAULT_SHARE: Final = 0.05
"""Deviation beyond the usual band, as a share of it, above which a cadence is a fault; acted walks deviate by 2 %."""


@dataclass(frozen=True, slots=True)
class UsualRange:
    """People's range of one measure, and its limits of faults.

    Attributes:
        unit: unit of the values.
        low, high: ends of people's range; infinite if open.
        fade: distance outside the range at which closeness is 0.5.
        fault_low, fault_high: limits beyond which a value looks wrong; infinite if there is no limit.
        is_length: whether the values scale with body size.
    """

    unit: str
    low: float
    high: float
    fade: float
    fault_low: float = -inf
    fault_high: float = inf
    is_length: bool = False

    def for_body(self, size: float) -> "UsualRange":
        """Return the range for a body of the given size, 1 for an adult."""
        if not self.is_length:
            return self
        limits = (self.low, self.high, self.fade, self.fault_low, self.fault_high)
        return UsualRange(self.unit, *(size * limit for limit in limits), is_length=True)

    def distance(self, value: float) -> float:
        """Return the distance of a value from people's range, in its unit; 0 within the range."""
        return max(self.low - value, value - self.high, 0.0)

    def closeness(self, value: float) -> float:
        """Return the closeness of a value to people's: 1 within their range, falling smoothly outside, 0 for NaN."""
        return 1.0 / (1.0 + (self.distance(value) / self.fade) ** 2) if isfinite(value) else 0.0

    def is_fault(self, value: float) -> bool:
        """Return whether a value is so far outside the range that it looks wrong."""
        return value < self.fault_low or value > self.fault_high


USUAL_RANGES: Final[Mapping[str, UsualRange]] = {
    "standing_knee_deg": UsualRange("deg", 0.0, 10.0, 8.0, fault_high=15.0),
    "standing_head_cm_s": UsualRange("cm/s", 0.0, 5.0, 5.0, fault_high=12.0, is_length=True),
    "standing_foot_moving_percent": UsualRange("%", 0.0, 5.0, 15.0),
    "step_time_asymmetry_percent": UsualRange("%", 0.0, 4.0, 6.0, fault_high=6.0),
    "side_lean_deg": UsualRange("deg", -2.0, 2.0, 3.0, -4.0, 4.0),
    "step_width_cm": UsualRange("cm", 6.0, 14.0, 4.0, 3.0, 18.0, is_length=True),
    "bounce_cm": UsualRange("cm", 2.0, 5.5, 2.0, is_length=True),
    "sway_cm": UsualRange("cm", 1.3, 6.0, 2.5, is_length=True),
    "knee_yield_deg": UsualRange("deg", 10.0, 24.0, 6.0),
    "arm_swing_deg": UsualRange("deg", 12.0, inf, 8.0, fault_low=8.0),
    "turn_lean_deg": UsualRange("deg", 0.0, 20.0, 10.0, fault_high=25.0),
    "turn_sink_cm": UsualRange("cm", 0.0, 5.0, 4.0, fault_high=9.0, is_length=True),
    "joint_speed_max_rad_s": UsualRange("rad/s", 0.0, 20.0, 8.0, fault_high=25.0),
}
"""Usual ranges of an adult by the measures of :func:`.likeness.measure_likeness`, with the cadence at its speed.

*Standing* is measured in rests of at least a second. People stand with knees of 3 to 6 degrees, captured ones with up
to 13; their heads move by 1 to 4 cm/s, and by 9 while they sway. Steps are 6 to 14 cm wide at walking speeds; arms
swing by 20 to 50 degrees. Bodies lean by up to 18 degrees in turns at walking speeds and sink by 3 to 4 cm. Except
toes, joints turn by up to 18 rad/s in walks.
"""
CHANGE_MARGIN_M_S: Final = 0.2
"""Margin around the walk-run transition speeds within which both gaits are usual."""
CADENCE_MEASURE: Final = "cadence_steps_min"
"""Measure whose usual range depends on the speed; see :func:`cadence_range`."""
LIKENESS_MEASURES: Final = (*USUAL_RANGES, CADENCE_MEASURE)
"""All measures of the likeness to people; names end in their unit."""


def cadence_range(speed: float, size: float) -> UsualRange:
    """Return people's usual range of the cadence, steps/min, at a speed.

    Args:
        speed: travel speed, m/s.
        size: size of the body, 1 for an adult; cadence scales like a pendulum's frequency (Froude).
    """
    adult = speed / size**0.5
    low, high = (cadence / size**0.5 for cadence in usual_cadence(adult))
    around = [usual_cadence(adult)]
    if WALK_RUN_SPEEDS_M_S[0] - CHANGE_MARGIN_M_S <= adult <= WALK_RUN_SPEEDS_M_S[1] + CHANGE_MARGIN_M_S:
        around += [usual_cadence(limit) for limit in WALK_RUN_SPEEDS_M_S]
    lowest, highest = min(low for low, _ in around), max(high for _, high in around)
    return UsualRange(
        "steps/min",
        low,
        high,
        CADENCE_FADE_SHARE * (low + high) / 2,
        (1 - CADENCE_FAULT_SHARE) * lowest / size**0.5,
        (1 + CADENCE_FAULT_SHARE) * highest / size**0.5,
    )
