"""Sequences of contacts, from evidence that is made of balls with known motion."""

import numpy as np

from footfall.core.ball.contact_sequence import FREE, MAX_FREE_FRAMES, find_contact_sequence
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
