"""The table of inferred balls."""

import numpy as np
import pytest

from footfall.benchmarks.ball import exact_end_distances, fitted_gravity
from footfall.core.ball.ball_track import BallTrack
from footfall.core.ball.free_motion import BallPhysics, released_arcs, sample_arcs
from footfall.core.motion.rotations import IDENTITY


def dropped() -> BallTrack:
    """A ball that is held, thrown down from 1 m, and held again when it comes up."""
    physics = BallPhysics(9.81, 0.105)
    times = np.arange(40) / 60.0
    arcs = released_arcs(times[9], np.array([0.0, 0.0, 1.0]), np.array([0.4, 0.0, -3.0]), times[30], physics)
    positions = sample_arcs(arcs, np.clip(times, times[9], times[30]), physics)
    contacts = np.tile(((times < times[10]) | (times > times[29]))[:, None], (1, 2))
    return BallTrack(60.0, 0.105, positions, np.tile(IDENTITY, (40, 1)), contacts)


def test_a_bounce_through_its_own_ends_is_exact() -> None:
    assert exact_end_distances(dropped(), 10, 30).max() < 0.001


def test_gravity_is_that_of_a_parabola() -> None:
    times = np.arange(20) / 60.0
    heights = 1.0 + 2.0 * times - 0.5 * 9.5 * times**2
    positions = np.column_stack([times, times, heights])
    track = BallTrack(60.0, 0.1, positions, np.tile(IDENTITY, (20, 1)), np.zeros((20, 2), dtype=bool))
    assert fitted_gravity(track, 0, 20) == pytest.approx(9.5)
