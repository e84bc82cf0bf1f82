"""Elbows of holding arms swivel out of obstacles; hands and shoulders stay in place."""

import numpy as np
import pytest

from footfall.core.control.passes.elbow_swivel import swivel_elbow
from footfall.core.motion import Clip
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider
from footfall.core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from footfall.tests.support.walker import Walker

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def holding() -> Clip:
    """Return a walk with both hands in front, at the height of the elbows."""
    clip = Walker(speed=1.0, seconds=2.0).clip()
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    ahead = clip.positions[:, clip.skeleton.joint("toe.L")] - clip.positions[:, clip.skeleton.joint("foot.L")]
    ahead = ahead * [1.0, 1.0, 0.0] / np.linalg.norm(ahead[:, :2], axis=1, keepdims=True)
    right = ahead[:, [1, 0, 2]] * [1.0, -1.0, 0.0]
    ones = np.ones(len(clip))
    goals = [
        EffectorGoal(f"hand.{side}", hips + 0.3 * ahead + sign * 0.2 * right + [0.0, 0.0, 0.2], ones)
        for side, sign in (("L", -1.0), ("R", 1.0))
    ]
    return solve_full_body_ik(clip, goals)


CLIP = holding()
BODY = BodyCapsules.from_skeleton(CLIP.skeleton)
FREE = [np.zeros((len(CLIP), len(BODY.radii)), dtype=bool)]
ARM = BODY.sphere_indices(("upper_arm.L", "forearm.L"))


def post(share: float, aside: float = 0.0) -> AnimatedCollider:
    """Return a post that moves along in the left arm, at a share of the distance from the shoulder to the elbow."""
    shoulder, elbow = (CLIP.positions[:, CLIP.skeleton.joint(f"{part}.L")] for part in ("upper_arm", "forearm"))
    where = shoulder + share * (elbow - shoulder) + np.array([0.0, 0.0, aside])
    half = np.array([0.02, 0.02, 0.06])
    return AnimatedCollider(Collider(-half[None], half[None]), where, np.tile(UPRIGHT, (len(CLIP), 1)))


@pytest.mark.parametrize("share", [0.8, 1.0])
def test_an_elbow_turns_out_and_hand_shoulder_and_bones_stay(share: float) -> None:
    thing, stays = post(share), np.ones(len(CLIP))
    made = swivel_elbow(BODY, CLIP, [thing], FREE, "L", stays)
    before, after = (BODY.sphere_penetrations(one, thing, ARM).max() for one in (CLIP, made))
    assert before > 0.03 and after < 0.03
    for part in ("upper_arm.L", "hand.L", "hand.R", "foot.L"):
        joint = CLIP.skeleton.joint(part)
        np.testing.assert_allclose(made.positions[:, joint], CLIP.positions[:, joint], atol=1e-9)
    np.testing.assert_array_equal(made.skeleton.offsets, CLIP.skeleton.offsets)
    speeds = np.linalg.norm(np.diff(made.positions - CLIP.positions, axis=0), axis=-1) * made.rate
    assert speeds.max() < 2.0, "smoothly"


def test_arms_that_are_empty_or_free_of_obstacles_are_skipped() -> None:
    assert swivel_elbow(BODY, CLIP, [post(1.0)], FREE, "L", np.zeros(len(CLIP))) is CLIP
    assert swivel_elbow(BODY, CLIP, [post(1.0, 0.8)], FREE, "L", np.ones(len(CLIP))) is CLIP
    spared = [np.ones_like(FREE[0])]
    assert swivel_elbow(BODY, CLIP, [post(1.0)], spared, "L", np.ones(len(CLIP))) is CLIP
