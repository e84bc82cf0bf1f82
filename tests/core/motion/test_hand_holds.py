"""Hands that hold each other: two figures face to face whose hands come together and part."""

from dataclasses import replace

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import HAND_PAIRS, HOLD_DISTANCE_M, held_hands
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker, person

FRAMES = 240


def facing_pair(gaps: np.ndarray) -> tuple[Clip, Clip]:
    """Return two standing figures face to face; the second one's hands are `gaps` (F) in front of the first one's."""
    standing = Walker(seconds=1.0).clip().cut(0, 1)
    first = replace(
        standing,
        root_positions=np.repeat(standing.root_positions, len(gaps), axis=0),
        rotations=np.repeat(standing.rotations, len(gaps), axis=0),
    )
    turn = from_axis_angle([0.0, 0.0, 1.0], np.pi)
    rotations = first.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    second = replace(first, rotations=rotations)
    skeleton = person()
    mine, theirs = (clip.positions[:, skeleton.joint(hand)] for clip, hand in ((first, "hand.L"), (second, "hand.R")))
    shift = mine - theirs
    shift[:, 2] = 0.0
    forward = first.positions[0, skeleton.joint("toe.L")] - first.positions[0, skeleton.joint("foot.L")]
    forward[2] = 0.0
    shift += np.asarray(gaps)[:, None] * forward / np.linalg.norm(forward)
    return first, replace(second, root_positions=second.root_positions + shift)


def test_hands_hold_while_they_are_near() -> None:
    gaps = np.full(FRAMES, 0.8)
    gaps[60:180] = 0.1
    held = held_hands(*facing_pair(gaps))
    pair = held[:, HAND_PAIRS.index(("L", "R"))]
    assert pair[70:170].all() and not pair[:50].any() and not pair[190:].any()


def test_a_short_touch_is_no_hold_and_a_short_gap_ends_none() -> None:
    touch = np.full(FRAMES, 0.8)
    touch[100:108] = 0.1
    assert not held_hands(*facing_pair(touch)).any()
    gap = np.full(FRAMES, 0.1)
    gap[100:108] = 2 * HOLD_DISTANCE_M
    assert held_hands(*facing_pair(gap))[:, HAND_PAIRS.index(("L", "R"))].all()
