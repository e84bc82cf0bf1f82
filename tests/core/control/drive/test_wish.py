"""The commanded motion comes to a driver's wish."""

import numpy as np
import pytest

from footfall.core.control.drive.wish import TUNING as WISH_TUNING
from footfall.core.control.drive.wish import CommandedMotion, DriveWish

AHEAD = DriveWish(np.array([0.0, 1.5]))


def test_velocity_comes_to_the_wish_exponentially_and_places_follow_from_it() -> None:
    motion = CommandedMotion(np.zeros(2), 0.0)
    times = np.linspace(0.0, 1.0, 1001)
    offsets, velocities, _ = motion.ahead(AHEAD, times)
    np.testing.assert_allclose(velocities[:, 1], 1.5 * (1 - np.exp(-times / WISH_TUNING.velocity_response)))
    np.testing.assert_allclose(np.gradient(offsets[:, 1], times)[1:-1], velocities[1:-1, 1], atol=1e-4)


def test_it_turns_to_where_it_goes_or_to_where_it_is_told_and_no_faster_than_bodies_turn() -> None:
    back = CommandedMotion(np.zeros(2), 0.0)
    yaws = back.ahead(DriveWish(np.array([0.0, -1.0])), np.linspace(0.0, 3.0, 300))[2]
    assert abs(yaws[-1]) == pytest.approx(np.pi, abs=0.1)
    assert np.abs(np.diff(yaws)).max() * 100 <= WISH_TUNING.max_turn * 1.01
    aside = CommandedMotion(np.zeros(2), 0.0).ahead(DriveWish(np.array([1.0, 0.0]), yaw=0.0), np.array([2.0]))[2]
    assert aside[0] == pytest.approx(0.0)
