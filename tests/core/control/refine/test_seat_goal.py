"""Hips on their way to a seat: no jumps, onto usual seats, those at the height of standing hips and higher ones."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seat_goal import hip_goal
from footfall.core.control.refine.seat_pose import hips_over_seat
from footfall.core.features.interaction import ACTIONS
from footfall.core.motion.blending import smooth_step
from footfall.tests.core.control.interaction.test_sequencer import block, play

SIT = ACTIONS.index("sit")


@pytest.mark.parametrize("height", [0.45, 0.62, 0.75, 0.9])
def test_hips_come_over_a_seat_and_leave_it_without_a_jump(height: float) -> None:
    stool = block("stool", "seat", (0.4, 0.4, height), (0.0, 3.0, 0.0))
    done = play([stool], InteractionTask("sit", 0, duration=2.0))
    clip, reached = decode_interaction(done.recording), done.recording.event_frame("reached", 0)
    assert reached is not None
    # A network's body bends before it meets the seat, with hips lower than a stand's, and its action rises slowly.
    met = int(np.argmax(done.recording.actions[:, SIT] > 0.5))
    before = smooth_step((np.arange(len(clip)) - (met - 70)) / 60)
    clip = replace(clip, root_positions=clip.root_positions - 0.25 * before[:, None] * [0.0, 0.0, 1.0])
    actions = done.recording.actions.copy()
    actions[:met, SIT] = 0.9 * before[:met]
    goal = hip_goal(done.recording, clip, actions, 1.0)
    assert goal is not None
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    solved = hips + goal.weights[:, None] * (goal.positions - hips)
    np.testing.assert_allclose(solved[reached + 30], hips_over_seat(stool, clip.skeleton.leg_length), atol=0.01)
    # Higher than the seat and than where they stand they never are.
    assert solved[:, 2].max() < max(hips[:, 2].max(), solved[reached + 30, 2]) + 0.02
    moves = np.diff(solved, axis=0) - np.diff(hips, axis=0)
    assert np.linalg.norm(np.diff(moves, axis=0), axis=1).max() * clip.rate**2 < 40.0
