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
    speed_noise,
    speed_window_frames,
    velocities,
)


def test_velocities_of_a_parabola_are_exact() -> None:
    time = np.arange(40) / 60
    fall = np.stack([1.5 * time, np.zeros(40), 2 - 9.81 / 2 * time**2], axis=-1)
    np.testing.assert_allclose(
        velocities(fall, 60.0), np.stack([np.full(40, 1.5), np.zeros(40), -9.81 * time], axis=-1), atol=1e-9
    )


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5, 6])
def test_even_the_shortest_motion_has_velocities(frames: int) -> None:
    positions = np.outer(np.arange(frames), [1.0, 2.0, 3.0]) / 60
    expected = [1.0, 2.0, 3.0] if frames > 1 else [0.0, 0.0, 0.0]
    np.testing.assert_allclose(velocities(positions, 60.0), np.tile(expected, (frames, 1)), atol=1e-9)


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


def test_noise_of_alternating_frames_is_exact() -> None:
    """Third differences of a track that jumps by plus and minus a are eight a long; a fifth quantile is the same."""
    track = np.zeros((20, 1, 3))
    track[:, 0, 0] = 0.01 * (-1.0) ** np.arange(20)
    assert noise_level(track) == pytest.approx(0.08 / np.sqrt(20))


def test_the_noise_of_a_fitted_speed_is_that_of_least_squares() -> None:
    """Of a line through n + 1 frames the slope's variance is 12 / (n (n + 1) (n + 2)) of each of three axes."""
    assert speed_noise(0.01, 1, 60.0) == pytest.approx(0.01 * 60 * np.sqrt(3 * 2))
    assert speed_noise(0.01, 4, 60.0) == pytest.approx(0.01 * 60 * np.sqrt(0.3))


@pytest.mark.parametrize(
    ("noise", "rate", "frames"), [(0.0, 60.0, 2), (0.0, 120.0, 5), (0.0, 10.0, 2), (1.0, 60.0, 8), (1.0, 120.0, 17)]
)
def test_the_window_of_a_speed_is_from_four_to_fourteen_hundredths_of_a_second(
    noise: float, rate: float, frames: int
) -> None:
    assert speed_window_frames(noise, rate) == frames


def test_the_window_is_the_shortest_that_leaves_the_speed_right() -> None:
    for noise in (0.001, 0.002, 0.004):
        frames = speed_window_frames(noise, 60.0)
        assert speed_noise(noise, frames, 60.0) < 0.12
        assert frames == 2 or speed_noise(noise, frames - 1, 60.0) >= 0.12
    assert [speed_window_frames(noise, 60.0) for noise in (0.001, 0.002, 0.004)] == [2, 3, 5]


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


def test_a_speed_is_the_slope_of_a_line_through_its_window() -> None:
    """With windows of two frames at 60 Hz it is half of the way over both."""
    speed = one_sided_speed(moving(0.0, 0.0, 0.1, 0.0, 0.0), 60.0)[:, 0]
    np.testing.assert_allclose(speed, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], atol=1e-9)
    speed = one_sided_speed(moving(0.1, 0.1, 0.3, 0.3, 0.1, 0.1), 60.0)[:, 0] / 6
    np.testing.assert_allclose(speed, [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0], atol=1e-9)


def test_the_speed_that_noise_alone_would_give_is_taken_off() -> None:
    noise = 0.002
    frames = speed_window_frames(noise, 60.0)
    speed = one_sided_speed(moving(*[0.3 / 60] * 30), 60.0, noise)
    np.testing.assert_allclose(speed, np.sqrt(0.09 - speed_noise(noise, frames, 60.0) ** 2))
    slow = one_sided_speed(moving(*[0.01 / 60] * 30), 60.0, noise)
    assert not slow.any()


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_the_shortest_tracks_have_speeds(frames: int) -> None:
    speed = one_sided_speed(moving(*[1 / 60] * (frames - 1)), 60.0)
    np.testing.assert_allclose(speed[:, 0], [1.0 if frames > 1 else 0.0] * frames, atol=1e-9)


