"""Seated bodies that are some centimeters too low or too far back are moved onto the seat and off its back."""

import numpy as np
import pytest

from footfall.core.control.refine import seat_depenetration
from footfall.core.control.refine.seat_depenetration import depenetrate_seated
from footfall.core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import TRUNK_RADII_M, BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from footfall.tests.support.walker import Walker

ALLOWED_SEAT_DEPTH_M = 0.02
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
SEAT = 0.41
"""Meters: the seat height at which nothing penetrates."""


def sitter() -> Clip:
    """Return a body that sits still and upright, faces +Y and has upright shins."""
    walker = Walker(pause=1.5)
    still = np.flatnonzero(walker.resting)
    clip = walker.clip().cut(still[0], still[-1])
    ones = np.ones(len(clip))
    hips = clip.root_positions - [0.0, 0.35, 0.0]
    hips[:, 2] = SEAT + SEATED_HIP_HEIGHT_RATIO * clip.skeleton.leg_length
    feet = [
        EffectorGoal(f"foot.{side}", hips * [1, 1, 0] + [x, 0.4, 0.08], ones) for side, x in (("L", -0.1), ("R", 0.1))
    ]
    return solve_full_body_ik(clip, [EffectorGoal("hips", hips, ones), *feet])


SITTER = sitter()
BODY = BodyCapsules.from_skeleton(SITTER.skeleton)
ONES = np.ones(len(SITTER))
HIPS = SITTER.root_positions[0]
BEHIND = HIPS[1] - TRUNK_RADII_M["hips"]
"""Position of the flesh of the back of an upright body."""


def bench(high: float, *back: tuple[float, float, float]) -> AnimatedCollider:
    """Return a bench that is too high by some meters, and slabs of a back that penetrate the body's back."""
    lower, upper = [[-0.4, HIPS[1] - 0.2, SEAT - 0.05]], [[0.4, HIPS[1] + 0.25, SEAT + high]]
    for low, top, deep in back:
        lower.append([-0.4, BEHIND - 0.2, low])
        upper.append([0.4, BEHIND + deep, top])
    return AnimatedCollider.static(
        PosedCollider(Collider(np.array(lower), np.array(upper)), np.zeros(3), UPRIGHT), len(SITTER)
    )


def depth(clip: Clip, thing: AnimatedCollider, *roles: str) -> float:
    return float(BODY.sphere_penetrations(clip, thing)[:, BODY.sphere_indices(roles)].max())


def shift(made: Clip, role: str) -> Array:
    joint = SITTER.skeleton.joint(role)
    return made.positions[:, joint] - SITTER.positions[:, joint]


@pytest.mark.parametrize("high", [0.03, 0.04, 0.05])
def test_a_seat_that_is_too_high_raises_the_body(high: float) -> None:
    seat = bench(high)
    made = depenetrate_seated(SITTER, [seat], ONES)
    assert depth(SITTER, seat, "hips", "thigh") > high + 0.01
    assert ALLOWED_SEAT_DEPTH_M - 0.005 < depth(made, seat, "hips", "thigh") < ALLOWED_SEAT_DEPTH_M + 0.005, (
        "they sink in, but no deeper"
    )
    up = shift(made, "hips")
    assert np.abs(up[:, :2]).max() < 1e-6 and (up[:, 2] > 0.01).all()
    assert np.ptp(up, axis=0).max() < 1e-9, "who sits still still does"
    for side in "LR":
        np.testing.assert_allclose(shift(made, f"foot.{side}"), 0.0, atol=1e-6)


@pytest.mark.parametrize("deep", [0.03, 0.05])
def test_an_upright_backrest_pushes_the_body_forward(deep: float) -> None:
    back = bench(0.0, (SEAT + 0.2, SEAT + 0.7, deep))
    made = depenetrate_seated(SITTER, [back], ONES)
    assert (
        depth(SITTER, back, *TRUNK_RADII_M) > deep - 1e-6
        and depth(made, back, *TRUNK_RADII_M) < ALLOWED_SEAT_DEPTH_M + 0.002
    )
    ahead = shift(made, "hips")[:, 1]
    assert (ahead > deep - ALLOWED_SEAT_DEPTH_M - 0.005).all() and (shift(made, "neck")[:, 1] >= ahead - 1e-6).all()
    np.testing.assert_allclose(shift(made, "foot.L"), 0.0, atol=1e-6)


@pytest.mark.parametrize("deep", [0.03, 0.05, 0.08])
def test_a_back_that_leans_in_bends_the_trunk_at_its_foot(deep: float) -> None:
    head = float(SITTER.positions[0, SITTER.skeleton.joint("head"), 2])
    # Heads are thinner than hips.
    back = bench(-0.02, (head, head + 0.2, deep + TRUNK_RADII_M["hips"] - TRUNK_RADII_M["head"]))
    made = depenetrate_seated(SITTER, [back], ONES)
    assert (
        depth(SITTER, back, *TRUNK_RADII_M) > deep - 1e-6
        and depth(made, back, *TRUNK_RADII_M) < ALLOWED_SEAT_DEPTH_M + 0.002
    )
    np.testing.assert_allclose(shift(made, "hips"), 0.0, atol=1e-9)
    np.testing.assert_allclose(shift(made, "spine"), 0.0, atol=1e-9)
    leant = shift(made, "neck")
    assert (leant[:, 1] > 0.5 * (deep - ALLOWED_SEAT_DEPTH_M)).all() and (
        leant[:, 1] < seat_depenetration.TUNING.max_neck_forward
    ).all()
    assert np.abs(leant[:, 0]).max() < 1e-9 and (leant[:, 2] < 1e-9).all()


def test_a_sitting_body_is_raised_smoothly_and_only_while_it_sits() -> None:
    sits = np.where(np.arange(len(SITTER)) < len(SITTER) // 2, 0.0, 1.0)
    up = shift(depenetrate_seated(SITTER, [bench(0.04)], sits), "hips")[:, 2]
    assert up[:10].max() < 1e-6 and up[-10:].min() > 0.01
    assert np.diff(up).min() > -1e-5 and np.diff(up).max() * SITTER.rate < 0.5
