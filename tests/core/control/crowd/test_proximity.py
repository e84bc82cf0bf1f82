"""Proximity pairs: each pair at each moment once, seen from either side."""

import numpy as np

from footfall.core.control.crowd.proximity import STATIONARY_DISTANCE_RATIO, ProximityPairs, required_distances

MOMENTS = np.arange(21)
LEFT = np.column_stack([0.1 * MOMENTS - 1.0, np.zeros(21)])
RIGHT = np.column_stack([1.0 - 0.1 * MOMENTS, np.full(21, 0.5)])
FAR = np.full((21, 2), 50.0)
ALONG = np.stack([0.1 * MOMENTS, 0.1 * MOMENTS + 3.0, 0.0 * MOMENTS])


def test_two_who_pass_each_other_are_near_for_a_while() -> None:
    still = np.zeros((3, 21), dtype=bool)
    still[1, 10] = True
    found = ProximityPairs.find(np.stack([LEFT, RIGHT, FAR]), ALONG, np.array([0.3, 0.4, 0.3]), still, 0.8)
    # 0.5 m beside each other, and 0.6 m and less along: three moments before and after the one.
    np.testing.assert_array_equal(found.time_index, np.arange(7, 14))
    assert set(found.first) == {0} and set(found.second) == {1}
    np.testing.assert_allclose(found.distance, np.hypot(0.5, 0.2 * np.arange(-3, 4)))
    np.testing.assert_allclose(found.direction[3], [0.0, -1.0], atol=1e-12)
    np.testing.assert_allclose(found.required_distance, [0.7, 0.7, 0.7, 0.7 * STATIONARY_DISTANCE_RATIO, 0.7, 0.7, 0.7])
    np.testing.assert_allclose(found.first_arc_length, 0.1 * found.time_index)
    np.testing.assert_allclose(found.second_arc_length, 0.1 * found.time_index + 3.0)


def test_each_sees_the_meetings_as_the_one() -> None:
    still = np.zeros((3, 21), dtype=bool)
    found = ProximityPairs.find(np.stack([LEFT, RIGHT, FAR]), ALONG, np.full(3, 0.3), still, 0.8)
    left, right, far = found.by_agent(3)
    assert len(far.time_index) == 0
    for mine, theirs in ((left, right), (right, left)):
        np.testing.assert_array_equal(mine.time_index, theirs.time_index)
        np.testing.assert_array_equal(mine.direction, -theirs.direction)
        np.testing.assert_array_equal(mine.first_arc_length, theirs.second_arc_length)
    assert set(right.first) == {1} and set(right.second) == {0}


def test_nobody_is_near_to_nobody() -> None:
    still = np.zeros((1, 21), dtype=bool)
    (alone,) = ProximityPairs.find(LEFT[None], ALONG[:1], np.array([0.3]), still, 0.8).by_agent(1)
    assert len(alone.time_index) == 0


def test_people_squeeze_past_who_stands() -> None:
    np.testing.assert_allclose(
        required_distances(np.array(0.3), np.array([0.3, 0.2]), np.array([False, True])), [0.6, 0.41]
    )
