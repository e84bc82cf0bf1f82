"""The ball of a drive as it is shown: in hands, with one bounce between them, and taken without a jump."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.core.control.drive.live_ball import BallMoment, LiveBall
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.tests.support.walker import Walker, person

RATE, RADIUS = 60.0, 0.12
HELD, FREE = np.array([False, True]), np.zeros(2, dtype=bool)


def standing() -> Clip:
    """A body of one frame with its arms out to both sides, over the origin, which looks along +Y."""
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(person()), 1))
    clip = Clip(person(), RATE, np.array([[0.0, 0.0, 1.0]]), rest)
    return clip.transformed(rotation_about_up(np.array(np.pi)), np.zeros(3))


POSE = standing()
LEFT, RIGHT = palm_centers(POSE)[0]


def moment(touching: Array = FREE, side: float = 1.0, root: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> BallMoment:
    """The body, moved to a root."""
    pose = replace(POSE, root_positions=POSE.root_positions + np.array(root))
    return BallMoment(pose, np.asarray(touching), np.array(root), 0.0, side)


def held(frames: int = 1, side: float = 1.0, touching: Array = HELD) -> LiveBall:
    """A ball that has been in the right hand."""
    ball = LiveBall(RADIUS, RATE)
    for _ in range(frames):
        ball.step(moment(touching, side))
    return ball


def test_a_ball_is_in_the_hand_that_touches_it_and_between_two_that_do() -> None:
    for touching, place in (
        (np.array([True, False]), LEFT),
        (np.array([False, True]), RIGHT),
        (np.array([True, True]), (LEFT + RIGHT) / 2),
    ):
        np.testing.assert_allclose(LiveBall(RADIUS, RATE).step(moment(touching)), place)


def test_it_goes_with_the_hand() -> None:
    ball = held()
    place = ball.step(moment(HELD, root=(0.5, 1.0, 0.2)))
    np.testing.assert_allclose(place, RIGHT + np.array([0.5, 1.0, 0.2]))


def flight(ball: LiveBall, frames: int, **known: float) -> Array:
    """Places (F) of a ball that no hand touches."""
    return np.array([ball.step(moment(**known)) for _ in range(frames)])


def test_a_ball_that_is_let_go_of_bounces_once_and_is_back_after_the_usual_time() -> None:
    """0.55 s: 33 frames."""
    ways = flight(held(), 33)
    np.testing.assert_allclose(ways[-1], RIGHT, atol=1e-6)
    heights = ways[:, 2]
    lowest = int(heights.argmin())
    assert RADIUS <= heights[lowest] < RADIUS + 0.12
    assert (np.diff(heights[: lowest + 1]) < 0.0).all() and (np.diff(heights[lowest:]) > 0.0).all()
    np.testing.assert_allclose(ways[:, :2], np.tile(RIGHT[:2], (33, 1)), atol=1e-6)


def test_for_the_other_side_it_is_thrown_to_where_the_other_hand_would_catch_it() -> None:
    ball = held()
    end = flight(ball, 33, side=-1.0)[-1]
    np.testing.assert_allclose(end, RIGHT * [-1.0, 1.0, 1.0], atol=1e-6)


def test_beside_a_body_that_goes_on_it_comes_down_where_the_body_will_be() -> None:
    ball, step = held(), 1.2 / RATE
    places = [ball.step(moment(root=(0.0, step * frame, 0.0))) for frame in range(1, 34)]
    # The body is at its root of the first free frame as the flight begins, and goes on for 0.55 s.
    np.testing.assert_allclose(places[-1], RIGHT + np.array([0.0, step + 1.2 * 0.55, 0.0]), atol=1e-6)


def test_on_a_floor_of_another_height_it_bounces_there() -> None:
    ball = LiveBall(RADIUS, RATE)
    ball.step(moment(HELD, root=(0.0, 0.0, 2.0)))
    heights = np.array([ball.step(moment(root=(0.0, 0.0, 2.0)))[2] for _ in range(33)])
    assert 2.0 + RADIUS <= heights.min() < 2.0 + RADIUS + 0.12
    assert heights[-1] == pytest.approx(RIGHT[2] + 2.0)


def length_of_next_flight(ball: LiveBall) -> float:
    """Time, seconds, in which a ball that is let go of comes back to the hand's height."""
    heights = flight(ball, 50)[:, 2]
    lowest = int(heights.argmin())
    after = lowest + int(np.flatnonzero(heights[lowest:] >= RIGHT[2] - 1e-6)[0])
    return (after + 1) / RATE


@pytest.mark.parametrize(
    ("frames", "seconds"), [(35, 0.55 + 0.3 * (36 / 60 - 0.55)), (24, 0.55 + 0.3 * (25 / 60 - 0.55))]
)
def test_the_next_flight_is_expected_to_be_more_as_the_last_one_was(frames: int, seconds: float) -> None:
    ball = held()
    flight(ball, frames)
    for _ in range(20):
        ball.step(moment(HELD))
    assert length_of_next_flight(ball) == pytest.approx(seconds, abs=1 / RATE)


def test_before_any_touch_it_is_at_the_hand_that_is_to_dribble() -> None:
    for side, palm in ((-1.0, LEFT), (0.0, RIGHT), (1.0, RIGHT)):
        first = LiveBall(RADIUS, RATE).step(moment(side=side))
        assert np.linalg.norm(first - palm) < 0.1


def test_a_walk_does_not_shake_the_ball_out_of_its_hand() -> None:
    clip, ball = Walker(seconds=1.0).clip(), LiveBall(RADIUS, RATE)
    for frame in range(len(clip)):
        pose = clip.cut(frame, frame + 1)
        root = pose.root_positions[0] * [1.0, 1.0, 0.0]
        place = ball.step(BallMoment(pose, HELD, root, 0.0, 1.0))
        np.testing.assert_allclose(place, palm_centers(pose)[0, 1])
