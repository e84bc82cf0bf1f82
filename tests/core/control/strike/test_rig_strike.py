"""Strikes on a rig's body: tips of limbs and weapons at their targets, and what is refused by how much."""

import numpy as np
import pytest
from scipy.optimize import brentq

from footfall.core.control.strike.rig_strike import RigStrike, require_apart, require_outside, solve_on_rig
from footfall.core.control.strike.strike_error import StrikeError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotate
from footfall.core.motion.weapons import striking_places
from footfall.core.scene.body_capsules import BodyCapsules
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


def test_a_target_out_of_reach_is_refused_with_the_distance() -> None:
    with pytest.raises(StrikeError, match=r"falls \d+\.\d cm short of its target") as told:
        solved(strike(WRIST + np.array([0.0, -1.5, 0.0]), np.zeros(3)))
    retold = told.value.retold(frame=96, effector="the right hand")
    assert str(retold).startswith("The strike with the right hand at frame 96 falls ")


def test_a_target_in_the_own_body_is_refused() -> None:
    chest = PUNCH.positions[BLOW.apex, PUNCH.skeleton.joint("spine")]
    with pytest.raises(StrikeError, match=r"is \d+\.\d cm inside the striking character"):
        require_outside(PUNCH, strike(chest, np.zeros(3)))
    require_outside(PUNCH, strike(WRIST, np.zeros(3)))
    with pytest.raises(StrikeError, match=r"is 10\.0 cm inside the striking character"):
        require_apart(np.zeros(2), 0.0, 1.0, strike(np.array([0.05, 0.0, 1.2]), np.zeros(3)))
    require_apart(np.zeros(2), 0.0, 1.0, strike(np.array([0.05, 0.0, 1.9]), np.zeros(3)))


@pytest.mark.parametrize(
    ("away", "height", "size", "depth"),
    [
        (0.149, 1.0, 1.0, "0.1"),
        (0.151, 1.0, 1.0, None),
        (0.149, 1.749, 1.0, "0.1"),
        (0.149, 1.751, 1.0, None),
        (0.2, 2.0, 2.0, "10.0"),
        (0.2, 3.6, 2.0, None),
        (0.0, -0.5, 1.0, "15.0"),
    ],
)
def test_a_target_in_the_body_at_its_start_is_refused(
    away: float, height: float, size: float, depth: str | None
) -> None:
    place, floor = np.array([3.0, 1.0]), 0.4
    wanted = strike(np.array([3.0 + 0.6 * away, 1.0 + 0.8 * away, floor + height]), np.zeros(3))
    if depth is None:
        require_apart(place, floor, size, wanted)
        return
    with pytest.raises(
        StrikeError,
        match=rf"target of the strike with hand\.R at frame {BLOW.apex} is {depth} cm inside the striking character",
    ):
        require_apart(place, floor, size, wanted)


def inside(clip: Clip, role: str, depth: float) -> Array:
    """A place behind a bone that is so deep in the body, meters."""
    capsules = BodyCapsules.from_skeleton(clip.skeleton)
    centers = capsules.sphere_centres(clip)[BLOW.apex]

    def deep(back: float) -> float:
        place = clip.positions[BLOW.apex, clip.skeleton.joint(role)] + back * np.array([0.0, 1.0, 0.0])
        return float((capsules.radii - np.linalg.norm(centers - place, axis=-1)).max())

    back = float(brentq(lambda one: deep(one) - depth, 0.0, 0.5, xtol=1e-12))
    return clip.positions[BLOW.apex, clip.skeleton.joint(role)] + back * np.array([0.0, 1.0, 0.0])


def test_a_weapon_in_both_hands_is_not_turned_against_them() -> None:
    tip = np.array([0.0, 0.0, 0.7])
    target = tips(PUNCH, tip)[BLOW.apex] + np.array([0.02, 0.0, -0.02])
    made = solved(strike(target, tip, both_hands=True))
    np.testing.assert_allclose(tips(made, tip)[BLOW.apex], target, atol=2e-3)
    np.testing.assert_allclose(made.rotations[:, HAND], PUNCH.rotations[:, HAND], atol=1e-9)
