"""Balls inferred from hands: captured clips that were not learned from, with their balls hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.ball_fitting import BallFit, infer_ball
from footfall.core.ball.ball_track import BallTrack, ball_file, read_ball
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
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


def test_getting_up_is_no_ball_play(folder: Path) -> None:
    with pytest.raises(FootfallError, match="moves as if it held, caught or dribbled a ball"):
        infer_ball(read_clip(folder / "crouch" / "021pickle_getup_14.bvh"), RADIUS_M)


def test_a_walk_is_no_ball_play() -> None:
    with pytest.raises(FootfallError, match="No hand in 'clip' moves as if"):
        infer_ball(replace(Walker(seconds=2.0).clip(), name="clip"))


def test_a_clip_can_be_too_short() -> None:
    with pytest.raises(FootfallError, match=r"is 0\.30 s long, too short to find a ball in: take a clip of 0\.5 s"):
        infer_ball(Walker(seconds=0.3).clip())
