"""Free segments of a ball: their arcs in closed form, and what their fit trades off."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.ball.flight_fitting import FreeSegment, fit_flights
from footfall.core.ball.free_motion import BallPhysics, bounce_velocities, direct_velocities, sample_arcs
from footfall.core.motion.rotations import Array

PHYSICS = BallPhysics(gravity=9.81, radius=0.12)
HIGH = np.array([0.1, 0.2, 1.0])
AHEAD = np.array([0.5, -0.4, 1.2])


def segment(first: Array, last: Array, seconds: float, told: Array, may_lie: bool = False) -> FreeSegment:
    """A ball that is let go at a second from a hand at rest."""
    return FreeSegment(np.array([1.0, 1.0 + seconds]), np.stack([first, last]), np.zeros((2, 3)), told, may_lie)


def direct(seconds: float) -> Array:
    return np.stack(direct_velocities(HIGH, AHEAD, np.array(seconds), PHYSICS))


def test_times_and_points_are_those_of_the_hold_and_what_was_fitted() -> None:
    one = segment(HIGH, AHEAD, 0.5, direct(0.5))
    np.testing.assert_array_equal(one.times, [1.0, 1.5])
    np.testing.assert_array_equal(one.points, [HIGH, AHEAD])
    moving = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    fitted = replace(one, moving=moving, shifts=np.full((2, 3), 0.01), delays=np.array([-0.1, 0.2]))
    np.testing.assert_allclose(fitted.times, [0.9, 1.7])
    np.testing.assert_allclose(fitted.points, [HIGH + 0.01 - [0.1, 0.0, 0.0], AHEAD + 0.01 + [0.0, 0.4, 0.0]])


def test_a_rolling_ball_goes_straight_over_the_floor() -> None:
    one = replace(segment(HIGH, AHEAD, 0.5, direct(0.5)), kind="roll")
    (arc,) = one.arcs(PHYSICS)
    assert arc.rolls and arc.start == 1.0
    np.testing.assert_allclose(arc.position, [0.1, 0.2, 0.12])
    np.testing.assert_allclose(arc.velocity, [0.8, -1.2, 0.0])


def test_a_ball_that_goes_away_and_one_that_comes_meet_in_the_middle() -> None:
    told = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, -3.0]])
    arcs = segment(HIGH, AHEAD, 1.0, told).arcs(PHYSICS)
    assert [arc.start for arc in arcs] == [1.0, 1.5]
    np.testing.assert_allclose(arcs[0].velocity, told[0])
    np.testing.assert_allclose(arcs[1].moved(2.0, PHYSICS).velocity, told[1])
    np.testing.assert_allclose(sample_arcs(arcs, np.array([1.0, 2.0]), PHYSICS), [HIGH, AHEAD])


@pytest.mark.parametrize(
    ("way", "seconds", "may_lie", "kind"),
    [
        (0.74, 0.5, True, "roll"),
        (0.76, 0.5, True, "flight"),
        (0.74, 0.5, False, "flight"),
        (0.0, 91 / 60, False, "flight"),
        (0.0, 92 / 60, False, "gap"),
    ],
)
def test_kinds_of_segments(way: float, seconds: float, may_lie: bool, kind: str) -> None:
    last = HIGH + np.array([way, 0.0, 0.0])
    told = np.stack(direct_velocities(HIGH, last, np.array(seconds), PHYSICS))
    (fitted,), _ = fit_flights([segment(HIGH, last, seconds, told, may_lie)], PHYSICS)
    assert fitted.kind == kind


def test_a_velocity_that_is_wrong_moves_ends_and_times_a_little_and_alike() -> None:
    told = direct(0.5) + np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    (fitted,), restitution = fit_flights([segment(HIGH, AHEAD, 0.5, told)], PHYSICS)
    assert restitution == pytest.approx(PHYSICS.restitution)
    # A shift s of both ends, apart, changes both velocities by 2 s / T: the sum of squares is least at this one.
    assert -0.03 < fitted.shifts[0, 0] < 0 < fitted.shifts[1, 0] < 0.03
    np.testing.assert_allclose(fitted.shifts[0], -fitted.shifts[1], atol=1e-6)
    assert fitted.delays[0] == pytest.approx(-fitted.delays[1]) and np.abs(fitted.delays).max() < 1 / 60


def test_ends_give_three_centimeters_for_a_meter_a_second() -> None:
    calm = BallPhysics(gravity=0.0, radius=0.12)
    first, last = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    told = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    (fitted,), _ = fit_flights([segment(first, last, 1.0, told)], calm)
    # Minimize 2 (1 - 2 s)^2 + 2 (s / 0.03)^2 over the shift s: s = 2 / (4 + 1 / 0.03^2).
    shift = 2.0 / (4.0 + 1.0 / 0.03**2)
    np.testing.assert_allclose(fitted.shifts[:, 1], [-shift, shift], atol=1e-6)
    np.testing.assert_allclose(fitted.delays, 0.0, atol=1e-5)


def test_times_give_a_frame_for_a_meter_a_second() -> None:
    calm = BallPhysics(gravity=0.0, radius=0.12)
    told = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    moving = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    one = replace(segment(HIGH, HIGH, 1.0, told), moving=moving)
    (fitted,), _ = fit_flights([one], calm)
    # Both ends are led apart by their shift s and by the delay d of a moving hand, to v = 2 (s + d), and the
    # duration stays: where (1 - v)^2 + (s / 0.03)^2 + (60 d)^2 is least, d / s is as the squares of both deviations.
    shift, delay = fitted.shifts[1, 1], fitted.delays[1]
    assert delay / shift == pytest.approx(1.0 / (60 * 0.03) ** 2, rel=0.02)
    assert fitted.delays[0] > 0 and delay > 0 and fitted.shifts[0, 1] < 0


def test_flights_are_fitted_each_on_its_own_and_what_rolls_stays() -> None:
    good, bad = segment(HIGH, AHEAD, 0.5, direct(0.5)), segment(HIGH, AHEAD, 0.5, direct(0.5) + 1.0)
    rolls = segment(HIGH, HIGH, 0.5, np.zeros((2, 3)), may_lie=True)
    fitted, _ = fit_flights([rolls, good, bad], PHYSICS)
    assert [one.kind for one in fitted] == ["roll", "flight", "flight"]
    assert [float(np.abs(one.shifts).max()) > 1e-4 for one in fitted] == [False, False, True]


def test_restitution_gives_a_twentieth_for_a_meter_a_second() -> None:
    def told(restitution: float) -> Array:
        lively = replace(PHYSICS, restitution=restitution)
        return np.stack(bounce_velocities(HIGH, HIGH, np.array(0.6), lively)[:2])

    # So many bounces outweigh the usual restitution, whose deviation is a twentieth.
    many = [segment(HIGH, HIGH, 0.6, told(0.86))] * 40
    _, restitution = fit_flights(many, PHYSICS)
    _, of_one = fit_flights(many[:1], PHYSICS)
    assert 0.83 < of_one < restitution < 0.86
