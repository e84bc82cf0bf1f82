import numpy as np
import pytest

from footfall.core.evaluation.response import response_time, sustained_speed
from footfall.core.evaluation.speed import moving_frames, trailing_speed, travel_speed


def ramp(speed: float, seconds: float, rate: float = 60.0, total: float = 6.0) -> np.ndarray:
    """Root positions that stand for a frame and speed up evenly to a speed within some seconds."""
    speeds = np.minimum(np.arange(int(total * rate)) / rate / seconds, 1.0) * speed
    return np.column_stack([np.cumsum(speeds) / rate, np.zeros(len(speeds))])


def test_an_even_start_responds_when_its_last_half_second_averages_nine_tenths() -> None:
    # v = t for 1 s, then 1: the mean over [t - 0.5, t] is 0.9 where 1 - (1.5 - t)^2 = 0.9.
    assert response_time(ramp(1.0, 1.0), 60.0, 1.0) == pytest.approx(1.5 - np.sqrt(0.1), abs=0.03)


def test_a_speed_that_is_never_reached_has_no_response() -> None:
    assert response_time(ramp(0.8, 1.0), 60.0, 1.0) is None


def test_the_speed_kept_leaves_start_and_stop_out() -> None:
    roots = np.concatenate([np.zeros((120, 2)), ramp(1.2, 0.1), np.tile(ramp(1.2, 0.1)[-1], (120, 1))])
    assert sustained_speed(roots, 60.0, 1.2) == pytest.approx(1.2, rel=0.03)


def test_travel_speed_averages_the_sway_of_steps_out() -> None:
    time = np.arange(300) / 60
    roots = np.column_stack([1.3 * time, 0.02 * np.sin(2 * np.pi * 2 * time)])
    np.testing.assert_allclose(travel_speed(roots, 60.0)[15:-15], 1.3, rtol=2e-3)


def test_before_the_first_frame_the_character_stood() -> None:
    roots = np.column_stack([np.arange(120) / 60, np.zeros(120)])
    np.testing.assert_allclose(trailing_speed(roots, 60.0)[[0, 15, 30, 100]], [0.0, 0.5, 1.0, 1.0])


def test_a_clip_that_never_travels_is_measured_whole() -> None:
    assert moving_frames(np.zeros((30, 2)), 60.0).all()
    assert moving_frames(ramp(1.2, 1.0), 60.0).sum() < 360


def test_frames_move_that_travel() -> None:
    still = np.zeros((120, 2))
    gone = np.column_stack([np.arange(1, 121) / 60, np.zeros(120)])
    moving = moving_frames(np.concatenate([still, gone]), 60.0)
    assert not moving[:100].any() and moving[125:].all()