def test_runs_are_first_frames_and_those_after_the_last() -> None:
    assert runs_of(np.array([1, 1, 0, 1, 0, 0, 1], dtype=bool)).tolist() == [[0, 2], [3, 4], [6, 7]]
    assert runs_of(np.zeros(3, dtype=bool)).tolist() == []
    assert runs_of(np.ones(3, dtype=bool)).tolist() == [[0, 3]]
    assert runs_of(np.zeros(0, dtype=bool)).tolist() == []


def test_a_state_is_off_until_it_begins_and_beginning_wins() -> None:
    begins = np.array([0, 0, 1, 0, 0, 1], dtype=bool)[:, None]
    ends = np.array([0, 1, 0, 0, 1, 1], dtype=bool)[:, None]
    assert hysteresis(begins, ends)[:, 0].tolist() == [False, False, True, True, False, True]


def test_columns_have_states_of_their_own() -> None:
    begins = np.array([[1, 0], [0, 1], [0, 0]], dtype=bool)
    ends = np.array([[0, 0], [0, 0], [1, 0]], dtype=bool)
    assert hysteresis(begins, ends).tolist() == [[True, False], [True, True], [False, True]]
    short = drop_short_runs(np.array([[0, 1], [1, 1], [0, 1]], dtype=bool), 2)
    assert short.tolist() == [[False, True]] * 3


def test_a_run_of_just_the_least_length_stays() -> None:
    state = np.array([0, 1, 1, 1, 0, 0, 0, 1, 1, 1], dtype=bool)[:, None]
    assert drop_short_runs(state, 3).tolist() == state.tolist()
    assert drop_short_runs(state, 4)[:, 0].tolist() == [False, *[True] * 9], "gaps are closed first"


def test_the_floor_is_the_low_percentile_of_two_seconds() -> None:
    level = np.full((300, 1), 0.25)
    np.testing.assert_allclose(local_floor(level, 60.0), 0.25)
    seldom = level.copy()
    seldom[150:158] = 0.0
    np.testing.assert_allclose(local_floor(seldom, 60.0)[150], 0.25, err_msg="eight frames of 120 are too few")
    often = level.copy()
    often[140:160] = 0.0
    np.testing.assert_allclose(local_floor(often, 60.0)[150], 0.0, atol=1e-4)
    assert local_floor(often, 60.0)[70] == pytest.approx(0.25, abs=1e-3)


def test_a_filter_passes_half_of_the_amplitude_at_its_cutoff() -> None:
    """Forwards and backwards, each by the root of a half."""
    seconds = np.arange(1200) / 60
    at_cutoff = np.sin(2 * np.pi * 6.0 * seconds)
    np.testing.assert_allclose(low_pass(at_cutoff, 60.0, 6.0)[600:660], at_cutoff[600:660] / 2, atol=1e-6)
    line = np.arange(50.0)
    np.testing.assert_allclose(low_pass(line, 60.0, 6.0), line, atol=1e-6, err_msg="it goes on beyond its ends")
    assert len(low_pass(line[:4], 60.0, 6.0)) == 4
    assert not np.array_equal(low_pass(line[:4] ** 2, 60.0, 6.0), line[:4] ** 2)
    assert low_pass(at_cutoff, 12.0, 6.0) is at_cutoff


def test_velocities_smooth_over_eight_hundredths_of_a_second() -> None:
    """Of a step of one between two frames: the slope of a parabola through five frames at 60 Hz, seven at 90."""
    step = (np.arange(41) >= 20).astype(float)[:, None]
    found = velocities(step, 60.0)[:, 0] / 60
    np.testing.assert_allclose(found[17:23], [0.0, 0.2, 0.3, 0.3, 0.2, 0.0], atol=1e-12)
    wide = velocities(step, 90.0)[:, 0] / 90
    np.testing.assert_allclose(wide[16:24], np.array([0, 3, 5, 6, 6, 5, 3, 0]) / 28, atol=1e-12)
