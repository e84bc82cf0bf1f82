"""The guard: a typical pose, held over feet that stay, and gone over to by steps without a jump."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.duel.guard import guard_distance, guard_pose, hold_guard, weapon_guard
from footfall.core.control.strike.guard_steps import settle_into
from footfall.core.control.strike.strike_takes import StrikeTake
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion.rotations import exp, inverse, log, multiply
from footfall.tests.support.poses import puncher


def take(seconds: float) -> StrikeTake:
    punch = puncher(seconds)
    (blow,) = LimbMotion.of(punch, 0.0).blows
    return StrikeTake.of(punch, blow, len(punch))


GUARD = guard_pose([take(0.16), take(0.18), take(0.2)])
FEET = [GUARD.skeleton.joint(f"foot.{side}") for side in "LR"]


def test_the_guard_is_a_pose_in_which_attacks_begin_over_the_origin() -> None:
    assert len(GUARD) == 1
    np.testing.assert_allclose(GUARD.positions[0, GUARD.skeleton.joint("hips"), :2], 0.0, atol=1e-9)
    assert guard_distance(take(0.18).clip.cut(0, 1), GUARD) < 0.01


def test_it_is_held_at_its_place_with_little_sway_over_feet_that_stay() -> None:
    held = hold_guard(GUARD, np.array([1.0, 2.0]), np.pi, 300)
    hips = held.positions[:, held.skeleton.joint("hips")]
    np.testing.assert_allclose(hips[0, :2], [1.0, 2.0], atol=1e-9)
    away = np.linalg.norm(hips - hips[0], axis=-1)
    assert 0.005 < away.max() < 0.03
    np.testing.assert_allclose(held.positions[:, FEET], held.positions[:1, FEET].repeat(300, axis=0), atol=2e-3)


def test_both_feet_step_into_another_guard_without_a_jump() -> None:
    here, there = (hold_guard(GUARD, np.array([0.0, y]), 0.0, 60) for y in (0.0, 0.4))
    made = settle_into(here, there, 0.6)
    assert len(made) == 120
    np.testing.assert_allclose(made.positions[96:], there.positions[36:], atol=1e-9)
    steps = np.linalg.norm(np.diff(made.positions, axis=0), axis=-1)
    assert steps[:, [0, *FEET]].max() < 0.07, "meters a frame"
    lifted = made.positions[60:96, FEET, 2] - here.positions[0, FEET, 2]
    assert (lifted.max(axis=0) > 0.03).all()
    assert abs(int(np.diff(lifted.argmax(axis=0))[0])) > 10, "one after the other"


def turned(one: StrikeTake, angle: float, both_hands: bool = False, effector: str = "") -> StrikeTake:
    """An attack whose chest is turned all the time."""
    rotations, chest = one.clip.rotations.copy(), one.clip.skeleton.joint("chest")
    rotations[:, chest] = multiply(rotations[:, chest], exp(np.array([0.0, 0.0, angle])))
    blow = replace(one.blow, effector=effector or one.blow.effector)
    return replace(one, clip=replace(one.clip, rotations=rotations), blow=blow, both_hands=both_hands)


ONE = take(0.18)


def chest_turn(pose: np.ndarray) -> float:
    """Angle by which a chest is turned against the first attack's."""
    chest = ONE.clip.skeleton.joint("chest")
    return float(log(multiply(inverse(ONE.clip.rotations[0, chest]), pose[0, chest]))[2])


def test_the_guard_with_a_weapon_is_of_cuts_with_its_upper_hand() -> None:
    own = turned(ONE, 0.4, True)
    others = [turned(ONE, 0.0), turned(ONE, 0.0, True, "hand.L"), turned(ONE, 0.0)]
    assert ONE.blow.effector == "hand.R"
    assert chest_turn(weapon_guard([*others, own], "hand.R").rotations) == pytest.approx(0.4)
    with pytest.raises(FootfallError, match="cannot use a two-handed weapon"):
        weapon_guard(others, "hand.R")
