"""Sequences of contacts, from evidence that is made of balls with known motion."""

import numpy as np
import pytest

from footfall.core.ball.contact_sequence import FREE, MAX_FREE_FRAMES, can_lie, find_contact_sequence
from footfall.core.ball.cue_model import BallEvidence
from footfall.core.ball.flight_fitting import FreeSegment, fit_flights
from footfall.core.ball.free_motion import BallPhysics, bounce_velocities, direct_velocities, sample_arcs
from footfall.core.ball.hands import CUE_RATE_HZ
from footfall.core.motion.rotations import Array

PHYSICS = BallPhysics(gravity=9.81, radius=0.12)
LEFT, RIGHT, BOTH = 0, 1, 2


def evidence_of(odds: Array, ends: dict[int, tuple[Array, Array]] | None = None) -> BallEvidence:
    """A ball at (0, 0, 1) in any hands, log-odds (F, 2), and the velocities of release and catch of some frames."""
    frames = len(odds)
    centers = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (frames, 3, 3))
    released, caught = np.zeros((2, frames, 3, 3))
    for frame, (release, catch) in (ends or {}).items():
        released[frame], caught[frame] = release, catch
    return BallEvidence(odds, centers, caught, released)


def odds_of(*parts: tuple[int, float, float]) -> Array:
    """Log-odds (F, 2) of frames, left and right, part after part."""
    return np.concatenate([np.tile([left, right], (count, 1)) for count, left, right in parts])


def test_a_hand_over_is_told_from_what_hands_say() -> None:
    sequence = find_contact_sequence(evidence_of(odds_of((20, 5, -5), (10, 5, 5), (20, -5, 5))), PHYSICS)
    assert sequence.grasps.tolist() == [LEFT] * 20 + [BOTH] * 10 + [RIGHT] * 20
    assert sequence.cost < 0 and sequence.contacts[25].all()


def test_no_hand_touches_a_ball_where_none_says_so() -> None:
    assert find_contact_sequence(evidence_of(odds_of((60, -5, -5))), PHYSICS).cost > 0


def test_a_moment_of_doubt_is_no_flight_unless_a_ball_can_fly_so() -> None:
    odds = odds_of((20, 5, -5), (8, -0.6, -5), (20, 5, -5))
    fast = np.array([0.0, 9.0, 0.0])
    wrong = dict.fromkeys(range(48), (fast, -fast))
    assert (find_contact_sequence(evidence_of(odds, wrong), PHYSICS).grasps == LEFT).all()
    # The same doubt where hands tell of the speeds of a ball that goes up and comes down in this time.
    duration = 9 / CUE_RATE_HZ
    up = np.array([0.0, 0.0, 0.5 * 9.81 * duration])
    grasps = find_contact_sequence(evidence_of(odds, {19: (up, up), 28: (-up, -up)}), PHYSICS).grasps
    assert grasps.tolist() == [LEFT] * 20 + [FREE] * 8 + [LEFT] * 20


def test_a_ball_goes_away_and_another_comes() -> None:
    away = MAX_FREE_FRAMES + 40
    grasps = find_contact_sequence(evidence_of(odds_of((20, 5, 5), (away, -5, -5), (20, 5, 5))), PHYSICS).grasps
    assert grasps.tolist() == [BOTH] * 20 + [FREE] * away + [BOTH] * 20


def test_a_ball_near_the_floor_can_lie() -> None:
    assert can_lie(np.array([[0.0, 0.0, 0.3], [0.0, 0.0, 0.4]]), PHYSICS).tolist() == [True, False]


def segment(duration: float, told: Array, end: Array | None = None, height: float = 1.0) -> FreeSegment:
    """A ball from (0, 0, height) for a time, with velocities of release and catch that hands tell of."""
    start = np.array([0.0, 0.0, height])
    ends = np.stack([start, start if end is None else end])
    return FreeSegment(np.array([1.0, 1.0 + duration]), ends, np.zeros((2, 3)), told, height < 0.3)


