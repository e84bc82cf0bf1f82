"""Beats start and end at given times, or as soon after them as they can."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.path.path_events import Cues, CueSpan, Wait
from footfall.core.control.shot.beats import Beat, BeatTime, TaskBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.tests.core.control.shot.test_memo import NEAR, shot_of

CORNER, END = np.array([[0.0, 4.0]]), np.array([[3.0, 4.0]])


def made(*beats: Beat) -> Shot:
    return shot_of(beats, [NEAR], ShotMemo())


def seconds_at(shot: Shot, place: np.ndarray) -> float:
    """The first time at which the body is within 10 cm of a place."""
    clip = shot.performance.clip
    near = np.linalg.norm(clip.root_positions[:, :2] - place, axis=1) < 0.1
    return int(np.flatnonzero(near)[0]) / clip.rate


@pytest.mark.parametrize("end", [4.5, 6.0, 12.0])
def test_a_walk_arrives_at_its_end(end: float) -> None:
    shot = made(WalkBeat(CORNER, time=BeatTime(end=end)))
    assert seconds_at(shot, CORNER[0]) == pytest.approx(end, abs=0.25)
    assert shot.beats[0].late <= 0.15


def test_a_walk_that_cannot_be_in_time_is_late_and_says_by_how_much() -> None:
    shot = made(WalkBeat(CORNER, time=BeatTime(end=1.0)))
    assert shot.beats[0].status == "done"
    assert 1.0 + shot.beats[0].late == pytest.approx(seconds_at(shot, CORNER[0]), abs=0.4)


def test_a_walk_begins_at_its_start_and_the_one_before_it_waits() -> None:
    shot = made(WalkBeat(CORNER, time=BeatTime(start=1.0)), WalkBeat(END, time=BeatTime(start=8.0)))
    roots = shot.performance.clip.root_positions
    rate = shot.performance.clip.rate
    assert np.linalg.norm(roots[round(0.9 * rate), :2] - roots[0, :2]) < 0.1
    standing = roots[round(6.5 * rate) : round(8.0 * rate), :2]
    assert np.linalg.norm(standing - CORNER[0], axis=1).max() < 0.15
    assert np.linalg.norm(roots[round(9.5 * rate), :2] - CORNER[0]) > 0.3


def test_a_seated_body_stays_until_the_end_of_its_wait() -> None:
    sit = TaskBeat(InteractionTask("sit", 0))
    shot = made(sit, WaitBeat(0.0, BeatTime(end=11.0)), WalkBeat(END))
    hips = shot.performance.clip.positions[:, 0]
    seated = np.flatnonzero(hips[:, 2] < 0.75) / shot.performance.clip.rate
    assert 11.0 < seated[-1] < 12.5, "then it gets up"


def test_path_events_of_a_walk_hold_in_a_shot() -> None:
    look = np.array([[-5.0, 4.0, 1.6]])
    cues = Cues((CueSpan(1.0, 3.0, gaze=look), CueSpan(0.0, 9.0, style="crouch")), (Wait(1.0, 2.0),))
    sit = TaskBeat(InteractionTask("sit", 0, duration=0.2))
    shot = made(sit, WalkBeat(np.array([[0.5, 4.0], [3.5, 4.0]]), cues=cues))
    clip = shot.performance.clip
    walk = slice(shot.beats[1].first + 120, len(clip))
    roots = clip.root_positions[walk, :2]
    speed = np.linalg.norm(np.diff(roots, axis=0), axis=1) * clip.rate
    waits = (speed < 0.15) & (np.abs(roots[:-1, 0] - 1.5) < 0.3)
    assert waits.sum() / clip.rate == pytest.approx(2.0, abs=0.8), "it stands a meter from the start of its path"
    hips = clip.positions[walk, clip.skeleton.joint("hips"), 2]
    assert np.percentile(hips, 30) < 0.85, "it crouches"
