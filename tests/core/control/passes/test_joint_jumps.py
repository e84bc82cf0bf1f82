"""Jumps of joints are led from before to after; legs stay, and motion without jumps is left alone."""

from dataclasses import replace

import numpy as np

from footfall.core.control.passes import joint_jumps
from footfall.core.control.passes.joint_jumps import bridge_jumps
from footfall.core.motion.rotations import Array, from_axis_angle, inverse, log, multiply
from footfall.tests.support.walker import Walker, person

JUMP = 90
RATE = 60.0


def turned_from(frame: int, joint: int, angle: float) -> Array:
    """Local rotations of a walk in which a joint is turned by an angle from a frame on."""
    rotations = Walker(seconds=3.0).clip().rotations.copy()
    turn = from_axis_angle([0.0, 0.0, 1.0], angle)
    rotations[frame:, joint] = multiply(rotations[frame:, joint], turn)
    return rotations


def speeds(rotations: Array) -> Array:
    return np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1) * RATE


def test_an_arm_that_jumps_turns_over_a_quarter_of_a_second() -> None:
    joint = person().joint("upper_arm.L")
    clip = replace(Walker(seconds=3.0).clip(), rotations=turned_from(JUMP, joint, 2.5))
    assert speeds(clip.rotations[:, joint]).max() > 100.0
    result = bridge_jumps(clip)
    assert speeds(result.rotations[:, joint]).max() < joint_jumps.TUNING.max_speed
    reach = round(joint_jumps.TUNING.bridge * RATE) + 1
    kept = np.ones(len(clip), dtype=bool)
    kept[JUMP - reach : JUMP + reach] = False
    np.testing.assert_allclose(result.positions[kept], clip.positions[kept], atol=1e-9)


def test_under_hips_that_jump_feet_stay() -> None:
    clip = Walker(seconds=3.0).clip()
    hips = replace(clip, rotations=turned_from(JUMP, 0, 0.7))
    result = bridge_jumps(hips)
    ankles = [person().joint(f"foot.{side}") for side in "LR"]
    assert speeds(result.rotations[:, 0]).max() < joint_jumps.TUNING.max_speed
    np.testing.assert_allclose(result.positions[:, ankles], hips.positions[:, ankles], atol=0.02)