def test_flights_and_bounces_that_agree_stay_as_they_are() -> None:
    end = np.array([0.5, 0.2, 0.9])
    start, duration = np.array([0.0, 0.0, 1.0]), np.array(0.5)
    direct = np.stack(direct_velocities(start, end, duration, PHYSICS))
    bounce = np.stack(bounce_velocities(start, end, duration, PHYSICS)[:2])
    fitted, restitution = fit_flights([segment(0.5, direct, end), segment(0.5, bounce, end)], PHYSICS)
    assert [one.kind for one in fitted] == ["flight", "bounce"]
    assert np.abs([one.shifts for one in fitted]).max() < 1e-4 and abs(restitution - PHYSICS.restitution) < 1e-3
    assert [len(one.arcs(PHYSICS)) for one in fitted] == [1, 2]
    for one in fitted:
        np.testing.assert_allclose(sample_arcs(one.arcs(PHYSICS), one.times, PHYSICS), [start, end], atol=1e-3)


def test_restitution_is_fitted_to_what_hands_tell() -> None:
    lively = BallPhysics(9.81, 0.12, 0.9)
    start, end = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    segments = []
    for duration in np.linspace(0.45, 0.65, 12):
        told = np.stack(bounce_velocities(start, end, np.array(duration), lively)[:2])
        segments.append(segment(duration, told))
    _, restitution = fit_flights(segments, PHYSICS)
    assert PHYSICS.restitution + 0.01 < restitution < 0.92


def test_a_ball_between_low_hands_rolls_and_a_long_one_is_two() -> None:
    low = segment(2.0, np.zeros((2, 3)), np.array([0.5, 0.0, 0.2]), height=0.2)
    away = segment(4.0, np.array([[0.0, 3.0, 2.0], [0.0, -3.0, -2.0]]))
    (rolled, gone), restitution = fit_flights([low, away], PHYSICS)
    assert (rolled.kind, gone.kind, restitution) == ("roll", "gap", PHYSICS.restitution)
    times = np.linspace(1.0, 3.0, 9)
    rolls = sample_arcs(rolled.arcs(PHYSICS), times, PHYSICS)
    np.testing.assert_allclose(rolls[:, 2], PHYSICS.radius)
    np.testing.assert_allclose(np.diff(rolls[:, 0]), 0.0625)
    ends = sample_arcs(gone.arcs(PHYSICS), np.array([1.0, 5.0]), PHYSICS)
    np.testing.assert_allclose(ends, gone.ends, atol=1e-9)


@pytest.mark.parametrize(("before", "after", "cost"), [(10, 0, 1.0), (0, 10, 1.0), (10, 10, 2.0), (1, 1, 2.0)])
def test_what_is_free_before_and_after_costs_one_each(before: int, after: int, cost: float) -> None:
    odds = odds_of((before, -5, -5), (20, 5, -5), (after, -5, -5))
    sequence = find_contact_sequence(evidence_of(odds), PHYSICS)
    assert sequence.grasps.tolist() == [FREE] * before + [LEFT] * 20 + [FREE] * after
    assert sequence.cost == pytest.approx(-0.5 * 20 * 5 + cost)
    np.testing.assert_array_equal(sequence.contacts, [[grasp == LEFT, False] for grasp in sequence.grasps])


def test_a_bounce_costs_as_little_as_a_flight() -> None:
    count, place = 30, np.array([0.0, 0.0, 1.0])
    first, last, _ = bounce_velocities(place, place, np.array((count + 1) / CUE_RATE_HZ), PHYSICS)
    odds = odds_of((20, -9, 9), (count, -9, -9), (20, -9, 9))
    told = {19: (first, first), 50: (last, last)}
    sequence = find_contact_sequence(evidence_of(odds, told), PHYSICS)
    assert sequence.cost == pytest.approx(-0.5 * 40 * 9 + 1.0, abs=1e-5)


def test_a_ball_that_goes_away_costs_four() -> None:
    odds = odds_of((20, 5, 5), (MAX_FREE_FRAMES + 1, -5, -5), (20, 5, 5))
    assert find_contact_sequence(evidence_of(odds), PHYSICS).cost == pytest.approx(-0.5 * 40 * 10 + 4.0)
