"""Cuts brought to targets with the tip of a blade that has its own bone, and the steps by which they get there."""

import numpy as np

from footfall.core.control.strike.tip_retargeting import retarget_strike
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion.weapons import striking_places
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
