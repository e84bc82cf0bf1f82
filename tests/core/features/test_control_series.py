"""Control series: one vector and back, for bodies of any size."""

import numpy as np

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


def test_velocities_are_those_of_the_positions() -> None:
    x = pack_series(straight_on(1.5), ACTIONS, ADULT_LEG_LENGTH_M)
    np.testing.assert_allclose(control_layout(ACTIONS).view(x, "trajectory.velocity")[0], [[0, 1.5]] * 12, atol=1e-5)


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
