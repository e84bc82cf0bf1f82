"""Hands that hold each other meet exactly where both arms reach."""

import numpy as np

from footfall.core.control.refine.joined_hands import join_hands, palm_distances
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


def test_the_other_arm_and_the_body_stay() -> None:
    pair = facing_pair(np.full(FRAMES, 0.25))
    first, second = join_hands(*pair, holds(60, 140))
    still = [
        joint for joint, name in enumerate(person().names) if not name.startswith(("lshoulder", "lelbow", "lwrist"))
    ]
    moved = np.abs(first.positions - pair[0].positions).max(axis=(0, 2))
    own = person().joint("forearm.L"), person().joint("hand.L")
    assert set(np.flatnonzero(moved > 1e-6)) <= {*own, *(j for j in range(len(person())) if j not in still)}
    assert np.abs(second.positions - pair[1].positions)[:, person().joint("hand.L")].max() < 1e-6


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


def test_without_holds_nothing_changes() -> None:
    pair = facing_pair(np.full(FRAMES, 0.3))
    for one, other in zip(join_hands(*pair, holds(0, 0)), pair, strict=True):
        assert one is other


def test_hands_that_are_let_go_of_long_before_another_hold_are_held_to_the_end() -> None:
    pair = facing_pair(np.full(FRAMES, 0.25))
    held = np.zeros((FRAMES, 4), dtype=bool)
    held[40:90, PAIR], held[100:160, HAND_PAIRS.index(("L", "L"))] = True, True
    assert palm_distances(*join_hands(*pair, held))[40:90, PAIR].max() < 1e-3
