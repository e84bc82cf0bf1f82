"""The hands of another character: where a ball meets them, and the frames at which both catch it or let it go."""

import numpy as np

from footfall.core.ball.other_hands import ball_places, exchange_frames
from footfall.core.ball.palms import palm_centers
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker

CONTACTS = np.zeros((60, 2), dtype=bool)
CONTACTS[10:20] = True  # in both hands
CONTACTS[30:34, 0] = True  # the left alone
CONTACTS[40:, 0] = CONTACTS[41:, 1] = True  # one hand after the other


def clip() -> Clip:
    return Walker().clip().cut(0, 60)


def test_both_hands_catch_and_let_go() -> None:
    assert exchange_frames(CONTACTS, "pass") == [10]
    assert exchange_frames(CONTACTS, "catch") == [19, 59]
    assert exchange_frames(np.zeros((60, 2), dtype=bool), "pass") == []


def test_a_ball_is_where_it_is_touched_and_else_between_the_palms() -> None:
    moved = clip()
    between, ball = palm_centers(moved).mean(axis=1), np.full((60, 3), 7.0)
    np.testing.assert_array_equal(ball_places(moved, CONTACTS), between)
    places = ball_places(moved, CONTACTS, ball)
    touched = np.all(places == 7.0, axis=1)
    expected = np.zeros(60, dtype=bool)
    expected[9:21] = expected[29:35] = expected[39:] = True
    np.testing.assert_array_equal(touched, expected)
    np.testing.assert_array_equal(places[~expected], between[~expected])
