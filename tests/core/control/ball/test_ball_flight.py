"""The ball of ball play over time: pieces in hands and in the air that are joined to each other."""

import numpy as np
import pytest

from footfall.core.ball.throws import pass_seconds
from footfall.core.control.ball.ball_flight import BallFlight, PlacedTake
from footfall.core.control.ball.ball_plan import BallTimeline
from footfall.core.control.path.path_events import BallCue
from footfall.tests.support.walker import Walker

FINGERS_M = 0.1
RATE, COUNT, RADIUS, FLOOR = 60.0, 180, 0.12, 0.5
CLIP = Walker(seconds=0.5).clip()
HANDS = np.tile([0.0, 0.3, FLOOR + 1.2], (COUNT, 1))
"""Place of a ball between hands that rest."""
GOAL = np.array([0.0, 5.3, FLOOR + 1.2])


def take(contact: int, cue: BallCue) -> PlacedTake:
    return PlacedTake(CLIP, max(contact - 20, 0), contact, cue)


def flight(*takes: PlacedTake) -> BallFlight:
    return BallFlight(RATE, RADIUS, FLOOR, 1.0, takes)


def timeline(held: slice) -> BallTimeline:
    """Both hands hold the ball in some frames."""
    holds = np.zeros(COUNT, dtype=bool)
    holds[held] = True
    return BallTimeline((), (), (), holds, np.zeros(COUNT, dtype=bool))


def passes(**changes: object) -> BallCue:
    return BallCue("pass", 0.0, target=GOAL[None], **changes)  # type: ignore[arg-type]


def catches(**changes: object) -> BallCue:
    return BallCue("catch", 0.0, target=GOAL[None], **changes)  # type: ignore[arg-type]


def test_a_ball_that_is_held_throughout_is_between_the_hands_and_never_in_the_floor() -> None:
    low = HANDS.copy()
    low[50:60, 2] = FLOOR
    made = flight().places(low, timeline(slice(0, COUNT)), None)
    low[50:60, 2] = FLOOR + RADIUS
    np.testing.assert_allclose(made, low)


def test_a_pass_leaves_the_fingers_and_is_at_its_goal_after_its_time() -> None:
    """It leaves hands that rest within a quarter of a second, ten centimeters ahead of the palms."""
    play = flight(take(60, passes()))
    made = play.places(HANDS, timeline(slice(0, 61)), None)
    np.testing.assert_allclose(made[:45], HANDS[:45], atol=1e-9)
    assert np.linalg.norm(made[60] - HANDS[60]) == pytest.approx(FINGERS_M)
    frames = round(pass_seconds(made[60], GOAL, 1.0) * RATE)
    np.testing.assert_allclose(made[60 + frames], GOAL, atol=1e-6)
    speeds = np.linalg.norm(np.diff(made[46 : 60 + frames], axis=0), axis=1)
    assert np.abs(np.diff(speeds)).max() < 0.25 * speeds.max(), "no jump as it leaves"
    assert not play.elsewhere.any()
    assert play.bounces and all(time > (60 + frames) / RATE for time in play.bounces)


# --- Where pieces meet


def test_a_ball_that_is_passed_and_caught_again_is_the_other_s_in_between() -> None:
    play = flight(take(30, passes(with_other=True)), take(150, catches(with_other=True)))
    held = timeline(slice(0, 31))
    held.held[150:] = True
    made = play.places(HANDS, held, None)
    there = 30 + round(pass_seconds(made[30], GOAL, 1.0) * RATE)
    back = 150 - round(pass_seconds(made[150], GOAL, 1.0) * RATE)
    np.testing.assert_array_equal(play.elsewhere, (np.arange(COUNT) >= there) & (np.arange(COUNT) <= back))
    np.testing.assert_allclose(made[there : back + 1], np.tile(GOAL, (back + 1 - there, 1)), atol=1e-9)
    assert np.linalg.norm(np.diff(made, axis=0), axis=1).max() * RATE < 12.0, "no jump"


def test_a_pass_that_nobody_catches_bounces_on_the_floor() -> None:
    play = flight(take(20, passes()))
    made = play.places(HANDS, timeline(slice(0, 21)), None)
    assert made[21:, 2].min() >= FLOOR + RADIUS - 1e-9
    low = int(made[:, 2].argmin())
    assert min(abs(bounce - low / RATE) for bounce in play.bounces) <= 1 / RATE
    assert play.bounces == sorted(play.bounces)
    assert play.bounces[-1] < COUNT / RATE, "none is after the last frame"


def test_a_ball_leaves_hands_that_move_from_where_they_are_then() -> None:
    """They go a centimeter a frame to the east."""
    hands = HANDS + 0.01 * np.arange(COUNT)[:, None] * [1.0, 0.0, 0.0]
    made = flight(take(60, passes())).places(hands, timeline(slice(0, 61)), None)
    np.testing.assert_allclose(made[:45], hands[:45], atol=1e-9)
    assert np.linalg.norm(made[60] - hands[60]) == pytest.approx(FINGERS_M)
