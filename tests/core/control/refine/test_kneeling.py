"""Knees of bodies that lie down or get up."""

from dataclasses import replace

import numpy as np

from footfall.core.control.refine.kneeling import raise_kneeling, release_kneeling_feet
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.tests.support.walker import person

KNEE_HEIGHT_M = 0.05
COUNT = 120
BODY = person()
LEAST = KNEE_HEIGHT_M * BODY.leg_length


def sinking(deepest: float) -> Clip:
    """Return a body that sinks for two seconds until its knees are at a height, meters, and rises again."""
    rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (COUNT, len(BODY), 1))
    clip = Clip(BODY, 60.0, np.tile([0.0, 0.0, 1.0], (COUNT, 1)), rotations)
    height = knees(clip).min() - deepest
    sunk = height * np.sin(np.linspace(0.0, np.pi, COUNT)) ** 4
    return replace(clip, root_positions=clip.root_positions - sunk[:, None] * np.array([0.0, 0.0, 1.0]))


def knees(clip: Clip) -> Array:
    """Return the heights (F) of the lower knee, m."""
    return clip.positions[:, [clip.skeleton.joint(f"shin.{side}") for side in "LR"], 2].min(axis=1)


def test_knees_that_would_be_in_the_ground_stay_on_it_without_a_jump() -> None:
    sunk = sinking(-0.1)
    raised = raise_kneeling(sunk, np.ones(COUNT))
    assert knees(sunk).min() < -0.09 and knees(raised).min() > LEAST - 0.01
    np.testing.assert_array_equal(raised.root_positions[:, :2], sunk.root_positions[:, :2])
    np.testing.assert_array_equal(raised.rotations, sunk.rotations)
    rise = raised.root_positions[:, 2] - sunk.root_positions[:, 2]
    assert rise[0] == rise[-1] == 0.0 and np.abs(np.diff(rise, 2)).max() < 0.01


def test_a_foot_is_released_while_its_knee_kneels() -> None:
    contacts, lying = np.ones((COUNT, 4)), np.ones(COUNT)
    released = release_kneeling_feet(contacts, sinking(0.05), lying)
    assert released[COUNT // 2].max() == 0.0 and released[[0, -1]].min() == 1.0
    np.testing.assert_array_equal(release_kneeling_feet(contacts, sinking(0.05), np.zeros(COUNT)), contacts)
    np.testing.assert_array_equal(release_kneeling_feet(contacts, sinking(0.3), lying), contacts)
