"""Free segments of a ball: their arcs in closed form, and what their fit trades off."""

from dataclasses import replace

import numpy as np

from footfall.core.ball.flight_fitting import FreeSegment, fit_flights
from footfall.core.ball.free_motion import BallPhysics, direct_velocities, sample_arcs
from footfall.core.motion.rotations import Array

PHYSICS = BallPhysics(gravity=9.81, radius=0.12)
HIGH = np.array([0.1, 0.2, 1.0])
AHEAD = np.array([0.5, -0.4, 1.2])


def segment(first: Array, last: Array, seconds: float, told: Array, may_lie: bool = False) -> FreeSegment:
    """A ball that is let go at a second from a hand at rest."""
    return FreeSegment(np.array([1.0, 1.0 + seconds]), np.stack([first, last]), np.zeros((2, 3)), told, may_lie)


def direct(seconds: float) -> Array:
    return np.stack(direct_velocities(HIGH, AHEAD, np.array(seconds), PHYSICS))


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


def test_flights_are_fitted_each_on_its_own_and_what_rolls_stays() -> None:
    good, bad = segment(HIGH, AHEAD, 0.5, direct(0.5)), segment(HIGH, AHEAD, 0.5, direct(0.5) + 1.0)
    rolls = segment(HIGH, HIGH, 0.5, np.zeros((2, 3)), may_lie=True)
    fitted, _ = fit_flights([rolls, good, bad], PHYSICS)
    assert [one.kind for one in fitted] == ["roll", "flight", "flight"]
    assert [float(np.abs(one.shifts).max()) > 1e-4 for one in fitted] == [False, False, True]
