"""What gates see: the numbers that the papers name, and nothing else."""

import numpy as np

from footfall.core.features import interaction
from footfall.core.features.interaction import ACTIONS
from footfall.core.features.locomotion import SAMPLE_OFFSETS_FRAMES
from footfall.core.models.gating import FOOT_VELOCITY_GAIN, GatingInput

from ...support.mixtures import FEET as FOOT_JOINTS
from ...support.mixtures import GAITS, among_things, random_inputs, task


def test_feet_the_gait_now_and_the_velocity_that_is_wanted() -> None:
    wanted = task()
    x = random_inputs(wanted, 5)
    velocity = wanted.inputs.view(x, "pose.velocity")[:, list(FOOT_JOINTS)]
    gait = wanted.inputs.view(x, "trajectory.gait")[:, SAMPLE_OFFSETS_FRAMES.index(0)]
    ahead = wanted.inputs.view(x, "trajectory.position")[:, -1]
    seen = GatingInput.of("velocity", wanted)
    np.testing.assert_array_equal(
        seen(x), np.concatenate([FOOT_VELOCITY_GAIN * velocity.reshape(5, -1), gait, ahead], axis=1)
    )
    assert seen.size == 4 * 3 + len(GAITS) + 2


def test_of_interactions_what_is_done_now_takes_the_place_of_the_gait() -> None:
    wanted = among_things()
    x = random_inputs(wanted, 2)
    velocity = wanted.inputs.view(x, "pose.velocity")[:, list(FOOT_JOINTS)]
    done = wanted.inputs.view(x, "trajectory.action")[:, interaction.SAMPLE_OFFSETS_FRAMES.index(0)]
    ahead = wanted.inputs.view(x, "trajectory.position")[:, -1]
    seen = GatingInput.of("velocity", wanted)
    np.testing.assert_array_equal(
        seen(x), np.concatenate([FOOT_VELOCITY_GAIN * velocity.reshape(2, -1), done, ahead], axis=1)
    )
    assert seen.size == 4 * 3 + len(ACTIONS) + 2


def test_side_by_side_are_what_is_done_and_wanted_goals_and_the_phase() -> None:
    wanted = among_things()
    x = random_inputs(wanted, 2)
    seen = GatingInput.of("concatenated", wanted)
    groups = ("trajectory.action", "goal.action", "goal.position", "goal.direction")
    parts = [wanted.inputs.view(x, name).reshape(2, -1) for name in groups]
    np.testing.assert_array_equal(seen(x), np.concatenate(parts, axis=1))
    assert seen.phase and seen.size == seen(x).shape[1] + 2
    assert not GatingInput.of("goals", wanted).phase, "which the products have"


def test_phases_times_gaits_sample_by_sample() -> None:
    wanted = task(channels=1)
    x = random_inputs(wanted, 1)
    vectors = wanted.inputs.view(x, "phase.vector")[0, :, 0]
    gaits = wanted.inputs.view(x, "trajectory.gait")[0]
    products = [np.kron(vector, gait) for vector, gait in zip(vectors, gaits, strict=True)]
    seen = GatingInput.of("phase", wanted)
    np.testing.assert_array_equal(seen(x)[0], np.concatenate([vectors.ravel(), *products]))
    assert seen.size == len(SAMPLE_OFFSETS_FRAMES) * 2 * (1 + len(GAITS))
