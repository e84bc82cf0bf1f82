"""Flights, bounces and rolls: closed forms held against each other."""

import numpy as np
import pytest

from footfall.core.ball.free_motion import (
    Arc,
    BallPhysics,
    bounce_velocities,
    caught_arcs,
    direct_velocities,
    sample_arcs,
)

PHYSICS = BallPhysics(gravity=9.81, radius=0.12, restitution=0.8)
HIGH = np.array([0.0, 0.0, 1.0])
AHEAD = np.array([0.6, 0.3, 0.9])


def test_a_flight_starts_and_ends_where_it_should() -> None:
    first, last = direct_velocities(HIGH, AHEAD, np.array(0.5), PHYSICS)
    arc = Arc(2.0, HIGH, first)
    np.testing.assert_allclose(arc.at(np.array([2.0, 2.5]), PHYSICS), [HIGH, AHEAD], atol=1e-12)
    np.testing.assert_allclose(arc.moved(2.5, PHYSICS).velocity, last, atol=1e-12)
    heights = arc.at(np.linspace(2.0, 2.5, 6), PHYSICS)[:, 2]
    np.testing.assert_allclose(np.diff(heights, n=2) / 0.1**2, -9.81)


def test_a_ball_that_is_pushed_down_bounces_at_its_time() -> None:
    push, drop = 3.0, 0.88
    impact = np.sqrt(push**2 + 2 * 9.81 * drop)
    fall = (impact - push) / 9.81
    up = 0.8 * impact
    rising = 0.15
    end = np.array([0.0, 0.0, 0.12 + up * rising - 0.5 * 9.81 * rising**2])
    first, last, time = bounce_velocities(HIGH, end, np.array(fall + rising), PHYSICS)
    np.testing.assert_allclose([first[2], last[2], time], [-push, up - 9.81 * rising, fall], atol=1e-4)


def test_a_caught_ball_is_followed_back_to_its_bounce() -> None:
    (whole,) = caught_arcs(1.0, HIGH, np.array([0.0, 2.0, -3.0]), 0.9, PHYSICS)
    np.testing.assert_allclose(whole.at(np.array([0.9]), PHYSICS)[0], [0.0, -0.2, 1.0 + 0.3 - 0.5 * 9.81 * 0.01])
    before, after = caught_arcs(1.0, HIGH, np.array([0.0, 2.0, 1.0]), 0.0, PHYSICS)
    assert before.start == after.start and after.position[2] == pytest.approx(0.12)
    assert after.velocity[2] == pytest.approx(-0.8 * before.velocity[2])
    np.testing.assert_allclose(sample_arcs([before, after], np.array([1.0]), PHYSICS)[0], HIGH, atol=1e-9)
