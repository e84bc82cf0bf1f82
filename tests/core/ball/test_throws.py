"""Throws: through the rim's center from above, into hands, and refused where it is too far to throw."""

import numpy as np
import pytest

from footfall.core.ball.free_motion import Arc, BallPhysics, sample_arcs
from footfall.core.ball.throws import (
    MAX_SHOT_SPEED_M_S,
    NET_SPEEDS,
    pass_seconds,
    pass_velocities,
    require_reachable_hoop,
    shot_arcs,
    shot_velocity,
)
from footfall.core.errors import FootfallError

PHYSICS = BallPhysics(gravity=9.81, radius=0.12)
HANDS = np.array([1.0, -2.0, 2.0])
AWAY = np.array([0.0, 6.0, -0.7])
RIM_HEIGHT, RIM_RADIUS = 3.05, 0.2286


def rim(away: float, direction: float = 0.7) -> np.ndarray:
    return np.array([1.0 + away * np.cos(direction), -2.0 + away * np.sin(direction), RIM_HEIGHT])


@pytest.mark.parametrize("away", [0.01, 0.1, 0.15, 0.4, 1.5, 3.0, 5.0, 7.0])
def test_a_shot_comes_down_through_the_center_of_the_rim(away: float) -> None:
    velocity = shot_velocity(HANDS, rim(away), PHYSICS)
    time = away / np.linalg.norm(velocity[:2])
    arc = Arc(0.0, HANDS, velocity)
    np.testing.assert_allclose(arc.at(np.array([time]), PHYSICS)[0], rim(away), atol=1e-9)
    fall = arc.moved(time, PHYSICS).velocity
    assert np.arctan2(-fall[2], np.linalg.norm(fall[:2])) >= np.radians(41.0)


def test_a_shot_is_little_faster_than_the_slowest_one() -> None:
    target = rim(5.0)
    rise, level = target[2] - HANDS[2], 5.0
    slowest = np.sqrt(9.81 * (rise + np.hypot(rise, level)))
    assert 1.0 <= np.linalg.norm(shot_velocity(HANDS, target, PHYSICS)) / slowest < 1.02


def test_the_net_slows_the_ball_below_the_rim_and_the_floor_makes_it_bounce() -> None:
    arcs = shot_arcs(1.0, HANDS, rim(4.0), 4.0, PHYSICS)
    places = sample_arcs(arcs, np.arange(1.0, 4.0, 1 / 240), PHYSICS)
    assert arcs[1].position[2] < RIM_HEIGHT
    np.testing.assert_allclose(arcs[1].velocity, NET_SPEEDS * arcs[0].moved(arcs[1].start, PHYSICS).velocity)
    assert 0.12 - 1e-9 <= places[:, 2].min() < 0.13


def test_a_shot_that_is_over_before_the_net_is_one_arc() -> None:
    assert len(shot_arcs(0.0, HANDS, rim(6.0), 0.3, PHYSICS)) == 1


def test_a_hoop_out_of_reach_or_too_small_is_a_sentence() -> None:
    require_reachable_hoop(HANDS, rim(7.0), RIM_RADIUS, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match=r"The hoop is out of reach: from 14\.0 m away and 1\.0 m below it"):
        require_reachable_hoop(HANDS, rim(14.0), RIM_RADIUS, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match="does not fit through"):
        require_reachable_hoop(HANDS, rim(3.0), 0.1, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match=f"people reach {MAX_SHOT_SPEED_M_S / 2:.1f} m/s"):
        require_reachable_hoop(HANDS, rim(7.0), RIM_RADIUS, PHYSICS, 0.25)


def test_a_pass_comes_in_its_time_and_a_far_one_is_a_sentence() -> None:
    hands = HANDS + AWAY
    seconds = pass_seconds(HANDS, hands, 1.0)
    first, last = pass_velocities(HANDS, hands, seconds, PHYSICS)
    np.testing.assert_allclose(Arc(0.0, HANDS, first).at(np.array([seconds]), PHYSICS)[0], hands)
    assert last[2] < first[2] and pass_seconds(HANDS, HANDS + 0.5 * AWAY, 1.0) < seconds
    with pytest.raises(FootfallError, match=r"The pass is too far: 20\.0 m"):
        pass_seconds(HANDS, HANDS + np.array([20.0, 0.0, 0.0]), 1.0)


def test_a_hoop_as_large_as_the_ball_lets_it_through() -> None:
    require_reachable_hoop(HANDS, rim(3.0), PHYSICS.radius, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match=r"radius is 11 cm and the ball's 12 cm"):
        require_reachable_hoop(HANDS, rim(3.0), 0.11, PHYSICS, 1.0)


def test_a_shot_from_right_below_the_hoop_goes_up_over_the_rim_and_comes_back() -> None:
    velocity = shot_velocity(HANDS, rim(0.0), PHYSICS)
    np.testing.assert_allclose(velocity[:2], 0.0, atol=1e-9)
    top = HANDS[2] + velocity[2] ** 2 / (2.0 * PHYSICS.gravity)
    assert top == pytest.approx(HANDS[2] + 4.0 / 3.0 * (RIM_HEIGHT - HANDS[2]))
