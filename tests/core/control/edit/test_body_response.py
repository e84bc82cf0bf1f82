"""A body goes with its posed joints: learned from clips, read from a file."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from footfall.core.control.edit.body_response import (
    RESPONSE_ROLES,
    BodyResponse,
    learn_response,
)
from footfall.core.control.edit.key_pose import kept_joints
from footfall.core.motion import Clip
from footfall.core.motion.rotations import exp, length, log, multiply
from footfall.tests.support.walker import Walker

POSE = Walker().clip().cut(0, 1)
STAND = Clip(POSE.skeleton, 10.0, np.repeat(POSE.root_positions, 200, 0), np.repeat(POSE.rotations, 200, 0))
BODY = STAND.skeleton


def nodding() -> Clip:
    """A body that turns the upper arms in the world by half of what the head turns, slowly."""
    angle = 0.6 * np.sin(np.linspace(0.0, 4 * np.pi, len(STAND)))
    rotations = STAND.rotations.copy()
    for role, share in (("head", 1.0), ("upper_arm.L", 0.5), ("upper_arm.R", 0.5)):
        joint = BODY.joint(role)
        turn = exp(share * angle[:, None] * [0.0, 0.0, 1.0])
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return replace(STAND, rotations=rotations)


def test_an_arm_goes_with_the_head_as_it_went_in_the_clip() -> None:
    clip = nodding()
    response = learn_response([clip])
    before = STAND.cut(0, 1)
    rotations = before.rotations.copy()
    head = BODY.joint("head")
    rotations[:, head] = multiply(exp(np.array([[0.0, 0.0, 0.4]])), rotations[:, head])
    posed = replace(before, rotations=rotations)
    answered = response.answer(before, posed, kept_joints(BODY, [head]))
    np.testing.assert_allclose(answered.positions[0, head], posed.positions[0, head], atol=1e-9)
    for side in "LR":
        joint = BODY.joint(f"upper_arm.{side}")
        turn = log(multiply(answered.world[1][0, joint], before.world[1][0, joint] * [1, -1, -1, -1]))
        assert 0.1 < float(length(turn)) <= 0.21, "half of what the head turned, less what means nothing"


def test_an_arm_does_not_go_with_the_other_one() -> None:
    response = learn_response([nodding()])
    before = STAND.cut(0, 1)
    rotations = before.rotations.copy()
    joint = BODY.joint("upper_arm.L")
    rotations[:, joint] = multiply(exp(np.array([[0.0, 0.0, 0.4]])), rotations[:, joint])
    posed = replace(before, rotations=rotations)
    answered = response.answer(before, posed, kept_joints(BODY, [joint]))
    other = BODY.joint("hand.R")
    np.testing.assert_allclose(answered.positions[0, other], before.positions[0, other], atol=1e-9)


def test_a_response_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "one.npz"
    learn_response([nodding()]).save(file)
    np.testing.assert_allclose(BodyResponse.load(file).covariance, learn_response([nodding()]).covariance)


def test_an_answer_is_the_mean_of_a_conditional_gaussian_with_noise() -> None:
    """Of a covariance s^2 between head and neck alone: s^2 / (s^2 + 0.15^2) of what the head turns."""
    size, (neck, head) = 3 * len(RESPONSE_ROLES), (3 * RESPONSE_ROLES.index(role) for role in ("neck", "head"))
    covariance = np.zeros((size, size))
    for row in (neck, head):
        for column in (neck, head):
            covariance[row : row + 3, column : column + 3] = 0.2**2 * np.eye(3)
    before, joint = STAND.cut(0, 1), BODY.joint("head")
    rotations = before.rotations.copy()
    rotations[:, joint] = multiply(exp(np.array([[0.0, 0.0, 0.4]])), rotations[:, joint])
    answered = BodyResponse(covariance).answer(
        before, replace(before, rotations=rotations), np.arange(len(BODY)) == joint
    )
    turn = log(
        multiply(answered.world[1][0, BODY.joint("neck")], before.world[1][0, BODY.joint("neck")] * [1, -1, -1, -1])
    )
    np.testing.assert_allclose(turn, [0.0, 0.0, 0.4 * 0.04 / (0.04 + 0.0225)], atol=1e-6)
