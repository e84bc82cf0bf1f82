"""Measures of motion of interactions: on bodies whose jumps, seats and lifts are known."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.interaction_motion import measure_motion, seat_leavings
from footfall.core.motion import Clip
from footfall.tests.support.walker import person

RATE = 60.0
SEATED_M = 0.4
"""Distance by which hips sink to the seat."""


def standing(seconds: float) -> Clip:
    """Return a person who stands."""
    skeleton, count = person(), round(seconds * RATE)
    rotations = np.zeros((count, len(skeleton), 4))
    rotations[..., 0] = 1.0
    roots = np.tile([0.0, 0.0, 0.95], (count, 1))
    return Clip(skeleton, RATE, roots, rotations, "standing")


def moved(clip: Clip, offsets: np.ndarray) -> Clip:
    """Return a clip with its root offset (F, 3)."""
    return replace(clip, root_positions=clip.root_positions + offsets)


def sitting(down: float, up: float) -> Clip:
    """Return a person whose hips sink within seconds, stay for three seconds, and rise."""
    heights = np.interp(
        np.arange(round((4.0 + down + up + 3.0) * RATE)) / RATE,
        [2.0, 2.0 + down, 5.0 + down, 5.0 + down + up],
        [0.0, -SEATED_M, -SEATED_M, 0.0],
    )
    clip = standing(len(heights) / RATE)
    return moved(clip, np.column_stack([np.zeros((len(clip), 2)), heights]))


def test_a_jump_is_as_large_as_it_is_and_its_acceleration_is_seen() -> None:
    still = standing(2.0)
    offsets = np.zeros((len(still), 3))
    offsets[60:, 0] = 0.05
    found = measure_motion(moved(still, offsets))
    assert found.hips == pytest.approx(5.0) and found.head == pytest.approx(5.0)
    assert found.hardest == pytest.approx(0.05 * RATE**2)
    assert found.fastest == pytest.approx(0.0, abs=1e-6), "nothing turns"
    assert measure_motion(still).head == pytest.approx(0.0)


def test_a_seat_is_left_after_the_stay_and_times_are_those_of_the_hips() -> None:
    (found,) = seat_leavings(sitting(0.8, 0.6))
    # Three centimeters at either end do not count.
    share = (SEATED_M - 0.06) / SEATED_M
    assert found.down == pytest.approx(0.8 * share, abs=0.05)
    assert found.up == pytest.approx(0.6 * share, abs=0.05)
    assert found.shaking < 0.05
    assert found.lean < 10.0
    assert found.head == pytest.approx(0.0, abs=0.5)
