"""Strikes on a rig's body: tips of limbs and weapons at their targets, and what is refused by how much."""

import numpy as np
import pytest

from footfall.core.control.combat.rig_strike import RigStrike, require_apart, require_outside, solve_on_rig
from footfall.core.control.combat.strike_error import StrikeError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotate
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.poses import puncher
from footfall.tests.support.swordsman import swordsman

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
WRIST = blow_targets(PUNCH, [BLOW])[0]
HAND = PUNCH.skeleton.joint(BLOW.effector)


def tips(clip: Clip, tip: Array) -> Array:
    """Places (F, 3) of a point of the hand."""
    return clip.positions[:, HAND] + rotate(clip.world[1][:, HAND], np.broadcast_to(tip, (len(clip), 3)))


def strike(target: Array, tip: Array, both_hands: bool = False) -> RigStrike:
    return RigStrike(BLOW.apex, target, BLOW.effector, tip, both_hands)


def solved(wanted: RigStrike) -> Clip:
    return solve_on_rig(PUNCH, wanted, BLOW.start, BLOW.stop).clip


def test_knuckles_are_at_the_target_on_the_frame() -> None:
    tip = 0.09 * np.array([0.0, 1.0, 0.0])
    target = tips(PUNCH, tip)[BLOW.apex] + np.array([0.04, -0.03, -0.05])
    made = solved(strike(target, tip))
    np.testing.assert_allclose(tips(made, tip)[BLOW.apex], target, atol=1e-3)
    np.testing.assert_array_equal(made.rotations[0], PUNCH.rotations[0])


@pytest.mark.parametrize("grip", [(0.0, 0.0, 0.7), (0.5, 0.0, 0.5), (0.0, -0.3, 0.6)])
def test_a_weapon_points_at_the_target(grip: tuple[float, float, float]) -> None:
    tip, shoulder = np.array(grip), PUNCH.positions[BLOW.apex, PUNCH.skeleton.joint("upper_arm.R")]
    way = (WRIST - shoulder) / np.linalg.norm(WRIST - shoulder)
    target = WRIST + np.linalg.norm(tip) * way + np.array([0.03, 0.0, -0.04])
    made = solved(strike(target, tip))
    np.testing.assert_allclose(tips(made, tip)[BLOW.apex], target, atol=2e-3)
    blade = tips(made, tip)[BLOW.apex] - made.positions[BLOW.apex, HAND]
    before = rotate(PUNCH.world[1][BLOW.apex, HAND], tip)
    assert blade @ way > before @ way, "it points farther ahead than it was held"
    np.testing.assert_allclose(made.rotations[-1], PUNCH.rotations[-1], atol=1e-9)


def test_the_tip_of_a_weapon_with_a_bone_is_at_the_target_as_the_bone_is_turned_then() -> None:
    cut = swordsman(0.08)
    (blow,) = LimbMotion.of(cut, 0.0).blows
    target = striking_places(cut, "hand.R")[blow.apex] + np.array([0.1, -0.05, -0.08])
    made = solve_on_rig(cut, RigStrike(blow.apex, target, "hand.R", np.zeros(3)), blow.start, blow.stop).clip
    np.testing.assert_allclose(striking_places(made, "hand.R")[blow.apex], target, atol=1e-3)
    np.testing.assert_allclose(made.rotations[:, -1], cut.rotations[:, -1], atol=1e-12)


def test_a_target_out_of_reach_is_told_by_how_much() -> None:
    with pytest.raises(StrikeError, match=r"falls \d+\.\d cm short of its target") as told:
        solved(strike(WRIST + np.array([0.0, -1.5, 0.0]), np.zeros(3)))
    retold = told.value.retold(frame=96, effector="the right hand")
    assert str(retold).startswith("The strike of the right hand at frame 96 falls ")


def test_a_target_in_the_own_body_is_told() -> None:
    chest = PUNCH.positions[BLOW.apex, PUNCH.skeleton.joint("spine")]
    with pytest.raises(StrikeError, match=r"\d+\.\d cm inside the body that strikes"):
        require_outside(PUNCH, strike(chest, np.zeros(3)))
    require_outside(PUNCH, strike(WRIST, np.zeros(3)))
    with pytest.raises(StrikeError, match=r"10\.0 cm inside the body that strikes"):
        require_apart(np.zeros(2), 0.0, 1.0, strike(np.array([0.05, 0.0, 1.2]), np.zeros(3)))
    require_apart(np.zeros(2), 0.0, 1.0, strike(np.array([0.05, 0.0, 1.9]), np.zeros(3)))
