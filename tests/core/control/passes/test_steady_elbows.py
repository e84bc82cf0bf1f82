"""Elbows that change sides at once are led over while hands stay where they are."""

from dataclasses import replace

import numpy as np

from footfall.core.control.passes.steady_elbows import steady_elbows
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import from_axis_angle, multiply, normalize
from footfall.tests.support.walker import Walker, person

FLIP = 60
ARM = [person().joint(f"{part}.L") for part in ("upper_arm", "forearm", "hand")]


def bent_walk() -> Clip:
    """A walk whose left elbow is bent by a right angle."""
    clip = Walker(seconds=2.0).clip()
    rotations = clip.rotations.copy()
    rotations[:, ARM[1]] = multiply(rotations[:, ARM[1]], from_axis_angle([0.0, 0.0, 1.0], np.pi / 2))
    return replace(clip, rotations=rotations)


def flipped() -> Clip:
    """The same, with the elbow on the other side of the line from shoulder to wrist from a frame on."""
    clip = bent_walk()
    rotations = clip.world[1].copy()
    axis = normalize(clip.positions[:, ARM[2]] - clip.positions[:, ARM[0]])
    turn = from_axis_angle(axis, np.where(np.arange(len(clip)) < FLIP, 0.0, 2.8))
    for joint in ARM[:2]:
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def elbow_speed(clip: Clip) -> float:
    return float(np.linalg.norm(np.diff(clip.positions[:, ARM[1]], axis=0), axis=-1).max()) * clip.rate


def test_an_elbow_that_flips_swings_over_and_the_wrist_stays() -> None:
    clip = flipped()
    steady = steady_elbows(clip)
    assert elbow_speed(clip) > 15.0 and elbow_speed(steady) < 5.0
    np.testing.assert_allclose(steady.positions[:, ARM[2]], clip.positions[:, ARM[2]], atol=1e-9)
    kept = np.abs(np.arange(len(clip)) - FLIP) > 45
    np.testing.assert_allclose(steady.positions[kept], clip.positions[kept], atol=1e-3)


def test_a_straight_arm_stays_although_its_swivel_turns_over_within_a_frame() -> None:
    clip = Walker(seconds=2.0).clip()
    turns = clip.rotations.copy()
    bend = np.deg2rad(np.where(np.arange(len(clip)) < FLIP, 1.0, -1.0))
    turns[:, ARM[1]] = multiply(turns[:, ARM[1]], from_axis_angle([0.0, 0.0, 1.0], bend))
    straight = replace(clip, rotations=turns)
    assert steady_elbows(straight) is straight
