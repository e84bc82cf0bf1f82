"""Hands that play a ball: arms that go over to holding it, and hands that come back from it with inertia."""

import numpy as np

from footfall.core.control.ball.ball_hands import ARM_PARTS, blend_arms, blend_take, lead_hands
from footfall.core.motion.rotations import exp, multiply
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=2.0).clip()
BODY, COUNT = CLIP.skeleton, len(CLIP)


def test_arms_hold_a_ball_and_nothing_else_does() -> None:
    holding = exp(np.full((len(BODY), 3), 0.3))
    weights = np.where(np.arange(COUNT) < 60, 0.0, 1.0)
    made = blend_arms(CLIP, holding, weights)
    arms = [BODY.roles[f"{part}.{side}"] for side in "LR" for part in ARM_PARTS if f"{part}.{side}" in BODY.roles]
    others = [joint for joint in range(len(BODY)) if joint not in arms]
    np.testing.assert_array_equal(made.rotations[:, others], CLIP.rotations[:, others])
    np.testing.assert_array_equal(made.rotations[:60], CLIP.rotations[:60])
    np.testing.assert_allclose(made.rotations[60:, arms], np.tile(holding[arms], (COUNT - 60, 1, 1)))


def test_hands_are_displaced_where_they_touch_and_by_themselves() -> None:
    contacts, moved = np.zeros((COUNT, 2), dtype=bool), np.full((COUNT, 2, 3), [0.0, 0.04, 0.05])
    contacts[40:60, 1] = True
    made = lead_hands(CLIP, moved, contacts)
    left, right = (made.positions[:, BODY.joint(f"hand.{side}")] for side in "LR")
    np.testing.assert_array_equal(left, CLIP.positions[:, BODY.joint("hand.L")])
    own = CLIP.positions[:, BODY.joint("hand.R")]
    np.testing.assert_allclose(right[40:60], own[40:60] + np.array([0.0, 0.04, 0.05]), atol=1e-6)
    np.testing.assert_allclose(right[-1], own[-1], atol=1e-4)


def test_a_body_follows_a_take_over_its_own_feet() -> None:
    """The take leans by 0.2 rad; in its middle the trunk does, and the feet stay throughout."""
    rotations, spine = CLIP.rotations[30:90].copy(), BODY.joint("spine")
    rotations[:, spine] = multiply(rotations[:, spine], exp(np.tile([0.2, 0.0, 0.0], (60, 1))))
    take = type(CLIP)(BODY, CLIP.rate, CLIP.root_positions[30:90], rotations)
    made = blend_take(CLIP, take, 30, (0.25, 0.25))
    np.testing.assert_allclose(made.rotations[60, spine], rotations[30, spine], atol=1e-9)
    outside = np.r_[0:30, 90:COUNT]
    np.testing.assert_array_equal(made.rotations[outside], CLIP.rotations[outside])
    for side in "LR":
        foot = BODY.joint(f"foot.{side}")
        np.testing.assert_allclose(made.positions[:, foot], CLIP.positions[:, foot], atol=1e-4)
