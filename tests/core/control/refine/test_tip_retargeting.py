"""Cuts brought to targets with the tip of a blade that has its own bone, and the steps by which they get there."""

import numpy as np
import pytest

from footfall.core.control.refine.blow_retargeting import retarget_blow
from footfall.core.control.refine.tip_retargeting import BroydenSteps, retarget_strike
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.poses import puncher
from footfall.tests.support.swordsman import swordsman

CUT = swordsman()
(BLOW,) = LimbMotion.of(CUT, 0.0).blows
TIP = striking_places(CUT, BLOW.effector)[BLOW.apex]


def test_tips_are_at_all_targets_and_the_blade_keeps_its_motion_in_the_hand() -> None:
    targets = TIP + np.array([[0.0, 0.0, 0.0], [0.15, 0.05, -0.1], [-0.2, 0.0, 0.1], [0.0, 0.1, -0.3]])
    made = retarget_strike(CUT, BLOW, targets)
    assert made.reached.all() and made.misses.max() < 1e-3
    for number, target in enumerate(targets):
        clip = made.clip(number)
        np.testing.assert_allclose(striking_places(clip, BLOW.effector)[made.blow.apex], target, atol=1e-3)
        np.testing.assert_allclose(clip.rotations[:, -1], made.own.rotations[:, -1], atol=1e-9)


def test_a_target_out_of_reach_is_missed() -> None:
    made = retarget_strike(CUT, BLOW, TIP[None] + np.array([[0.0, -3.0, 0.0], [0.02, 0.0, 0.0]]))
    assert list(made.reached) == [False, True]
    assert made.misses[0] > 0.5


def test_hands_without_a_weapon_are_brought_as_before() -> None:
    punch = puncher(0.18)
    (blow,) = LimbMotion.of(punch, 0.0).blows
    target = striking_places(punch, blow.effector)[blow.apex][None] + 0.05
    for name in ("root_positions", "rotations", "misses"):
        np.testing.assert_array_equal(
            *(getattr(make(punch, blow, target), name) for make in (retarget_strike, retarget_blow))
        )


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.0])
def test_steps_settle_where_the_point_turns_with_its_place(turn: float) -> None:
    place, target, steps = np.zeros((1, 3)), np.array([[0.1, -0.2, 0.05]]), BroydenSteps(1)
    mixed = np.eye(3) + turn * np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.4]])
    for _ in range(16):
        place = place + steps.next(target - place @ mixed.T)
    np.testing.assert_allclose(place @ mixed.T, target, atol=2e-4)


def test_steps_learn_from_what_the_last_one_changed() -> None:
    """A point that moves half as far as its place comes to its target in three steps."""
    steps, left = BroydenSteps(1), np.array([[0.08, 0.0, 0.0]])
    made = []
    for _ in range(3):
        made.append(steps.next(left)[0, 0])
        left = left - 0.5 * np.array([[made[-1], 0.0, 0.0]])
    np.testing.assert_allclose(made, [0.08, 0.08, 0.0], atol=1e-12)
    np.testing.assert_allclose(left, 0.0, atol=1e-12)


def test_a_step_that_changed_nothing_is_made_again() -> None:
    steps, left = BroydenSteps(1), np.array([[0.05, 0.0, 0.0]])
    for _ in range(3):
        np.testing.assert_allclose(steps.next(left), [[0.05, 0.0, 0.0]])


def test_a_linear_response_is_learned_in_all_directions() -> None:
    response = np.array([[0.8, 0.3, 0.0], [-0.2, 0.7, 0.1], [0.0, 0.2, 1.1]])
    steps, left = BroydenSteps(1), np.array([0.05, -0.06, 0.04])
    for _ in range(12):
        left = left - response @ steps.next(left[None])[0]
    np.testing.assert_allclose(left, 0.0, atol=1e-6)
