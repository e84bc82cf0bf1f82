"""Seated characters: the phase runs out, rests, and is not begun again by a contact that comes and goes."""

import numpy as np
import pytest

from footfall.core.control.runtime.seated_state import (
    are_to_rest,
    begins_to_sit,
    mobility,
    run_out_phase,
)
from footfall.core.features.interaction import GOAL_ACTIONS

RATE = 60.0


@pytest.mark.parametrize("rate", [0.0, 0.8])
def test_the_phase_runs_out_without_a_jump_and_rests_at_its_end(rate: float) -> None:
    phase, steps = np.array([0.86]), []
    for _ in range(120):
        following = run_out_phase(phase, (phase + rate / RATE) % 1.0, np.array([False]), RATE)
        steps.append(float((following[0] - phase[0]) % 1.0))
        phase = following
    assert phase[0] == 0.0
    assert max(steps) < 0.03


def test_sitting_begins_at_the_contact_or_where_its_phase_ends_near_it() -> None:
    before, after = np.array([0.8, 0.99, 0.99, 0.5]), np.array([0.81, 0.01, 0.01, 0.51])
    found = begins_to_sit(before, after, np.array([0.6, 0.4, 0.05, 0.4]))
    np.testing.assert_array_equal(found, [True, True, False, False])


def test_characters_rest_that_are_to_sit_or_to_lie_as_far_as_their_controller_knows_it() -> None:
    few = GOAL_ACTIONS[:6]
    for names, resting in ((few, ["sit"]), (GOAL_ACTIONS, ["sit", "lie", "sit_ground"])):
        rests = are_to_rest(np.eye(len(names)), names)
        assert [name for name, rest in zip(names, rests, strict=True) if rest] == resting


def test_roots_that_stand_or_whose_hips_rest_do_not_move() -> None:
    moving = mobility(np.array([0.0, 1.0, 0.0, 0.3]), np.array([0.0, 0.0, 1.02, 0.6], dtype=np.float32))
    np.testing.assert_allclose(moving, [1.0, 0.0, 0.0, 0.4], atol=1e-6)
