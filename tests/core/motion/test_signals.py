"""Speeds, floors and states of plain signals."""

import numpy as np
import pytest

from footfall.core.motion.signals import (
    drop_short_runs,
    hysteresis,
    local_floor,
    low_pass,
    noise_level,
    one_sided_speed,
    runs_of,
    velocities,
)


def test_velocities_of_a_parabola_are_exact() -> None:
    time = np.arange(40) / 60
    fall = np.stack([1.5 * time, np.zeros(40), 2 - 9.81 / 2 * time**2], axis=-1)
    np.testing.assert_allclose(
        velocities(fall, 60.0), np.stack([np.full(40, 1.5), np.zeros(40), -9.81 * time], axis=-1), atol=1e-9
    )


def test_the_local_floor_follows_a_slope() -> None:
    time = np.arange(600) / 60
    climb = 0.1 * time
    steps = 0.15 * np.abs(np.sin(np.pi * time))
    floor = local_floor((climb + steps)[:, None], 60.0)[:, 0]
    assert np.abs(floor - climb)[60:-60].max() < 0.1


def test_hysteresis_keeps_a_state_between_its_thresholds() -> None:
    signal = np.array([5, 3, 1, 3, 5, 3, 1])[:, None]
    state = hysteresis(signal < 2, signal > 4)
    assert state[:, 0].tolist() == [False, False, True, True, False, False, True]


def test_short_gaps_are_closed_and_short_specks_removed_but_not_at_the_ends() -> None:
    def state(text: str) -> np.ndarray:
        return np.array([letter == "#" for letter in text])[:, None]

    for before, after in [("####.####", "#########"), ("....#....", "........."), ("#...####.", "#...####.")]:
        np.testing.assert_array_equal(drop_short_runs(state(before), 3), state(after), err_msg=before)


def test_the_low_pass_keeps_what_is_slow_and_its_time_and_drops_what_is_fast() -> None:
    seconds = np.arange(600) / 60
    slow, fast = np.sin(2 * np.pi * seconds), np.sin(2 * np.pi * 20 * seconds)
    passed = low_pass(np.stack([slow, slow + fast], axis=-1), 60.0, 6.0)
    assert passed[30:-30] == pytest.approx(np.stack([slow, slow], axis=-1)[30:-30], abs=0.03)
    assert low_pass(slow, 60.0, 30.0) is slow and len(low_pass(slow[:3], 60.0, 6.0)) == 3


def test_noise_is_told_from_motion_by_its_third_differences() -> None:
    """A parabola has none; white noise of a millimeter on each axis is seen as about as much."""
    time = np.arange(2000) / 60
    smooth = np.stack([time, time**2, 1 - time], axis=-1)[:, None]
    assert noise_level(smooth) == pytest.approx(0.0, abs=1e-9)
    jitter = np.random.default_rng(0).normal(scale=1e-3, size=(2000, 3, 3))
    assert noise_level(smooth + jitter) == pytest.approx(1e-3, rel=0.05)
    assert noise_level(jitter[:7]) == 0.0 and noise_level(jitter[:8]) > 0.0


def moving(*steps: float) -> np.ndarray:
    """A track (F, 1, 3) along X by steps."""
    track = np.zeros((len(steps) + 1, 1, 3))
    track[1:, 0, 0] = np.cumsum(steps)
    return track


def test_a_joint_that_comes_to_rest_is_at_rest_at_once() -> None:
    speed = one_sided_speed(moving(*[1 / 60] * 10, *[0.0] * 10), 60.0)[:, 0]
    np.testing.assert_allclose(speed, [*[1.0] * 9, 0.5, *[0.0] * 11], atol=1e-9)
    back = one_sided_speed(moving(*[0.0] * 10, *[1 / 60] * 10), 60.0)[:, 0]
    np.testing.assert_allclose(back, speed[::-1], atol=1e-9)


def test_runs_are_first_frames_and_those_after_the_last() -> None:
    assert runs_of(np.array([1, 1, 0, 1, 0, 0, 1], dtype=bool)).tolist() == [[0, 2], [3, 4], [6, 7]]
    assert runs_of(np.zeros(3, dtype=bool)).tolist() == []
    assert runs_of(np.ones(3, dtype=bool)).tolist() == [[0, 3]]
    assert runs_of(np.zeros(0, dtype=bool)).tolist() == []
