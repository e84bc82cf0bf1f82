"""Proximity pairs: each pair at each moment once, seen from either side."""

import numpy as np

from footfall.core.control.crowd.proximity import STATIONARY_DISTANCE_RATIO, ProximityPairs

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
