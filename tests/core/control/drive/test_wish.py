"""The commanded motion comes to a driver's wish."""

import numpy as np
import pytest

from footfall.core.control.drive.wish import MAX_TURN_RAD_S, VELOCITY_S, CommandedMotion, DriveWish

DT = 1 / 60
AHEAD = DriveWish(np.array([0.0, 1.5]))


def test_velocity_comes_to_the_wish_exponentially_and_places_follow_from_it() -> None:
    motion = CommandedMotion(np.zeros(2), 0.0)
    times = np.linspace(0.0, 1.0, 1001)
    offsets, velocities, _ = motion.ahead(AHEAD, times)
    np.testing.assert_allclose(velocities[:, 1], 1.5 * (1 - np.exp(-times / VELOCITY_S)))
    np.testing.assert_allclose(np.gradient(offsets[:, 1], times)[1:-1], velocities[1:-1, 1], atol=1e-4)


def test_frame_by_frame_it_is_the_same() -> None:
    motion, once = CommandedMotion(np.zeros(2), 0.0), CommandedMotion(np.zeros(2), 0.0)
    for _ in range(30):
        motion.advance(AHEAD, DT)
    np.testing.assert_allclose(motion.velocity, once.ahead(AHEAD, np.array([30 * DT]))[1][0])


def test_it_turns_to_where_it_goes_or_to_where_it_is_told_and_no_faster_than_bodies_turn() -> None:
    back = CommandedMotion(np.zeros(2), 0.0)
    yaws = back.ahead(DriveWish(np.array([0.0, -1.0])), np.linspace(0.0, 3.0, 300))[2]
    assert abs(yaws[-1]) == pytest.approx(np.pi, abs=0.1)
    assert np.abs(np.diff(yaws)).max() * 100 <= MAX_TURN_RAD_S * 1.01
    aside = CommandedMotion(np.zeros(2), 0.0).ahead(DriveWish(np.array([1.0, 0.0]), yaw=0.0), np.array([2.0]))[2]
    assert aside[0] == pytest.approx(0.0)


def test_who_is_to_stand_keeps_its_facing() -> None:
    motion = CommandedMotion(np.array([0.0, 1.0]), 0.7)
    for _ in range(120):
        motion.advance(DriveWish(np.zeros(2)), DT)
    assert motion.yaw == pytest.approx(0.7) and np.linalg.norm(motion.velocity) < 0.001


def test_turns_take_the_short_way_round() -> None:
    motion = CommandedMotion(np.zeros(2), 3.0)
    for _ in range(240):
        motion.advance(DriveWish(np.zeros(2), yaw=-3.0), DT)
    assert motion.yaw == pytest.approx(2 * np.pi - 3.0, abs=0.01)


def test_a_frame_changes_velocity_and_facing_by_its_time() -> None:
    motion = CommandedMotion(np.zeros(2), 0.0)
    motion.advance(DriveWish(np.array([0.0, 1.0]), yaw=0.5), 0.25)
    np.testing.assert_allclose(motion.velocity, [0.0, 1 - np.exp(-1.0)])
    assert motion.yaw == pytest.approx(0.5 * (1 - np.exp(-1.0)))


def test_a_wish_by_itself_is_no_jump_and_no_change_of_hands() -> None:
    assert AHEAD.yaw is None and not AHEAD.style and not AHEAD.jumps and not AHEAD.changes_hand
