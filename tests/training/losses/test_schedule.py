"""Learning rates by time, and by batch."""

import math

import pytest

from footfall.training.config.config import TrainingConfig
from footfall.training.losses.schedule import warm_restarts
from footfall.training.losses.stages import stages_of


def test_the_rate_restarts_after_ten_thirty_and_seventy_epochs():
    """NSM section 7.1: Te = 10, Tmult = 2, so that 70 epochs end at rest."""
    assert [warm_restarts(epoch, 10) for epoch in (0, 10, 30, 70)] == [1.0] * 4
    assert [warm_restarts(epoch, 10) for epoch in (5, 20, 50)] == pytest.approx([0.5] * 3)
    assert [warm_restarts(epoch - 1e-6, 10) for epoch in (10, 30, 70)] == pytest.approx([0.0] * 3, abs=1e-9)


def test_the_stages_have_the_settings_rates():
    config = TrainingConfig(
        learning_rate=1e-3, rate_batch=128, batch=512, unroll_steps=4, unroll_learning_rate=1e-4, restart_epochs=10
    )
    frames, windows = stages_of(config)
    assert (frames.learning_rate_at(0.0), windows.learning_rate_at(0.0)) == pytest.approx((2e-3, 1e-4))
    assert frames.learning_rate_at(5 / config.epochs) == pytest.approx(1e-3)
    plain, _ = stages_of(TrainingConfig(learning_rate=1e-3, unroll_steps=4))
    assert plain.learning_rate_at(0.25) == pytest.approx(1e-3 * (1 + math.cos(math.pi / 4)) / 2)
