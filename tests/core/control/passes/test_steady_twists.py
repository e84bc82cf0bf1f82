"""Arms that turn about themselves: jumps are smoothed, joints stay, and steady arms are as they were."""

from dataclasses import replace

import numpy as np

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.passes.steady_twists import steady_twists
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.evaluation.motion_detail import joint_speeds
from footfall.core.motion import Clip
from footfall.core.motion.rotations import exp, multiply, normalize
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play

MAX_TWIST_RAD_S = 20.0


def twisted(clip: Clip, angles: np.ndarray) -> Clip:
    """Return a clip whose right upper arm is turned about itself by angles (F), and whose forearm is turned back."""
    upper, fore = (clip.skeleton.joint(f"{part}.R") for part in ("upper_arm", "forearm"))
    bone = normalize(clip.skeleton.offsets[fore])
    rotations, turn = clip.rotations.copy(), exp(angles[:, None] * bone)
    rotations[:, upper] = multiply(rotations[:, upper], turn)
    rotations[:, fore] = multiply(exp(-angles[:, None] * bone), rotations[:, fore])
    return replace(clip, rotations=rotations)


def test_a_twist_that_jumps_is_smoothed_and_all_joints_stay() -> None:
    clip = decode_interaction(play([STOOL], InteractionTask("sit", 0, duration=1.0)).recording)
    jumped = twisted(clip, np.radians(60.0) * (np.arange(len(clip)) == 80))
    steady = steady_twists(jumped)
    np.testing.assert_allclose(steady.positions, clip.positions, atol=1e-9)
    upper = clip.skeleton.joint("upper_arm.R")
    assert joint_speeds(jumped)[:, upper].max() > 50.0
    assert joint_speeds(steady)[:, upper].max() < joint_speeds(clip)[:, upper].max() + MAX_TWIST_RAD_S
