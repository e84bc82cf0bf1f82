"""Flights, bounces and rolls: closed forms held against each other."""

import numpy as np
import pytest

from footfall.core.ball.free_motion import (
    BOUNCE_GRIP_RATIO,
    Arc,
    BallPhysics,
    bounce_velocities,
    caught_arcs,
    direct_velocities,
    released_arcs,
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


def test_of_several_bounces_it_is_that_of_the_hardest_throw() -> None:
    fall = np.sqrt(2 * 0.88 / 9.81)
    top = np.array([0.0, 0.0, 0.12 + 0.64 * 0.88])  # Where a dropped ball would turn around.
    duration = np.array(1.8 * fall)
    first, last, time = bounce_velocities(HIGH, top, duration, PHYSICS)
    assert first[2] < -0.5 and last[2] < 0 and time < fall
    arcs = released_arcs(0.0, HIGH, first, float(duration), PHYSICS)
    np.testing.assert_allclose(sample_arcs(arcs, duration[None], PHYSICS)[0], top, atol=1e-4)


def test_a_bounce_takes_its_share_of_both_speeds() -> None:
    first, last, time = bounce_velocities(HIGH, AHEAD, np.array(0.7), PHYSICS)
    np.testing.assert_allclose(last[:2], BOUNCE_GRIP_RATIO * first[:2])
    down = first[2] - 9.81 * time
    up = last[2] + 9.81 * (0.7 - time)
    assert up == pytest.approx(-0.8 * down, rel=1e-5)
    arcs = released_arcs(0.0, HIGH, first, 0.7, PHYSICS)
    np.testing.assert_allclose(sample_arcs(arcs, np.array([0.0, float(time), 0.7]), PHYSICS)[2], AHEAD, atol=1e-5)


def test_bounces_are_found_for_many_flights_at_once() -> None:
    starts = np.stack([HIGH, AHEAD, HIGH])[:, None]
    ends = np.stack([AHEAD, HIGH])[None]
    one = bounce_velocities(HIGH, AHEAD, np.array(0.6), PHYSICS)[0]
    shape = np.broadcast_shapes(starts.shape, ends.shape)
    many = bounce_velocities(
        np.broadcast_to(starts, shape), np.broadcast_to(ends, shape), np.full(shape[:-1], 0.6), PHYSICS
    )[0]
    assert many.shape == (3, 2, 3)
    np.testing.assert_allclose(many[0, 0], one)


def test_a_ball_that_nobody_catches_comes_to_roll() -> None:
    arcs = released_arcs(1.0, HIGH, np.array([1.0, 0.0, 0.0]), 20.0, PHYSICS)
    times = np.linspace(1.0, 20.0, 600)
    heights = sample_arcs(arcs, times, PHYSICS)[:, 2]
    assert heights.min() == pytest.approx(0.12, abs=1e-9) and heights[-1] == pytest.approx(0.12)
    assert arcs[-1].rolls
    peaks = [arc.velocity[2] ** 2 for arc in arcs[1:-1]]
    np.testing.assert_allclose(np.divide(peaks[1:], peaks[:-1]), 0.64)


def test_a_caught_ball_is_followed_back_to_its_bounce() -> None:
    (whole,) = caught_arcs(1.0, HIGH, np.array([0.0, 2.0, -3.0]), 0.9, PHYSICS)
    np.testing.assert_allclose(whole.at(np.array([0.9]), PHYSICS)[0], [0.0, -0.2, 1.0 + 0.3 - 0.5 * 9.81 * 0.01])
    before, after = caught_arcs(1.0, HIGH, np.array([0.0, 2.0, 1.0]), 0.0, PHYSICS)
    assert before.start == after.start and after.position[2] == pytest.approx(0.12)
    assert after.velocity[2] == pytest.approx(-0.8 * before.velocity[2])
    np.testing.assert_allclose(sample_arcs([before, after], np.array([1.0]), PHYSICS)[0], HIGH, atol=1e-9)
