"""Inertialization: a clip begins with the pose and velocity of another, and becomes itself."""

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.inertialization import DECAY_RATE_HZ, decayed, inertialized
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import person

BODY = person()


def moving(start: float, speed: float, frames: int = 120) -> Clip:
    """Goes along x and turns its hips, both from a start and at a speed."""
    along = start + speed * np.arange(frames) / 60
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(BODY), 1))
    rotations[:, 0] = from_axis_angle([0.0, 0.0, 1.0], along)
    return Clip(BODY, 60.0, np.stack([along, 0 * along, 1 + 0 * along], axis=1), rotations)


def test_it_begins_where_the_other_goes_and_as_fast() -> None:
    before, after = moving(0.0, 0.6), moving(1.0, 0.0)
    made = inertialized(before, after)
    places = np.concatenate([before.root_positions[-3:], made.root_positions])[:, 0]
    steps = np.diff(places)
    np.testing.assert_allclose(steps[:2], 0.01, atol=1e-12)
    decay = DECAY_RATE_HZ / 60
    offset = before.root_positions[-1, 0] + 0.01 - 1.0
    assert places[3] - 1.0 == pytest.approx(offset)
    assert places[4] - 1.0 == pytest.approx((offset + (0.01 + decay * offset)) * np.exp(-decay))
    np.testing.assert_allclose(made.root_positions[-1], after.root_positions[-1], atol=1e-3)
    np.testing.assert_allclose(np.abs(np.sum(made.rotations[-1] * after.rotations[-1], axis=-1)), 1.0, atol=1e-6)


def test_a_turn_goes_on_and_decays_as_a_place_does() -> None:
    before, after = moving(0.0, 0.6), moving(1.0, 0.0)
    made = inertialized(before, after)
    turned = 2 * np.arctan2(made.rotations[:, 0, 3], made.rotations[:, 0, 0])
    np.testing.assert_allclose(turned, made.root_positions[:, 0], atol=1e-9)
    assert turned[0] == pytest.approx(before.root_positions[-1, 0] + 0.01)


def test_the_speed_of_the_clip_itself_is_none_of_the_offset() -> None:
    """Both go at 0.6 m/s from places that are apart by half a meter: only the gap between them decays."""
    before, after = moving(0.0, 0.6), moving(1.71, 0.6)
    made = inertialized(before, after)
    gap = made.root_positions[:, 0] - after.root_positions[:, 0]
    times = np.arange(120) / 60
    offset = before.root_positions[-1, 0] + 0.01 - 1.71
    np.testing.assert_allclose(gap, decayed(np.array(offset), np.array(0.0), times), atol=1e-12)
