"""Arms swing around tables and feet are put down beside boxes; hands that hold an object stay in place."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from footfall.core.control.passes import depenetration, limb_depenetration
from footfall.core.control.passes.limb_depenetration import depenetrate_limbs
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import Array, from_axis_angle, rotate, rotation_about_up
from footfall.core.motion.signals import runs_of
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker, person

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
WALKER = Walker(speed=1.1, seconds=4.0)


def with_bent_arms(clip: Clip) -> Clip:
    """Return the clip with slightly bent elbows."""
    rotations = clip.rotations.copy()
    for side, angle in (("L", -0.3), ("R", 0.3)):
        rotations[:, clip.skeleton.joint(f"forearm.{side}")] = from_axis_angle([0.0, 0.0, 1.0], angle)
    return replace(clip, rotations=rotations)


WALK = with_bent_arms(WALKER.clip())
"""Along +Y, with hanging arms; left is -X. Elbows are 0.27 m aside and 1.14 m high, wrists 0.32 m and 0.95 m."""
STEPS = np.stack([WALKER.contacts[:, :2].any(axis=1), WALKER.contacts[:, 2:].any(axis=1)], axis=1)
HALFWAY = float(WALK.root_positions[len(WALK) // 2, 1])


def stander() -> Clip:
    walker = Walker(pause=1.5)
    still = np.flatnonzero(walker.resting)
    return with_bent_arms(walker.clip().cut(still[0], still[-1]))


STAND = stander()
STOOD = np.ones((len(STAND), 2), dtype=bool)


def at(clip: Clip, role: str) -> Array:
    return clip.positions[:, clip.skeleton.joint(role)]


def block(clip: Clip, lower: ArrayLike, upper: ArrayLike) -> AnimatedCollider:
    return AnimatedCollider.static(
        PosedCollider(Collider(np.array([lower]), np.array([upper])), np.zeros(3), UPRIGHT), len(clip)
    )


def led(clip: Clip, *things: AnimatedCollider, standing: Array | None = None, **holding: Array) -> Clip:
    """Return the depenetrated clip; ``hand_L`` is the holding weight of that hand."""
    spared = np.zeros((len(clip), len(BodyCapsules.from_skeleton(clip.skeleton).radii)), dtype=bool)
    standing = np.zeros((len(clip), 2), dtype=bool) if standing is None else standing
    weights = {role.replace("_", "."): weight for role, weight in holding.items()}
    return depenetrate_limbs(clip, things, [spared] * len(things), weights, standing)


def deepest(clip: Clip, thing: AnimatedCollider) -> float:
    return float(BodyCapsules.from_skeleton(clip.skeleton).bone_penetrations(clip, thing).max())


def lengths(clip: Clip) -> Array:
    return np.linalg.norm(clip.positions[:, 1:] - clip.positions[:, list(clip.skeleton.parents[1:])], axis=-1)


def moved(clip: Clip, made: Clip) -> set[str]:
    """Return the roles of the joints that have moved."""
    far = np.linalg.norm(made.positions - clip.positions, axis=-1).max(axis=0) > 1e-6
    return {role for role, joint in clip.skeleton.roles.items() if far[joint]}


def fastest(clip: Clip, made: Clip) -> float:
    """Return the largest speed at which joints are displaced, m/s."""
    shift = made.positions - clip.positions
    return float(np.linalg.norm(np.diff(shift, axis=0), axis=-1).max()) * clip.rate


def table(gap: float) -> AnimatedCollider:
    """Return a table top on the left of the walk, as high as the wrists, at a distance from the middle of the path."""
    return block(WALK, [-1.5, HALFWAY - 0.4, 0.95], [-gap, HALFWAY + 0.4, 1.0])


@pytest.mark.parametrize("gap", [0.27, 0.29, 0.32])
def test_an_arm_goes_round_the_edge_of_a_table(gap: float) -> None:
    edge = table(gap)
    made = led(WALK, edge)
    assert deepest(WALK, edge) > 0.025 and deepest(made, edge) < 0.02
    assert moved(WALK, made) == {"forearm.L", "hand.L"}, "and nothing else does"
    np.testing.assert_allclose(lengths(made), lengths(WALK), atol=1e-9)
    assert fastest(WALK, made) < 2 * 0.07 / (np.sqrt(2 * np.pi) * depenetration.TUNING.shift_smoothing)
    np.testing.assert_allclose(made.positions[[0, -1]], WALK.positions[[0, -1]], atol=1e-6)


@pytest.mark.parametrize("gap", [0.25, 0.28])
def test_an_arm_goes_round_a_post(gap: float) -> None:
    post = block(WALK, [-gap - 0.06, HALFWAY - 0.03, 0.0], [-gap, HALFWAY + 0.03, 2.0])
    made = led(WALK, post)
    assert deepest(WALK, post) > 0.05 and deepest(made, post) < 0.02
    assert (
        np.linalg.norm(at(made, "forearm.L") - at(WALK, "forearm.L"), axis=1).max()
        < limb_depenetration.TUNING.max_arm_shift
    )


@given(st.floats(0.26, 0.33), st.floats(-0.15, 0.15), st.floats(-3.0, 3.0))
@settings(max_examples=examples(5))
def test_arms_stay_out_of_an_edge_wherever_a_character_walks(gap: float, rise: float, yaw: float) -> None:
    edge, turn = table(gap), rotation_about_up(np.array(yaw))
    there = AnimatedCollider.static(
        PosedCollider(edge.collider, rotate(turn, np.array([0.0, 0.0, rise])), turn), len(WALK)
    )
    clip = WALK.transformed(turn, np.zeros(3))
    assert deepest(led(clip, there), there) < 0.02


def test_hands_are_turned_out_of_obstacles_that_only_they_penetrate() -> None:
    skeleton = person()
    tips = skeleton.tips.copy()
    tips[skeleton.joint("hand.L")] = 0.18, 0.0, 0.0
    clip = replace(STAND, skeleton=Skeleton(skeleton.names, skeleton.parents, skeleton.offsets, tips))
    body = BodyCapsules.from_skeleton(clip.skeleton)
    fingers = body.sphere_centres(clip)[0, body.sphere_indices(("hand.L",))[-1]]
    box = block(clip, fingers - [0.5, 0.2, 0.05], fingers + np.array([0.01, 0.2, 0.06]))
    made = led(clip, box, hand_L=np.ones(len(clip)))
    assert deepest(clip, box) > 0.025 and deepest(made, box) < 0.012
    assert moved(clip, made) == set(), "no joint goes elsewhere: the hand turns about its wrist"
    joint = clip.skeleton.joint("hand.L")
    np.testing.assert_allclose(np.delete(made.rotations, joint, axis=1), np.delete(clip.rotations, joint, axis=1))


@pytest.mark.parametrize("hand", [(-0.2, 0.2, 0.4), (-0.25, 0.25, 0.35)])
@pytest.mark.parametrize("deep", [0.02, 0.035])
def test_an_elbow_swings_out_and_the_hand_that_holds_stays(hand: tuple[float, float, float], deep: float) -> None:
    ones = np.ones(len(STAND))
    clip = solve_full_body_ik(STAND, [EffectorGoal("hand.L", at(STAND, "hips") + np.array(hand), ones)])
    elbow = at(clip, "forearm.L")[0]
    wall = block(clip, elbow - [0.4, 0.15, 0.1], elbow + np.array([deep - 0.042, 0.06, 0.05]))
    made = led(clip, wall, hand_L=ones)
    assert deepest(clip, wall) == pytest.approx(deep, abs=0.002) and deepest(made, wall) < 0.02
    np.testing.assert_allclose(at(made, "hand.L"), at(clip, "hand.L"), atol=1e-3)
    assert (at(made, "forearm.L") - at(clip, "forearm.L"))[:, 0].min() > 0.5 * (deep - 0.012)
    assert moved(clip, made) == {"forearm.L"}
    np.testing.assert_allclose(lengths(made), lengths(clip), atol=1e-9)


@pytest.mark.parametrize("deep", [0.02, 0.04, 0.06])
def test_a_foot_that_would_stand_in_a_box_stands_beside_it(deep: float) -> None:
    ankle = at(STAND, "foot.R")[0]
    box = block(STAND, [ankle[0] + 0.04 - deep, ankle[1] - 0.4, 0.0], [ankle[0] + 0.5, ankle[1] + 0.4, 0.25])
    made = led(STAND, box, standing=STOOD)
    assert deepest(STAND, box) >= deep - 1e-6 and deepest(made, box) < 0.02
    shift = at(made, "foot.R") - at(STAND, "foot.R")
    assert np.ptp(shift, axis=0).max() < 1e-9, "all the time in the same place"
    assert deep - 0.02 < -shift[0, 0] < deep + 0.01 and np.abs(shift[0, 1:]).max() < 1e-9
    assert moved(STAND, made) <= {"shin.R", "foot.R", "toe.R"}
    np.testing.assert_allclose(made.world[1][:, STAND.skeleton.joint("foot.R")],
                               STAND.world[1][:, STAND.skeleton.joint("foot.R")], atol=1e-6)  # fmt: skip
    np.testing.assert_allclose(lengths(made), lengths(STAND), atol=1e-9)


@pytest.mark.parametrize("half", [0.1, 0.3, 0.5])
def test_a_character_that_walks_along_a_box_puts_its_feet_beside_it(half: float) -> None:
    box = block(WALK, [-1.0, HALFWAY - half, 0.0], [-0.1, HALFWAY + half, 0.2])
    made = led(WALK, box, standing=STEPS)
    assert deepest(WALK, box) > 0.03 and deepest(made, box) < 0.02
    shift = at(made, "foot.L") - at(WALK, "foot.L")
    for start, stop in runs_of(STEPS[:, 0]):
        assert np.ptp(shift[start:stop], axis=0).max() < 1e-9, "a contact is in one place"
    assert 0.02 < np.linalg.norm(shift, axis=1).max() < limb_depenetration.TUNING.max_leg_shift
    assert fastest(WALK, made) < 0.5
    np.testing.assert_allclose(made.positions[[0, -1]], WALK.positions[[0, -1]], atol=1e-3)
