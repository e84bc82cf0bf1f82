"""Balls inferred from hands: captured clips that were not learned from, with their balls hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.ball_fitting import BallFit, held_centers, infer_ball
from footfall.core.ball.ball_track import BASKETBALL_RADIUS_M, BallTrack, ball_file, read_ball
from footfall.core.ball.cue_model import BallEvidence
from footfall.core.ball.cues import usual_centers
from footfall.core.ball.hands import read_hands
from footfall.core.ball.palms import palm_centers
from footfall.core.ball.takes import TAKE_NAMES, shipped_takes
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.signals import runs_of
from footfall.core.rig.clip_file import read_clip
from footfall.tests.support.walker import Walker

RADIUS_M = 0.105


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    found = shared_data / "mocap" / "skillmimic_ballplay"
    if not found.is_dir():
        pytest.skip("needs the clips of ../shared/data/mocap/skillmimic_ballplay")
    return found


def inferred(folder: Path, name: str) -> tuple[Clip, BallTrack, BallFit]:
    file = folder / "basketball" / f"{name}.bvh"
    clip = read_clip(file)
    return clip, read_ball(ball_file(file), clip, RADIUS_M), infer_ball(clip, RADIUS_M)


def distances(captured: BallTrack, fit: BallFit) -> np.ndarray:
    return np.linalg.norm(captured.positions - fit.track.positions, axis=1)


def test_a_ball_is_picked_up_where_it_lies(folder: Path) -> None:
    _, captured, fit = inferred(folder, "007pickle_pick_004")
    apart, held = distances(captured, fit), captured.contacts.all(axis=1)
    assert np.median(apart[held]) < 0.02 and np.median(apart[~held]) < 0.05
    assert (captured.contacts == fit.track.contacts).mean() > 0.95
    assert fit.track.positions[:, 2].min() >= RADIUS_M - 1e-6
    np.testing.assert_allclose(np.linalg.norm(fit.track.rotations, axis=1), 1.0)


def test_a_caught_ball_falls_as_balls_do(folder: Path) -> None:
    _, captured, fit = inferred(folder, "008pickle_catch_016")
    free = ~fit.track.contacts.any(axis=1)
    flight = np.flatnonzero(free)[:-2]
    assert len(flight) > 15
    heights = fit.track.positions[flight, 2]
    np.testing.assert_allclose(np.diff(heights, n=2) * fit.track.rate**2, -9.81, rtol=0.01)
    assert abs(len(flight) + 2 - int((~captured.contacts.any(axis=1)).sum())) <= 4


def test_the_rate_of_a_clip_does_not_matter(folder: Path) -> None:
    clip, _, fit = inferred(folder, "007pickle_pick_016")
    fast = infer_ball(clip.resampled(120.0), RADIUS_M).track
    apart = np.linalg.norm(fast.positions[::2][: len(clip)] - fit.track.positions, axis=1)
    assert np.median(apart) < 0.005 and len(fast) == 2 * len(clip) - 1


def test_a_clip_that_stands_elsewhere_has_its_ball_there(folder: Path) -> None:
    clip, _, fit = inferred(folder, "007pickle_pick_016")
    moved = clip.transformed(np.array([0.0, 0.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.4]))
    track = infer_ball(moved, RADIUS_M, floor=0.4).track
    wanted = fit.track.positions * [-1.0, -1.0, 1.0] + [2.0, 0.0, 0.4]
    np.testing.assert_allclose(track.positions, wanted, atol=1e-6)


def test_a_walk_is_no_ball_play() -> None:
    with pytest.raises(FootfallError, match="No hand in 'clip' moves as if"):
        infer_ball(replace(Walker(seconds=2.0).clip(), name="clip"))


def told(frames: int, centers: np.ndarray) -> BallEvidence:
    """Evidence of a ball at centers (F, 3) in any hands; velocities are the numbers of their frame and grasp."""
    numbers = np.arange(frames)[:, None, None] + np.arange(3)[:, None] / 10.0 + np.zeros(3)
    return BallEvidence(np.zeros((frames, 2)), np.repeat(centers[:, None], 3, axis=1), numbers, -numbers)


def test_a_held_ball_keeps_its_place_in_the_hands() -> None:
    hands = read_hands(Walker(seconds=1.0).clip())
    frames, usual = len(hands), usual_centers(hands)
    aside = np.array([0.02, -0.03, 0.04])
    for grasp, base in ((0, usual[:, 0]), (1, usual[:, 1]), (2, usual.mean(axis=1))):
        found = held_centers(hands, told(frames, base + aside), np.full(frames, grasp))
        np.testing.assert_allclose(found, base + aside, atol=1e-9)


@pytest.mark.parametrize("name", TAKE_NAMES)
def test_the_ball_of_a_shipped_take_is_in_both_hands_at_its_contact(name: str) -> None:
    take = shipped_takes().takes[name]
    fit = infer_ball(take.clip)
    track = fit.track
    assert track.is_inferred and track.radius == BASKETBALL_RADIUS_M and track.rate == take.clip.rate
    held = track.contacts.all(axis=1)
    comes = name in ("pick_up", "catch")
    assert len(runs_of(held)) == 1
    assert abs((int(np.flatnonzero(held)[0]) if comes else int(np.flatnonzero(held)[-1])) - take.contact) <= 6
    palms = palm_centers(take.clip).mean(axis=1)
    assert np.linalg.norm(track.positions - palms, axis=1)[held].max() < 0.12
    assert np.linalg.norm(np.diff(track.positions, axis=0), axis=1).max() * track.rate < 10.0, "it never jumps"
    assert track.positions[:, 2].min() >= track.radius and len(fit.bounces) == 0
    assert len(track) == len(take.clip)


@pytest.mark.parametrize("name", ["pass", "catch", "shoot"])
def test_a_ball_that_flies_falls(name: str) -> None:
    track = infer_ball(shipped_takes().takes[name].clip).track
    free = np.flatnonzero(~track.contacts.any(axis=1))
    np.testing.assert_allclose(np.diff(track.positions[free, 2], n=2) * track.rate**2, -9.81, rtol=1e-6)
    np.testing.assert_allclose(np.diff(track.positions[free, :2], n=2, axis=0), 0.0, atol=1e-9)
