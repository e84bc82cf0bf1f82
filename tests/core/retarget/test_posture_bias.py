"""Trunks that lean back and arms that never bend, because the upper body of a capture is an estimate."""

import numpy as np
import pytest

from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import from_axis_angle, multiply, rotate
from footfall.core.retarget.posture_bias import (
    PEOPLE_ARM_DEG,
    PEOPLE_FLEXION_DEG,
    PEOPLE_LEAN_DEG,
    PostureCorrection,
    correct_posture,
    posture_correction,
    posture_samples,
)
from footfall.tests.support.walker import Walker

PEOPLE = (PEOPLE_LEAN_DEG, PEOPLE_ARM_DEG, PEOPLE_FLEXION_DEG)


@pytest.fixture(scope="module")
def walker() -> Clip:
    """Return a walk whose elbows swing by 20 degrees about one hinge."""
    clip = Walker(speed=1.2).clip()
    world = clip.world[1].copy()
    axis = rotate(world[:, clip.skeleton.joint("hips")], np.array([1.0, 0.0, 0.0]))
    for side in "LR":
        bend = np.radians(30.0 + 20.0 * np.sin(2 * np.pi * np.arange(len(clip)) / clip.rate))
        turn = from_axis_angle(axis, bend)
        for role in ("forearm", "hand"):
            joint = clip.skeleton.joint(f"{role}.{side}")
            world[:, joint] = multiply(turn, world[:, joint])
    return with_world_rotations(clip, clip.root_positions, world)


@pytest.fixture(scope="module")
def labels(walker: Clip) -> Labels:
    return label_clip(walker)


def samples(lean: float, arms: float, elbows: float, count: int = 200) -> np.ndarray:
    return np.tile([lean, arms, elbows], (count, 1))


def test_what_no_walker_does_is_brought_to_what_walkers_do() -> None:
    found = posture_correction(samples(-10.0, 3.0, 1.0))
    assert found == PostureCorrection(10.0 + PEOPLE_LEAN_DEG, PEOPLE_ARM_DEG - 3.0, PEOPLE_FLEXION_DEG - 1.0)


def test_actors_keep_the_posture_that_other_actors_have() -> None:
    assert not posture_correction(samples(-1.6, -8.0, 12.0))
    assert not posture_correction(samples(6.9, -2.0, 29.0))


def test_walks_that_are_bent_ahead_are_left_alone() -> None:
    assert not posture_correction(samples(25.0, -30.0, 90.0))


def test_a_trunk_is_turned_over_hips_that_stay_under_a_head_that_looks_as_before(walker: Clip, labels: Labels) -> None:
    leaning = correct_posture(walker, PostureCorrection(trunk=10.0))
    before, after = posture_samples(walker, labels), posture_samples(leaning, labels)
    assert (after[:, 0] - before[:, 0]).mean() == pytest.approx(8.0, abs=1.0), "the spine begins above the hips"
    np.testing.assert_allclose(after[:, 1:], before[:, 1:], atol=1e-6)
    for role in ("hips", "foot.L", "toe.R"):
        joint = walker.skeleton.joint(role)
        np.testing.assert_allclose(leaning.positions[:, joint], walker.positions[:, joint], atol=1e-9)
    head = walker.skeleton.joint("head")
    np.testing.assert_allclose(
        np.abs(np.sum(leaning.world[1][:, head] * walker.world[1][:, head], axis=-1)), 1.0, atol=1e-9
    )


def test_a_bias_is_found_and_taken_out(walker: Clip, labels: Labels) -> None:
    natural = posture_samples(walker, labels)
    upright = correct_posture(
        walker, PostureCorrection(PEOPLE[0] - natural[:, 0].mean(), PEOPLE[1] - natural[:, 1].mean())
    )
    biased = correct_posture(upright, PostureCorrection(trunk=-12.0))
    mended = correct_posture(biased, posture_correction(posture_samples(biased, labels)))
    assert posture_samples(mended, labels)[:, 0].mean() == pytest.approx(PEOPLE_LEAN_DEG, abs=2.5)
