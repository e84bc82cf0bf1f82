"""Feet that are dragged to another place step there, as high as their way is long; none is in the ground."""

import numpy as np
import pytest

from footfall.core.control.strike.lifted_feet import with_lifted_feet
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from footfall.core.motion.rotations import Array
from footfall.tests.support.walker import person

FRAMES, RATE = 120, 60.0
FIRST, STOP = 40, 64
"""Frames in which the foot is on its way."""


def track(way: float, height: float = 0.0) -> Array:
    """The ball of a foot that goes so far ahead, and is so much higher half way."""
    share = np.clip((np.arange(FRAMES) - FIRST) / (STOP - FIRST), 0.0, 1.0)
    return np.column_stack([np.zeros(FRAMES), -way * share, 0.035 + height * np.sin(np.pi * share)])


def dragged(way: float, scale: float = 1.0) -> Clip:
    """A person that stands, and drags its left foot ahead."""
    skeleton = person(scale)
    still = Clip(
        skeleton,
        RATE,
        np.tile([0.0, 0.0, 0.95 * scale], (FRAMES, 1)),
        np.tile([1.0, 0, 0, 0], (FRAMES, len(skeleton), 1)),
    )
    positions, rotations = (values.copy() for values in still.world)
    for side, ahead in (("L", scale * track(way)[:, 1]), ("R", 0.0)):
        leg = Leg.of(skeleton, side)
        target = positions[:, leg.foot] * [1.0, 1.0, 0.0] + [0.0, 0.0, 0.08 * scale]
        target[:, 1] += ahead
        solve_leg_ik(skeleton, positions, rotations, leg, target)
    return with_world_rotations(still, still.root_positions, rotations)


def test_a_dragged_foot_is_raised_and_the_other_one_stays() -> None:
    clip = dragged(0.2)
    made = with_lifted_feet(clip)
    left, right = Leg.of(clip.skeleton, "L"), Leg.of(clip.skeleton, "R")
    rise = (made.positions - clip.positions)[:, left.foot]
    np.testing.assert_allclose(rise[:, :2], 0.0, atol=1e-9)
    assert rise[:, 2].max() == pytest.approx(0.048)
    np.testing.assert_allclose(made.positions[:, right.toe], clip.positions[:, right.toe], atol=1e-12)
    np.testing.assert_allclose(made.rotations[: FIRST - 4], clip.rotations[: FIRST - 4], atol=1e-12)
    np.testing.assert_allclose(made.world[1][:, left.foot], clip.world[1][:, left.foot], atol=1e-12)
