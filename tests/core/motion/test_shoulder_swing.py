"""Shoulder blades that swing as far as a leg needs to reach."""

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.paws import LegChain
from footfall.core.motion.rotations import IDENTITY
from footfall.core.motion.shoulder_swing import MAX_SWING_RAD, REACH_RATIO, swing_shoulder

BLADE_M, LEG_M = 0.15, 0.3


def straight_leg() -> tuple[Skeleton, LegChain]:
    """A front leg of two bones below a blade, straight down; it ends in its tip."""
    names = ("chest", "blade", "thigh", "shin")
    offsets = np.array([[0, 0, 0], [0, 0, 0], [0, 0, -BLADE_M], [0, 0, -LEG_M / 2]], dtype=float)
    roles = {"chest": 0, "front_shoulder.L": 1, "front_thigh.L": 2, "front_shin.L": 3}
    tips = np.zeros((4, 3))
    tips[3, 2] = -LEG_M / 2
    skeleton = Skeleton(names, (-1, 0, 1, 2), offsets, tips, roles)
    return skeleton, LegChain((2, 3), tips[3], None)


def swung(target: tuple[float, float, float]) -> tuple[Clip, np.ndarray]:
    """The leg at rest, and where its joints are after the blade has swung."""
    skeleton, leg = straight_leg()
    clip = Clip(skeleton, 60.0, np.zeros((1, 3)), np.tile(IDENTITY, (1, 4, 1)))
    positions, rotations = (array.copy() for array in clip.world)
    swing_shoulder(positions, rotations, skeleton, leg, np.array([target]))
    return clip, positions


def test_a_blade_swings_toward_a_paw_that_is_out_of_reach() -> None:
    clip, positions = swung((0.0, -0.25, -0.38))
    paw = np.array([0.0, -0.25, -0.38])
    before, after = (np.linalg.norm(paw - joints[0, 2]) for joints in (clip.positions, positions))
    assert before > LEG_M > REACH_RATIO * LEG_M
    assert after < before - 0.015
    assert np.linalg.norm(positions[0, 2] - positions[0, 1]) == pytest.approx(BLADE_M), "the blade keeps its length"
    assert np.linalg.norm(positions[0, 3] - positions[0, 2]) == pytest.approx(LEG_M / 2), "and the leg goes along"


def test_a_blade_rests_where_the_leg_reaches_and_swings_no_farther_than_it_can() -> None:
    clip, positions = swung((0.0, -0.1, -0.4))
    assert np.array_equal(positions, clip.positions)
    _, far = swung((0.0, -3.0, -0.4))
    turned = np.arccos((far[0, 2] - far[0, 1]) @ [0.0, 0.0, -1.0] / BLADE_M)
    assert turned == pytest.approx(MAX_SWING_RAD)
