"""An arm swivels about the line from shoulder to wrist: both stay, bones keep their lengths, the elbow goes round."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.arm_swivel import ArmSwivel
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker, person

WALK = Walker(seconds=0.5).clip()
ARM = [person().joint(f"{part}.R") for part in ("upper_arm", "forearm", "hand")]
BENT = WALK.world[1].copy()
BENT[:, ARM[1]] = multiply(from_axis_angle([0.0, 0.0, 1.0], 1.2), BENT[:, ARM[1]])
CLIP = with_world_rotations(WALK, WALK.root_positions, BENT)


@given(st.floats(-np.pi, np.pi))
def test_shoulder_and_wrist_stay_and_the_elbow_goes_round(angle: float) -> None:
    arm, rotations = ArmSwivel.of(CLIP.skeleton, CLIP.positions, "R"), CLIP.world[1].copy()
    arm.turn(rotations, np.full(len(CLIP), angle))
    turned = with_world_rotations(CLIP, CLIP.root_positions, rotations)
    np.testing.assert_allclose(turned.positions[:, ARM[0]], CLIP.positions[:, ARM[0]], atol=1e-9)
    np.testing.assert_allclose(turned.positions[:, ARM[2]], CLIP.positions[:, ARM[2]], atol=1e-6)
    after = ArmSwivel.of(turned.skeleton, turned.positions, "R")
    distances = [np.linalg.norm(one.across, axis=-1) for one in (arm, after)]
    np.testing.assert_allclose(*distances, atol=1e-6)
    cosines = np.sum(arm.across * after.across, axis=-1) / np.prod(distances, axis=0)
    np.testing.assert_allclose(cosines, np.cos(angle), atol=1e-5)
