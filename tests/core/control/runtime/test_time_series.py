"""Operations on time series of the interaction runtime."""

import numpy as np
import pytest

from footfall.core.control.runtime.time_series import (
    push_sample,
    turn_toward,
)
from footfall.core.features.interaction import TimeSeries
from footfall.core.motion.root_frame import facing_direction


def numbered(first: float, count: int) -> TimeSeries:
    """Samples whose numbers, from a first one on, are in all their parts."""
    numbers = first + np.arange(count, dtype=float)[None, :, None]
    return TimeSeries(np.repeat(numbers, 2, axis=2), 10.0 + np.repeat(numbers, 2, axis=2), 100.0 + numbers)


@pytest.mark.parametrize("degrees", [0.0, 30.0, -170.0, 180.0])
def test_a_direction_turns_by_a_share_of_the_angle(degrees: float) -> None:
    start = facing_direction(np.array(0.4))
    target = facing_direction(np.array(0.4 + np.radians(degrees)))
    turned = turn_toward(start, target, np.array(0.25))
    assert np.linalg.norm(turned) == pytest.approx(1.0)
    angle = np.degrees(np.arccos(np.clip(turned @ start, -1, 1)))
    assert angle == pytest.approx(0.25 * abs(degrees), abs=1e-5)


def test_a_direction_turns_to_the_side_of_its_target() -> None:
    for side in (0.3, -0.3):
        turned = turn_toward(facing_direction(np.array(0.0)), facing_direction(np.array(side)), np.array(0.5))
        np.testing.assert_allclose(turned, facing_direction(np.array(side / 2)))


def test_a_sample_that_is_pushed_is_the_last_and_the_oldest_is_gone() -> None:
    now = numbered(7.0, 1)
    pushed = push_sample(numbered(0.0, 3), TimeSeries(now.positions[:, 0], now.directions[:, 0], now.actions[:, 0]))
    np.testing.assert_array_equal(pushed.positions[0, :, 0], [1.0, 2.0, 7.0])
    np.testing.assert_array_equal(pushed.directions[0, :, 1], [11.0, 12.0, 17.0])
    np.testing.assert_array_equal(pushed.actions[0, :, 0], [101.0, 102.0, 107.0])
