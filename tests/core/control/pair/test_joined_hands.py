"""Hands that hold each other meet exactly where both arms reach."""

import numpy as np

from footfall.core.control.pair.joined_hands import join_hands, palm_distances
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.core.motion.signals import velocities
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.support.walker import person

FRAMES = 200
PAIR = HAND_PAIRS.index(("L", "R"))


def holds(start: int, stop: int) -> np.ndarray:
    """The first character's left hand and the second's right one hold each other over some frames."""
    held = np.zeros((FRAMES, 4), dtype=bool)
    held[start:stop, PAIR] = True
    return held


def test_palms_meet_exactly_while_they_hold() -> None:
    pair, held = facing_pair(np.full(FRAMES, 0.25)), holds(60, 140)
    apart = palm_distances(*join_hands(*pair, held))[:, PAIR]
    assert apart[60:140].max() < 1e-6
    np.testing.assert_allclose(apart[[0, -1]], palm_distances(*pair)[[0, -1], PAIR], atol=1e-9)


def test_they_come_together_and_part_smoothly() -> None:
    pair = facing_pair(np.full(FRAMES, 0.25))
    first, _ = join_hands(*pair, holds(60, 140))
    hand = person().joint("hand.L")
    speeds = np.linalg.norm(velocities(first.positions[:, hand], first.rate), axis=-1)
    # An eighth of a meter in 0.35 s, along a quintic whose steepest slope is 1.875 of the mean.
    assert speeds.max() < 1.2
    assert speeds[70:130].max() < 0.01


def test_out_of_reach_both_arms_are_as_near_as_they_come() -> None:
    pair, held = facing_pair(np.full(FRAMES, 2.5)), holds(0, FRAMES)
    first, second = join_hands(*pair, held)
    shoulders = (first.positions[:, person().joint("upper_arm.L")], second.positions[:, person().joint("upper_arm.R")])
    wrists = (first.positions[:, person().joint("hand.L")], second.positions[:, person().joint("hand.R")])
    length = float(
        np.linalg.norm(person().offsets[[person().joint("forearm.L"), person().joint("hand.L")]], axis=-1).sum()
    )
    for shoulder, wrist in zip(shoulders, wrists, strict=True):
        assert (np.linalg.norm(wrist - shoulder, axis=-1) > 0.99 * length).all()
    assert (palm_distances(first, second)[:, PAIR] < palm_distances(*pair)[:, PAIR] - 0.5).all()
