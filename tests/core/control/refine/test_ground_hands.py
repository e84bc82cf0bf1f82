"""Hands on the ground: none goes into it, and those that touch it stay where they are."""

from dataclasses import replace

import numpy as np

from footfall.core.control.refine.ground_hands import hand_goals_on_ground, raise_hands
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.scene.full_body_ik import EffectorGoal
from footfall.tests.support.walker import person

COUNT, RATE = 120, 60.0
BODY = person()


def at_height(hands: Array) -> Clip:
    """A body with its arms out to both sides, whose wrists are at heights (F), meters."""
    rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (COUNT, len(BODY), 1))
    clip = Clip(BODY, RATE, np.zeros((COUNT, 3)), rotations)
    lowest = clip.positions[0, BODY.joint("hand.L"), 2]
    return replace(clip, root_positions=np.column_stack([np.zeros((COUNT, 2)), hands - lowest]))


def wrist(clip: Clip, side: str) -> Array:
    return clip.positions[:, BODY.joint(f"hand.{side}")]


def drifting(clip: Clip, meters: float) -> Clip:
    """The same body, which goes ahead by a distance in all."""
    away = np.linspace(0.0, meters, COUNT)[:, None] * [0.0, 1.0, 0.0]
    return replace(clip, root_positions=clip.root_positions + away)


def goals(clip: Clip, first: int, stop: int) -> list[EffectorGoal]:
    """The goals of a left hand that touches the ground in some frames."""
    touches = np.zeros((COUNT, 2), dtype=bool)
    touches[first:stop, 0] = True
    return list(hand_goals_on_ground(clip, touches))


def test_they_come_up_gradually_before_the_ground_and_not_long_before() -> None:
    """A lift of 8 cm that is held for 16 frames around, and smoothed by a Gaussian of 4 frames."""
    deep = np.where(np.abs(np.arange(COUNT) - 60) < 1, -0.05, 0.2)
    lift = wrist(raise_hands(at_height(deep)), "L")[:, 2] - deep
    np.testing.assert_allclose(lift[[60, 44, 76]], [0.08, 0.045, 0.045], atol=2e-3)
    np.testing.assert_allclose(lift[[27, 93]], 0.0, atol=1e-6)
    assert np.abs(np.diff(lift)).max() < 0.01


def test_a_hand_that_touches_the_ground_is_held_at_the_middle_of_where_it_is() -> None:
    clip = drifting(at_height(np.full(COUNT, 0.03)), 0.1)
    (goal,) = goals(clip, 30, 90)
    place = np.median(wrist(clip, "L")[30:90, :2], axis=0)
    np.testing.assert_allclose(goal.positions[46:74, :2], np.tile(place, (28, 1)), atol=1e-6)
    np.testing.assert_allclose(goal.positions[:, 2], wrist(clip, "L")[:, 2], atol=1e-9)
    np.testing.assert_allclose(goal.positions[[0, 10, -10, -1]], wrist(clip, "L")[[0, 10, -10, -1]], atol=1e-6)
    np.testing.assert_array_equal(goal.weights, 1.0)
    assert goal.role == "hand.L"
