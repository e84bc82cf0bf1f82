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


def test_the_net_slows_the_ball_below_the_rim_and_the_floor_makes_it_bounce() -> None:
    arcs = shot_arcs(1.0, HANDS, rim(4.0), 4.0, PHYSICS)
    places = sample_arcs(arcs, np.arange(1.0, 4.0, 1 / 240), PHYSICS)
    assert arcs[1].position[2] < RIM_HEIGHT
    np.testing.assert_allclose(arcs[1].velocity, NET_SPEEDS * arcs[0].moved(arcs[1].start, PHYSICS).velocity)
    assert 0.12 - 1e-9 <= places[:, 2].min() < 0.13


def test_a_hoop_out_of_reach_or_too_small_is_a_sentence() -> None:
    require_reachable_hoop(HANDS, rim(7.0), RIM_RADIUS, PHYSICS, 1.0)
    with pytest.raises(
        FootfallError, match=r"The hoop, 14\.0 m away and 1\.0 m above the hands, is out of reach: a throw at"
    ):
        require_reachable_hoop(HANDS, rim(14.0), RIM_RADIUS, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match="does not fit through"):
        require_reachable_hoop(HANDS, rim(3.0), 0.1, PHYSICS, 1.0)
    with pytest.raises(FootfallError, match=f"people reach only {MAX_SHOT_SPEED_M_S / 2:.1f} m/s"):
        require_reachable_hoop(HANDS, rim(7.0), RIM_RADIUS, PHYSICS, 0.25)


def test_a_pass_comes_in_its_time_and_a_far_one_is_a_sentence() -> None:
    hands = HANDS + AWAY
    seconds = pass_seconds(HANDS, hands, 1.0)
    first, last = pass_velocities(HANDS, hands, seconds, PHYSICS)
    np.testing.assert_allclose(Arc(0.0, HANDS, first).at(np.array([seconds]), PHYSICS)[0], hands)
    assert last[2] < first[2] and pass_seconds(HANDS, HANDS + 0.5 * AWAY, 1.0) < seconds
    with pytest.raises(FootfallError, match=r"The pass is 20\.0 m long, but people can pass"):
        pass_seconds(HANDS, HANDS + np.array([20.0, 0.0, 0.0]), 1.0)
