"""The guard: a typical pose, held over feet that stay, and gone over to by steps without a jump."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.guard import guard_distance, guard_pose, hold_guard, weapon_guard
from footfall.core.control.combat.guard_steps import settle_into
from footfall.core.control.combat.strike_takes import StrikeTake
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion.rotations import Array, exp, inverse, log, multiply, rotation_about_up
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


def grown(seconds: Array) -> Array:
    """Share of the sway, which begins within eight tenths of a second."""
    share = np.clip(seconds / 0.8, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def test_the_hips_sway_aside_ahead_and_down_in_waves() -> None:
    held = hold_guard(GUARD, np.array([1.0, 2.0]), 0.4, 300)
    seconds = np.arange(300) / 60.0
    waves = [np.sin(2 * np.pi * hertz * seconds) for hertz in (0.37, 0.53, 0.9)]
    sway = np.stack([0.010 * waves[0], 0.014 * waves[1], -0.008 * waves[2] ** 2], axis=1) * grown(seconds)[:, None]
    start = GUARD.transformed(rotation_about_up(0.4), np.array([1.0, 2.0, 0.0])).root_positions
    np.testing.assert_allclose(held.root_positions, start + sway, atol=1e-12)


def test_the_trunk_bends_forward_as_it_breathes() -> None:
    held = hold_guard(GUARD, np.zeros(2), 0.4, 300)
    still = GUARD.transformed(rotation_about_up(0.4), np.zeros(3))
    seconds, chest = np.arange(300) / 60.0, GUARD.skeleton.joint("chest")
    angles = 0.025 * grown(seconds) * np.sin(2 * np.pi * 0.3 * seconds)
    turns = log(multiply(held.world[1][:, chest], inverse(still.world[1][0, chest])))
    np.testing.assert_allclose(turns, np.outer(angles, [np.cos(0.4), np.sin(0.4), 0.0]), atol=1e-9)
    hips = GUARD.skeleton.joint("hips")
    np.testing.assert_allclose(held.world[1][:, hips], still.world[1][:1, hips].repeat(300, 0), atol=1e-9)


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


def test_the_guard_is_the_pose_that_is_nearest_to_most() -> None:
    takes = [turned(ONE, angle) for angle in (0.0, 0.2, 0.25, 0.3, 1.5)]
    assert chest_turn(guard_pose(takes).rotations) == pytest.approx(0.25)


def test_feet_and_both_hands_do_not_count_unless_there_is_nothing_else() -> None:
    hands, others = [turned(ONE, 0.1)], [turned(ONE, 0.5, True), turned(ONE, 0.6, effector="foot.R")]
    assert chest_turn(guard_pose([*others, *hands, *others]).rotations) == pytest.approx(0.1)
    assert chest_turn(
        guard_pose([*others, turned(ONE, 0.61, True), turned(ONE, 0.62, True)]).rotations
    ) == pytest.approx(0.61)


def test_the_guard_with_a_weapon_is_of_cuts_with_its_upper_hand() -> None:
    own = turned(ONE, 0.4, True)
    others = [turned(ONE, 0.0), turned(ONE, 0.0, True, "hand.L"), turned(ONE, 0.0)]
    assert ONE.blow.effector == "hand.R"
    assert chest_turn(weapon_guard([*others, own], "hand.R").rotations) == pytest.approx(0.4)
    with pytest.raises(FootfallError, match="cannot use a two-handed weapon"):
        weapon_guard(others, "hand.R")


def test_the_distance_of_a_pose_is_the_mean_of_its_joints() -> None:
    still = GUARD.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([3.0, -1.0, 0.0]))
    assert guard_distance(still, GUARD) == pytest.approx(0.0, abs=1e-12)
    assert guard_distance(replace(still, root_positions=still.root_positions + np.array([0.0, 0.0, 0.1])), GUARD) == (
        pytest.approx(0.1)
    )
