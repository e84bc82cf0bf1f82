"""Control series: one vector and back, for bodies of any size."""

import numpy as np
import pytest

from footfall.core.features.control_series import (
    SAMPLE_COUNT,
    ControlSeries,
    clip_control_series,
    control_layout,
    mirror_series,
    pack_series,
    unpack_series,
)
from footfall.core.features.locomotion import SAMPLE_OFFSETS_FRAMES
from footfall.core.labelling import label_clip
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M
from footfall.tests.support.generators import ACTIONS
from footfall.tests.support.grounds import procedural
from footfall.tests.support.walker import Walker

TIMES = np.array(SAMPLE_OFFSETS_FRAMES) / 60


def straight_on(speed: float) -> ControlSeries:
    """A character that walks straight on at a speed, m/s."""
    positions = np.stack([np.zeros(SAMPLE_COUNT), speed * TIMES], axis=-1)[None]
    directions = np.tile([0.0, 1.0], (1, SAMPLE_COUNT, 1))
    return ControlSeries(positions, directions, np.tile(np.eye(5)[1], (1, SAMPLE_COUNT, 1)))


def test_a_series_comes_back_from_its_vector() -> None:
    rng = np.random.default_rng(0)
    series = ControlSeries(*(rng.normal(size=(3, SAMPLE_COUNT, width)) for width in (2, 2, 5)))
    again = unpack_series(pack_series(series, ACTIONS, 0.6), ACTIONS, 0.6)
    for name in ("positions", "directions", "actions"):
        np.testing.assert_allclose(getattr(again, name), getattr(series, name), atol=1e-6)


def test_a_child_at_half_the_speed_has_the_series_of_an_adult() -> None:
    adult = pack_series(straight_on(1.4), ACTIONS, ADULT_LEG_LENGTH_M)
    child = pack_series(straight_on(0.7), ACTIONS, ADULT_LEG_LENGTH_M / 2)
    np.testing.assert_allclose(child, adult, atol=1e-6)


def test_mirroring_twice_gives_the_series_itself() -> None:
    x = np.random.default_rng(1).normal(size=(4, control_layout(ACTIONS).size)).astype(np.float32)
    assert not np.array_equal(mirror_series(x, ACTIONS), x)
    np.testing.assert_array_equal(mirror_series(mirror_series(x, ACTIONS), ACTIONS), x)


def test_the_series_of_a_clip_is_where_it_goes() -> None:
    clip, _ = procedural("walk")
    series, actions = clip_control_series(clip, label_clip(clip))
    assert actions == ACTIONS
    assert series.positions.shape == (len(clip), SAMPLE_COUNT, 2)
    now = SAMPLE_OFFSETS_FRAMES.index(0)
    np.testing.assert_allclose(series.positions[:, now], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(series.directions, axis=-1), 1.0, atol=1e-9)
    np.testing.assert_allclose(series.actions.sum(axis=-1), 1.0, atol=1e-6)


def test_a_circle_is_an_arc_with_its_velocities_and_directions() -> None:
    """A walk at 1.1 m/s that turns left at 0.8 rad/s."""
    clip = Walker(turn=0.8, seconds=8.0).clip()
    series, actions = clip_control_series(clip, label_clip(clip))
    angle = 0.8 * TIMES
    arc = 1.1 / 0.8 * np.stack([np.cos(angle) - 1, np.sin(angle)], axis=-1)
    middle = slice(150, -150)
    np.testing.assert_allclose(series.positions[middle], np.tile(arc, (len(clip) - 300, 1, 1)), atol=6e-3)
    along = np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
    np.testing.assert_allclose(series.directions[middle], np.tile(along, (len(clip) - 300, 1, 1)), atol=2e-3)
    x = pack_series(series, actions, ADULT_LEG_LENGTH_M)
    velocity = control_layout(actions).view(x, "trajectory.velocity")[middle, 1:-1]
    np.testing.assert_allclose(velocity, np.tile(1.1 * along[1:-1], (len(clip) - 300, 1, 1)), atol=0.02)


def test_a_clip_of_another_rate_is_refused() -> None:
    clip = Walker(seconds=2.0).clip()
    with pytest.raises(ValueError, match="at 60 Hz, not 30: resample the clip first"):
        clip_control_series(clip.resampled(30.0), label_clip(clip))
