"""Who is near to whom: each pair at each moment once, seen from either side."""

import numpy as np

from footfall.core.control.crowd.proximity import SQUEEZED, Meetings, rooms

MOMENTS = np.arange(21)
LEFT = np.column_stack([0.1 * MOMENTS - 1.0, np.zeros(21)])
RIGHT = np.column_stack([1.0 - 0.1 * MOMENTS, np.full(21, 0.5)])
FAR = np.full((21, 2), 50.0)
ALONG = np.stack([0.1 * MOMENTS, 0.1 * MOMENTS + 3.0, 0.0 * MOMENTS])


def test_two_who_pass_each_other_are_near_for_a_while() -> None:
    still = np.zeros((3, 21), dtype=bool)
    still[1, 10] = True
    found = Meetings.of(np.stack([LEFT, RIGHT, FAR]), ALONG, np.array([0.3, 0.4, 0.3]), still, 0.8)
    # 0.5 m beside each other, and 0.6 m and less along: three moments before and after the one.
    np.testing.assert_array_equal(found.when, np.arange(7, 14))
    assert set(found.one) == {0} and set(found.other) == {1}
    np.testing.assert_allclose(found.apart, np.hypot(0.5, 0.2 * np.arange(-3, 4)))
    np.testing.assert_allclose(found.away[3], [0.0, -1.0], atol=1e-12)
    np.testing.assert_allclose(found.room, [0.7, 0.7, 0.7, 0.7 * SQUEEZED, 0.7, 0.7, 0.7])
    np.testing.assert_allclose(found.along, 0.1 * found.when)
    np.testing.assert_allclose(found.theirs, 0.1 * found.when + 3.0)


def test_each_sees_the_meetings_as_the_one() -> None:
    still = np.zeros((3, 21), dtype=bool)
    found = Meetings.of(np.stack([LEFT, RIGHT, FAR]), ALONG, np.full(3, 0.3), still, 0.8)
    left, right, far = found.of_each(3)
    assert len(far.when) == 0
    for mine, theirs in ((left, right), (right, left)):
        np.testing.assert_array_equal(mine.when, theirs.when)
        np.testing.assert_array_equal(mine.away, -theirs.away)
        np.testing.assert_array_equal(mine.along, theirs.theirs)
    assert set(right.one) == {1} and set(right.other) == {0}


def test_nobody_is_near_to_nobody() -> None:
    still = np.zeros((1, 21), dtype=bool)
    (alone,) = Meetings.of(LEFT[None], ALONG[:1], np.array([0.3]), still, 0.8).of_each(1)
    assert len(alone.when) == 0


def test_people_squeeze_past_who_stands() -> None:
    np.testing.assert_allclose(rooms(np.array(0.3), np.array([0.3, 0.2]), np.array([False, True])), [0.6, 0.41])
