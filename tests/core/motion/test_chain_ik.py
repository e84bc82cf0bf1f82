"""IK of legs with hocks and wrists."""

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.chain_ik import solve_chain_ik
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import LegChain
from footfall.tests.support.dog import dog, standing


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


def test_a_leg_that_is_there_is_left_unchanged() -> None:
    before, after, _, _ = solved((0.0, 0.0, 0.0))
    assert np.array_equal(before.rotations, after.rotations)


def test_a_leg_that_is_nearly_straight_bends_to_a_nearer_paw() -> None:
    # Straight but for a hundredth of its length: passes alone left such a paw centimeters from its place.
    leg = LegChain((0, 1), np.array([0.0, 0.0, -0.25]), None)
    positions = np.array([[[0.0, 0.0, 0.345], [0.0, -0.005, 0.25]]])
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, 2, 1))
    goal = np.array([[0.0, 0.02, 0.05]])
    solve_chain_ik(positions, rotations, leg, goal)
    assert np.allclose(leg.paw_positions(positions, rotations), goal, atol=1e-6)
    assert positions[0, 1, 1] < -0.03, "the elbow stays behind"


def test_no_joint_of_a_folded_leg_is_below_the_floor() -> None:
    clip = standing(dog(), 1)
    leg = LegChain.of(clip.skeleton, "foot.L")
    lowered = Clip(clip.skeleton, clip.rate, clip.root_positions - [0.0, 0.0, 0.28], clip.rotations)
    positions, rotations = (array.copy() for array in lowered.world)
    goal = leg.paw_positions(*clip.world) - [0.0, 0.12, 0.0]
    solve_chain_ik(positions, rotations, leg, goal, goal[:, 2])
    assert positions[0, list(leg.joints), 2].min() > -0.04, "but for a residue of the passes"
    assert np.allclose(leg.paw_positions(positions, rotations), goal, atol=1e-5)
