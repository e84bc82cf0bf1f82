"""IK of legs with hocks and wrists."""

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.chain_ik import solve_chain_ik
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import LegChain, leg_chains
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.dog import dog, standing
from footfall.tests.support.leg_bends import bends_ahead


def solved(shift: tuple[float, float, float], contact: str = "foot.L"):
    """A standing dog with one paw moved by a shift, and where that paw was to be."""
    clip = standing(dog(), 4)
    leg = LegChain.of(clip.skeleton, contact)
    positions, rotations = (array.copy() for array in clip.world)
    goal = leg.paw_positions(positions, rotations) + np.array(shift)
    solve_chain_ik(positions, rotations, leg, goal)
    return clip, with_world_rotations(clip, clip.root_positions, rotations), leg, goal


def test_a_paw_is_reached_and_bones_keep_their_lengths() -> None:
    for shift in ((0.05, -0.1, 0.06), (0.0, 0.15, 0.1), (-0.03, 0.0, 0.2)):
        for contact in ("foot.L", "front_foot.R"):
            before, after, leg, goal = solved(shift, contact)
            assert np.abs(leg.paw_positions(*after.world) - goal).max() < 1e-5
            others = [joint for joint in range(len(after.skeleton)) if joint not in (*leg.joints, leg.paw)]
            assert np.allclose(after.positions[:, others], before.positions[:, others])


def test_a_paw_out_of_reach_is_met_in_direction() -> None:
    _, after, leg, goal = solved((0.0, -1.0, 0.0))
    hip, paw = after.positions[:, leg.joints[0]], leg.paw_positions(*after.world)
    assert np.allclose(np.linalg.norm(paw - hip, axis=-1), leg.length(after.skeleton), rtol=0.02)
    assert np.allclose(np.cross(paw - hip, goal - hip), 0.0, atol=1e-2)


def test_no_joint_of_a_folded_leg_is_below_the_floor() -> None:
    clip = standing(dog(), 1)
    leg = LegChain.of(clip.skeleton, "foot.L")
    lowered = Clip(clip.skeleton, clip.rate, clip.root_positions - [0.0, 0.0, 0.28], clip.rotations)
    positions, rotations = (array.copy() for array in lowered.world)
    goal = leg.paw_positions(*clip.world) - [0.0, 0.12, 0.0]
    solve_chain_ik(positions, rotations, leg, goal, goal[:, 2])
    assert positions[0, list(leg.joints), 2].min() > -0.04, "but for a residue of the passes"
    assert np.allclose(leg.paw_positions(positions, rotations), goal, atol=1e-5)


@pytest.mark.parametrize(("contact", "joint", "side"), [("foot.L", 1, 1), ("foot.R", 2, -1), ("front_foot.L", 1, -1)])
def test_a_joint_bent_to_the_wrong_side_is_brought_back(contact: str, joint: int, side: int) -> None:
    """Passing through straight, it bends to its own side alone, and does not jump."""
    clip, frames = standing(dog(), 61), 61
    leg = LegChain.of(clip.skeleton, contact)
    positions, rotations = (array.copy() for array in clip.world)
    turn = from_axis_angle([1.0, 0.0, 0.0], np.linspace(0.0, -2.5 * side, frames))
    for below in leg.joints[joint:]:
        rotations[:, below] = multiply(turn, rotations[:, below])
    flipped = with_world_rotations(clip, clip.root_positions, rotations)
    assert (side * bends_ahead(flipped, leg)[:, joint - 1]).min() < -0.2, "the elbow is inside out"
    positions, rotations = (array.copy() for array in flipped.world)
    goal = leg.paw_positions(positions, rotations)
    solve_chain_ik(positions, rotations, leg, goal)
    made = with_world_rotations(clip, clip.root_positions, rotations)
    assert (side * bends_ahead(made, leg)[:, joint - 1]).min() > -1e-6
    assert np.abs(leg.paw_positions(*made.world) - goal).max() < 1e-3, "but for a leg that is all straight"
    moved = np.linalg.norm(np.diff(made.positions[:, list(leg.joints)], axis=0), axis=-1).max()
    assert moved < 0.05


def test_a_leg_turned_over_is_turned_back() -> None:
    """Its elbow goes around the line to the paw; far from the body's plane it is brought nearer, and never jumps."""
    clip = standing(dog(), 181)
    leg = LegChain.of(clip.skeleton, "front_foot.L")
    positions, rotations = (array.copy() for array in clip.world)
    goal = leg.paw_positions(positions, rotations)
    line = goal[0] - positions[0, leg.joints[0]]
    turn = from_axis_angle(line / np.linalg.norm(line), np.linspace(0.0, 2 * np.pi, 181))
    for joint in leg.joints:
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    over = with_world_rotations(clip, clip.root_positions, rotations)
    positions, rotations = (array.copy() for array in over.world)
    solve_chain_ik(positions, rotations, leg, goal)
    made = with_world_rotations(clip, clip.root_positions, rotations)
    assert bends_ahead(over, leg)[:, 0].max() > 0.2 and bends_ahead(made, leg)[:, 0].max() < 0.0
    elbow = made.positions[:, leg.joints[1]]
    assert np.linalg.norm(np.diff(elbow, axis=0), axis=-1).max() < 0.005
    assert np.array_equal(made.rotations[:20], over.rotations[:20]), "nearly in the body's plane it stays as it is"


def test_a_leg_lifted_from_straight_folds_to_its_sides() -> None:
    clip = standing(dog(), 2)
    for contact, sides in (("foot.L", (1, -1)), ("front_foot.R", (-1,))):
        leg = LegChain.of(clip.skeleton, contact)
        positions, rotations = (array.copy() for array in clip.world)
        top = positions[:, leg.joints[0]]
        down = np.array([0.0, 0.0, -1.0])
        for reach in (2.0, 0.6):
            solve_chain_ik(positions, rotations, leg, top + reach * leg.length(clip.skeleton) * down)
        made = with_world_rotations(clip, clip.root_positions, rotations)
        for joint, side in enumerate(sides):
            assert (side * bends_ahead(made, leg)[:, joint] > 0.2).all()


def test_a_rest_pose_shows_to_which_side_joints_bend() -> None:
    body = dog()
    assert [leg.sides for leg in leg_chains(body)] == [(1.0, -1.0), (-1.0, 0.0)] * 2, "a wrist bends to both"
    for leg in leg_chains(body):
        bones = [*leg.joints[1:], leg.paw]
        body.offsets[bones] = np.linalg.norm(body.offsets[bones], axis=-1, keepdims=True) * [0.0, 0.0, -1.0]
    assert [leg.sides for leg in leg_chains(body)] == [(1.0, 0.0), (-1.0, 0.0)] * 2, "straight: knees and elbows"
    for leg in leg_chains(body):
        bones = [*leg.joints[1:], leg.paw]
        body.offsets[bones] = body.offsets[bones][:, [0, 2, 1]]
    assert [leg.sides for leg in leg_chains(body)] == [(0.0, 0.0)] * 4, "all along one axis: no standing pose"
