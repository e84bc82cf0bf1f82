"""Steps between motions: the body goes over in closed forms, and feet step one after the other."""

import numpy as np
import pytest

from footfall.core.control.strike.guard_steps import settle_into, step_over
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_falloff, smooth_step
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import posed

CROUCHED = np.array([0.0, 0.0, 0.9])
STILL = posed(np.tile(CROUCHED, (60, 1)))
FEET = [STILL.skeleton.joint(f"foot.{side}") for side in "LR"]


def moved(clip: Clip, way: tuple[float, float, float] | Array) -> Clip:
    return clip.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.asarray(way))


def faded(frames: int) -> Array:
    """Share of the second clip in the last third."""
    return smooth_step((np.arange(frames) / (frames - 1) - 2 / 3) * 3)


def test_bodies_that_stand_go_over_by_a_quintic() -> None:
    there = moved(STILL, (0.0, 0.2, 0.0))
    made = settle_into(STILL, there, 0.5)
    assert len(made) == 120 and made.rate == 60.0
    share = 1.0 - smooth_falloff((np.arange(30) + 1) / 30)
    way = 0.2 * (share + faded(30) * (1.0 - share))
    np.testing.assert_allclose(made.root_positions[60:90, 1], way, atol=1e-9)
    np.testing.assert_array_equal(made.root_positions[:60], STILL.root_positions)
    np.testing.assert_array_equal(made.rotations[:60], STILL.rotations)
    np.testing.assert_array_equal(made.root_positions[90:], there.root_positions[30:])
    np.testing.assert_array_equal(made.rotations[90:], there.rotations[30:])


def foot_paths(way: float, seconds: Array, first: bool) -> Array:
    """Path (F, 2), ahead and up, of a foot that steps in the first or the second step."""
    begin, end = (0.05, 0.35) if first else (0.38, 0.68)
    share = smooth_step((seconds - begin) / (end - begin))
    lift = 0.06 * min(abs(way) / 0.25, 1.0) * np.sin(np.pi * share) ** 2
    return np.stack([way * share, lift], axis=1)


@pytest.mark.parametrize("way", [0.1, 0.16, -0.12])
@pytest.mark.parametrize("over", [False, True])
def test_feet_step_one_after_the_other_as_high_as_their_way_is_long(way: float, over: bool) -> None:
    there = moved(STILL, (0.0, way, 0.0))
    made = step_over(STILL, there) if over else settle_into(STILL, there, 0.8)
    assert len(made) == 120
    own = made.positions[60:92, FEET] - STILL.positions[:1, FEET]
    seconds = np.arange(32) / 60.0
    for column, first in ((1, True), (0, False)):  # the right foot, as both have the same way
        np.testing.assert_allclose(own[:, column, 1:], foot_paths(way, seconds, first), atol=1e-6)
        np.testing.assert_allclose(own[:, column, 0], 0.0, atol=1e-6)
    np.testing.assert_array_equal(made.root_positions[108:], there.root_positions[48:])
    np.testing.assert_array_equal(made.rotations[108:], there.rotations[48:])
