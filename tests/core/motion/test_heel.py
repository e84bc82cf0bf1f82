"""The heel of feet that stand and roll, where it is known exactly."""

import numpy as np
import pytest

from footfall.core.motion.clip import Clip
from footfall.core.motion.heel import heel_offset, heel_positions
from footfall.core.motion.rotations import IDENTITY, Array, from_axis_angle, rotate
from footfall.tests.support.walker import person

FRAMES = 60


def standing(pitch: Array | float = 0.0, scale: float = 1.0, speed: float = 0.0) -> Clip:
    """A body at rest whose left foot is pitched by angles (F), its toes down; it glides forward at a speed, m/s."""
    skeleton = person(scale)
    rotations = np.tile(IDENTITY, (FRAMES, len(skeleton), 1))
    rotations[:, skeleton.roles["foot.L"]] = from_axis_angle([1.0, 0.0, 0.0], pitch * np.ones(FRAMES))
    roots = np.zeros((FRAMES, 3))
    roots[:, 1], roots[:, 2] = -speed * np.arange(FRAMES) / 60, scale
    return Clip(skeleton, 60.0, roots, rotations)


FOOT, TOE = (person().roles[role] for role in ("foot.L", "toe.L"))


def test_the_heel_goes_with_the_foot() -> None:
    """A foot that lies flat for half of the time and is then raised: the heel is where it was when it was flat."""
    pitch = np.where(np.arange(FRAMES) < 30, 0.0, 1.0)
    clip = standing(pitch)
    offset = np.array([0.0, 0.039, -0.075])
    assert heel_offset(clip, FOOT, TOE) == pytest.approx(offset, abs=1e-12)
    turned = rotate(clip.world[1][:, FOOT], np.broadcast_to(offset, (FRAMES, 3)))
    np.testing.assert_allclose(heel_positions(clip, FOOT, TOE), clip.positions[:, FOOT] + turned, atol=1e-12)


def test_on_rough_ground_the_same_body_on_level_ground_shows_where_the_heel_is() -> None:
    rough, level = standing(0.7), standing()
    turned = rotate(rough.world[1][:, FOOT], np.tile([0.0, 0.039, -0.075], (FRAMES, 1)))
    np.testing.assert_allclose(heel_positions(rough, FOOT, TOE, level), rough.positions[:, FOOT] + turned, atol=1e-12)
    assert np.abs(heel_positions(rough, FOOT, TOE) - heel_positions(rough, FOOT, TOE, level)).max() > 0.02
