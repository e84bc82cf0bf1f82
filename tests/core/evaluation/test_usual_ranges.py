"""Closeness to people: one inside their range, a half at the fade, smooth and never negative."""

import math
from itertools import pairwise

import pytest

from footfall.core.evaluation.usual_cadence import usual_cadence
from footfall.core.evaluation.usual_ranges import USUAL_RANGES, UsualRange, cadence_range


def test_closeness_is_one_inside_and_a_half_at_the_fade() -> None:
    usual = UsualRange("cm", 6.0, 14.0, 4.0)
    assert [usual.closeness(value) for value in (6.0, 10.0, 14.0)] == [1.0, 1.0, 1.0]
    assert usual.closeness(2.0) == usual.closeness(18.0) == 0.5
    assert usual.closeness(1000.0) < 1e-4
    assert usual.closeness(math.nan) == usual.closeness(math.inf) == 0.0
    values = [usual.closeness(14.0 + 0.1 * step) for step in range(100)]
    assert values == sorted(values, reverse=True) and max(a - b for a, b in pairwise(values)) < 0.02


PEOPLE = {
    "standing_knee_deg": (0, 10, 8, -math.inf, 15),
    "standing_head_cm_s": (0, 5, 5, -math.inf, 12),
    "standing_foot_moving_percent": (0, 5, 15, -math.inf, math.inf),
    "step_time_asymmetry_percent": (0, 4, 6, -math.inf, 6),
    "side_lean_deg": (-2, 2, 3, -4, 4),
    "step_width_cm": (6, 14, 4, 3, 18),
    "bounce_cm": (2, 5.5, 2, -math.inf, math.inf),
    "sway_cm": (1.3, 6, 2.5, -math.inf, math.inf),
    "knee_yield_deg": (10, 24, 6, -math.inf, math.inf),
    "arm_swing_deg": (12, math.inf, 8, 8, math.inf),
    "turn_lean_deg": (0, 20, 10, -math.inf, 25),
    "turn_sink_cm": (0, 5, 4, -math.inf, 9),
    "joint_speed_max_rad_s": (0, 20, 8, -math.inf, 25),
}
"""Range, fade and limits of faults, as they were measured on people; what is built on them compares with these."""


@pytest.mark.parametrize("measure", USUAL_RANGES)
def test_ranges_are_those_that_were_measured_on_people(measure: str) -> None:
    usual = USUAL_RANGES[measure]
    assert (usual.low, usual.high, usual.fade, usual.fault_low, usual.fault_high) == PEOPLE[measure]
    assert usual.is_length == (usual.unit in ("cm", "cm/s"))


def test_the_cadence_of_an_adult_is_the_usual_one_and_a_child_steps_faster() -> None:
    usual = cadence_range(1.2, 1.0)
    assert (usual.low, usual.high) == usual_cadence(1.2)
    assert (
        usual.is_fault(0.94 * usual.low) and usual.is_fault(1.06 * usual.high) and not usual.is_fault(1.04 * usual.high)
    )
    child = cadence_range(1.2 * 0.5**0.5, 0.5)
    assert child.low == pytest.approx(usual.low / 0.5**0.5)
