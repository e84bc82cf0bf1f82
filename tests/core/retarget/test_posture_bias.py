"""Trunks that lean back and arms that never bend, because the upper body of a capture is an estimate."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import from_axis_angle, inverse, log, multiply, rotate, rotation_about_up
from footfall.core.retarget.posture_bias import (
    BENT_ELBOW_DEG,
    MAX_CORRECTION_DEG,
    PEOPLE_ARM_DEG,
    PEOPLE_FLEXION_DEG,
    PEOPLE_LEAN_DEG,
    PostureCorrection,
    correct_posture,
    posture_correction,
    posture_samples,
)
from footfall.tests.support.walker import Walker, person

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


def test_a_correction_is_bounded() -> None:
    assert posture_correction(samples(-40.0, -5.0, 20.0)).trunk == MAX_CORRECTION_DEG


def test_too_few_frames_change_nothing() -> None:
    assert not posture_correction(samples(-10.0, 3.0, 1.0, count=10))


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


def test_upper_arms_hang_further_back_by_the_angle(walker: Clip, labels: Labels) -> None:
    moved = correct_posture(walker, PostureCorrection(arms=-8.0))
    change = posture_samples(moved, labels) - posture_samples(walker, labels)
    assert change[:, 1].mean() == pytest.approx(-8.0, abs=0.5)
    np.testing.assert_allclose(change[:, [0, 2]], 0.0, atol=1e-6)


def test_straight_elbows_bend_and_bent_ones_stay(walker: Clip, labels: Labels) -> None:
    bent = correct_posture(walker, PostureCorrection(elbows=12.0))
    before, after = (posture_samples(clip, labels)[:, 2] for clip in (walker, bent))
    np.testing.assert_allclose(after - before, 12.0 * np.clip(1.0 - before / BENT_ELBOW_DEG, 0.0, 1.0), atol=0.2)


def test_a_bias_is_found_and_taken_out(walker: Clip, labels: Labels) -> None:
    natural = posture_samples(walker, labels)
    upright = correct_posture(
        walker, PostureCorrection(PEOPLE[0] - natural[:, 0].mean(), PEOPLE[1] - natural[:, 1].mean())
    )
    biased = correct_posture(upright, PostureCorrection(trunk=-12.0))
    mended = correct_posture(biased, posture_correction(posture_samples(biased, labels)))
    assert posture_samples(mended, labels)[:, 0].mean() == pytest.approx(PEOPLE_LEAN_DEG, abs=2.5)


def test_no_correction_is_the_same_clip(walker: Clip) -> None:
    assert correct_posture(walker, PostureCorrection()) is walker


def posed(lean: float, arms: float, elbows: tuple[float, float], speed: float = 1.2, yaw: float = 0.0) -> Clip:
    """A person that glides ahead for two seconds with these angles of trunk, upper arms and both elbows, degrees."""
    skeleton = person()
    left, down = np.array([1.0, 0.0, 0.0]), from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi / 2)
    world = np.tile([1.0, 0.0, 0.0, 0.0], (121, len(skeleton), 1))
    world[:, skeleton.names.index("lowerback") :] = from_axis_angle(left, np.radians(lean))
    for side, hang in (("L", down), ("R", down * [1, 1, -1, 1])):
        # Arms hang by a quarter turn from the T-pose, then swing about the axis to the left.
        for role, angle in (("upper_arm", arms), ("forearm", arms + elbows["LR".index(side)])):
            world[:, skeleton.joint(f"{role}.{side}")] = multiply(from_axis_angle(left, -np.radians(angle)), hang)
        world[:, skeleton.joint(f"hand.{side}")] = world[:, skeleton.joint(f"forearm.{side}")]
    turn = rotation_about_up(yaw)
    roots = rotate(turn, np.array([0.0, -speed, 0.0])) * (np.arange(121) / 60.0)[:, None] + [0.0, 0.0, 1.0]
    plain = Clip(skeleton, 60.0, roots, np.tile([1.0, 0.0, 0.0, 0.0], (121, len(skeleton), 1)))
    return with_world_rotations(plain, roots, multiply(turn, world))


def free(labels: Labels) -> Labels:
    """The labels with gaits that are called otherwise, so that each frame counts."""
    return replace(labels, gait_names=tuple(f"gait {number}" for number in range(len(labels.gait_names))))


@pytest.mark.parametrize("yaw", [0.0, 1.0])
@pytest.mark.parametrize(("lean", "arms", "elbows"), [(0.0, 0.0, (0.0, 0.0)), (8.0, -20.0, (30.0, 45.0)),
                                                     (-8.0, 25.0, (80.0, 10.0))])  # fmt: skip
def test_angles_are_those_of_the_trunk_the_mean_arm_and_the_straighter_elbow(
    labels: Labels, lean: float, arms: float, elbows: tuple[float, float], yaw: float
) -> None:
    found = posture_samples(posed(lean, arms, elbows, yaw=yaw), free(labels))
    assert len(found) == 121
    # The lowest bone of the spine, 11 cm of 46, goes with the hips.
    trunk = np.degrees(np.arctan2(0.35 * np.sin(np.radians(lean)), 0.11 + 0.35 * np.cos(np.radians(lean))))
    np.testing.assert_allclose(found, np.tile([trunk, arms, min(elbows)], (121, 1)), atol=1e-5)


@pytest.mark.parametrize(("speed", "counts"), [(0.75, False), (0.85, True), (1.75, True), (1.85, False)])
def test_walks_of_people_s_speeds_count(labels: Labels, speed: float, counts: bool) -> None:
    assert len(posture_samples(posed(0.0, 0.0, (9.0, 9.0), speed), free(labels))) == (121 if counts else 0)


def test_only_walks_count_and_only_bodies_with_whole_arms(labels: Labels, walker: Clip) -> None:
    gaits = np.zeros_like(labels.gaits)
    walk = labels.gait_names.index("walk")
    gaits[:, (walk + 1) % gaits.shape[1]] = 1.0
    gaits[50:60] = 0.0
    gaits[50:60, [walk, (walk + 1) % gaits.shape[1]]] = 0.6, 0.4
    assert len(posture_samples(walker, replace(labels, gaits=gaits))) == 10
    roles = {role: joint for role, joint in walker.skeleton.roles.items() if role != "hand.R"}
    armless = replace(walker, skeleton=replace(walker.skeleton, roles=roles))
    assert posture_samples(armless, labels).shape == (0, 3)
    assert posture_samples(walker.cut(0, 1), labels).shape == (0, 3)


def test_without_a_neck_the_head_shows_the_lean(labels: Labels) -> None:
    clip = posed(8.0, 0.0, (9.0, 9.0))
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "neck"}
    found = posture_samples(replace(clip, skeleton=replace(clip.skeleton, roles=roles)), free(labels))
    lean = np.degrees(np.arctan2(0.53 * np.sin(np.radians(8.0)), 0.11 + 0.53 * np.cos(np.radians(8.0))))
    np.testing.assert_allclose(found[:, 0], lean, atol=1e-5)


def test_what_hangs_on_arms_and_elbows_turns_with_them_about_the_hips_axis() -> None:
    clip = posed(0.0, 0.0, (30.0, 45.0), yaw=0.8)
    made = correct_posture(clip, PostureCorrection(trunk=6.0, arms=-8.0))
    left = rotate(rotation_about_up(0.8), np.array([1.0, 0.0, 0.0]))
    turns = {"hips": 0, "thigh.R": 0, "spine": 6, "chest": 6, "shoulder.L": 6, "neck": 0, "head": 0}
    for role, degrees in (turns | dict.fromkeys(("upper_arm.L", "forearm.R", "hand.L"), 8)).items():
        joint = clip.skeleton.joint(role)
        turn = multiply(made.world[1][:, joint], inverse(clip.world[1][:, joint]))
        np.testing.assert_allclose(log(turn), np.tile(np.radians(degrees) * left, (121, 1)), atol=1e-9, err_msg=role)


def test_a_body_without_a_spine_is_left_as_it_is(walker: Clip) -> None:
    roles = {role: walker.skeleton.roles[role] for role in ("hips", "thigh.L", "thigh.R")}
    legs = replace(walker, skeleton=replace(walker.skeleton, roles=roles))
    assert correct_posture(legs, PostureCorrection(trunk=5.0)) is legs
