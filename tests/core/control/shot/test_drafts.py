"""Drafts of a shot: poses that are shown while a part is being made."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import TaskBeat, WalkBeat
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.tests.core.control.shot.test_memo import NEAR, controllers

BEATS = (WalkBeat(np.array([[0.0, 1.5]])), TaskBeat(InteractionTask("sit", 0, duration=0.5)))


@pytest.fixture(scope="module")
def made() -> tuple[ShotRollout, dict[int, np.ndarray], int, list[int]]:
    """A shot, its drafted hips, the number of drafts before any finished frame, and its frames after each step."""
    rollout = ShotRollout(*controllers(), ShotRequest(BEATS, np.zeros(3), objects=[NEAR]))
    hips, before, counts = {}, 0, []
    while rollout.advance():
        counts.append(rollout.frames_drafted)
        last = rollout.frames_drafted - 1
        if last >= rollout.frames_done:
            hips[last] = rollout.draft(last).positions[0, 0]
            before += rollout.frames_done == 0
    return rollout, hips, before, counts


def test_frames_are_drafted_before_the_first_part_is_finished(made: tuple) -> None:
    assert made[2] > 5 and min(made[1]) < 10


def test_drafts_are_near_the_finished_motion(made: tuple) -> None:
    rollout, hips, *_ = made
    final = rollout.finish().performance.clip.positions[:, 0]
    away = [np.linalg.norm(place - final[frame]) for frame, place in hips.items() if frame < len(final)]
    assert len(away) > 20
    assert np.median(away) < 0.03 and max(away) < 0.25


def test_parts_are_finished_in_many_steps_during_which_drafts_remain(made: tuple) -> None:
    added = np.diff(made[3])
    assert added.min() == 0, "no frame that was shown is lost"
    assert np.count_nonzero(added == 0) > np.count_nonzero(added)


def test_no_draft_is_left_at_the_end(made: tuple) -> None:
    assert made[0].frames_drafted == made[0].frames_done
