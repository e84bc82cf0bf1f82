"""Operations on time series of the interaction runtime."""

import numpy as np
import pytest

from footfall.core.control.runtime.time_series import (
    normalize_directions,
    one_hot_action,
    push_sample,
    standing_series,
    turn_toward,
    unit_vectors,
)
from footfall.core.features.interaction import ACTIONS, TimeSeries
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


def test_an_opposite_direction_is_reached() -> None:
    direction, target = np.array([0.0, -1.0]), np.array([0.0, 1.0])
    for _ in range(60):
        direction = turn_toward(direction, target, np.array(0.1))
    np.testing.assert_allclose(direction, target, atol=0.02)


def test_one_action_alone_is_on() -> None:
    np.testing.assert_array_equal(one_hot_action("b", ("a", "b", "c")), [0.0, 1.0, 0.0])
    assert one_hot_action("sit")[ACTIONS.index("sit")] == 1.0 and one_hot_action("sit").sum() == 1.0


def test_characters_that_stand_have_the_same_sample_all_the_time() -> None:
    series = standing_series(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.0, np.pi / 2]), np.eye(2), 3)
    np.testing.assert_array_equal(series.positions, [[[1.0, 2.0]] * 3, [[3.0, 4.0]] * 3])
    np.testing.assert_allclose(series.directions, [[[0.0, 1.0]] * 3, [[-1.0, 0.0]] * 3], atol=1e-12)
    np.testing.assert_array_equal(series.actions, [[[1.0, 0.0]] * 3, [[0.0, 1.0]] * 3])


def test_a_sample_that_is_pushed_is_the_last_and_the_oldest_is_gone() -> None:
    now = numbered(7.0, 1)
    pushed = push_sample(numbered(0.0, 3), TimeSeries(now.positions[:, 0], now.directions[:, 0], now.actions[:, 0]))
    np.testing.assert_array_equal(pushed.positions[0, :, 0], [1.0, 2.0, 7.0])
    np.testing.assert_array_equal(pushed.directions[0, :, 1], [11.0, 12.0, 17.0])
    np.testing.assert_array_equal(pushed.actions[0, :, 0], [101.0, 102.0, 107.0])


def test_directions_are_brought_to_unit_length_and_those_that_vanish_stay() -> None:
    np.testing.assert_allclose(unit_vectors(np.array([3.0, 4.0]), np.array([9.0, 9.0])), [0.6, 0.8])
    np.testing.assert_array_equal(unit_vectors(np.zeros(2), np.array([9.0, 9.0])), [9.0, 9.0])
    np.testing.assert_allclose(unit_vectors(np.array([0.0, 2e-6]), np.ones(2)), [0.0, 1.0])
    series = TimeSeries(np.ones((1, 1, 2)), np.array([[[3.0, 4.0]]]), np.ones((1, 1, 1)))
    np.testing.assert_allclose(normalize_directions(series).directions, [[[0.6, 0.8]]])
