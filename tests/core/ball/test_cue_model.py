"""Regressions of cues: fitted, kept in files, and learned from balls that are carried by walkers."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.cue_model import MASKS, load_cue_model
from footfall.core.ball.hands import CUE_RATE_HZ, read_hands
from footfall.core.ball.kernel_regression import KernelRegression, fit_kernel_regression
from footfall.core.ball.learning import flight_velocity
from footfall.core.ball.spin import ball_rotations
from footfall.core.errors import FootfallError
from footfall.core.motion.rotations import IDENTITY, log
from footfall.tests.support.walker import Walker


def test_a_smooth_function_is_fitted_and_kept() -> None:
    inputs = np.random.default_rng(1).uniform(-2, 2, (400, 2))
    outputs = np.column_stack([np.sin(inputs[:, 0]), inputs[:, 0] * inputs[:, 1]])
    fitted = fit_kernel_regression(inputs, outputs, 150, 1.0, 1e-6)
    inside = np.random.default_rng(2).uniform(-1.5, 1.5, (100, 2))
    wanted = np.column_stack([np.sin(inside[:, 0]), inside[:, 0] * inside[:, 1]])
    assert np.abs(fitted.predict(inside) - wanted).max() < 0.05
    kept = KernelRegression.of_arrays(fitted.arrays("one"), "one")
    np.testing.assert_allclose(kept.predict(inside), fitted.predict(inside), atol=5e-3)


def test_the_velocity_of_a_flight_is_found_at_any_frame() -> None:
    times = np.arange(10) / CUE_RATE_HZ
    heights = 1.0 + 3.0 * times - 0.5 * 9.81 * times**2
    centers = np.column_stack([2.0 * times, 0.0 * times, heights])
    for frame in (-1.0, 0.0, 10.0):
        found = flight_velocity(centers, frame, 9.81)
        np.testing.assert_allclose(found, [2.0, 0.0, 3.0 - 9.81 * frame / CUE_RATE_HZ], atol=1e-9)


def test_the_model_that_ships_tells_of_every_frame() -> None:
    model = load_cue_model()
    hands = read_hands(Walker(seconds=1.0).clip())
    evidence = model.evidence(hands, model.radius)
    frames = len(hands)
    assert evidence.log_odds.shape == (frames, 2)
    assert evidence.centers.shape == evidence.caught.shape == evidence.released.shape == (frames, len(MASKS), 3)
    assert (evidence.log_odds < 0).mean() > 0.9, "a walker holds no ball"
    assert "skillmimic_ballplay" in model.sources
    bigger = model.evidence(hands, model.radius + 0.05).centers - evidence.centers
    np.testing.assert_allclose(np.linalg.norm(bigger[:, :2], axis=-1), 0.05, atol=1e-9)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "damaged.npz"
    file.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(FootfallError, match="is not a model of ball play: make one with"):
        load_cue_model(file)


def test_a_rolling_ball_turns_by_its_way_over_its_radius() -> None:
    hands = read_hands(Walker(seconds=1.0).clip())
    frames = len(hands)
    positions = np.column_stack([np.linspace(0.0, 0.6, frames), np.zeros(frames), np.full(frames, 0.12)])
    rotations = ball_rotations(hands, positions, np.zeros((frames, 2), dtype=bool), CUE_RATE_HZ, 0.12)
    turned = 0.2 / (frames - 1) * (frames // 3) * 3 / 0.12
    np.testing.assert_allclose(log(rotations[frames // 3]), [0.0, turned, 0.0], atol=1e-6)


def test_a_held_ball_turns_with_its_hand_and_keeps_turning() -> None:
    clip = Walker(seconds=1.0, turn=1.0).clip()
    hands = read_hands(clip)
    frames = len(hands)
    high = np.tile([0.0, 0.0, 1.0], (frames, 1))
    held = np.zeros((frames, 2), dtype=bool)
    held[:20, 0] = True
    rotations = ball_rotations(hands, high, held, CUE_RATE_HZ, 0.12)
    np.testing.assert_allclose(rotations[0], IDENTITY)
    steps = np.linalg.norm(np.diff(rotations[20:], axis=0), axis=1)
    np.testing.assert_allclose(steps, steps[0], atol=1e-9)
