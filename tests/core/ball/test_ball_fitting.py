"""Balls inferred from hands: captured clips that were not learned from, with their balls hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.ball_fitting import BallFit, free_segments, held_centers, infer_ball
from footfall.core.ball.ball_track import BASKETBALL_RADIUS_M, BallTrack, ball_file, read_ball
from footfall.core.ball.cue_model import BallEvidence
from footfall.core.ball.cues import usual_centers
from footfall.core.ball.free_motion import BallPhysics
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


def test_getting_up_is_no_ball_play(folder: Path) -> None:
    with pytest.raises(FootfallError, match="moves as if it held, caught or dribbled a ball"):
        infer_ball(read_clip(folder / "crouch" / "021pickle_getup_14.bvh"), RADIUS_M)


def test_a_walk_is_no_ball_play() -> None:
    with pytest.raises(FootfallError, match="No hand in 'clip' moves as if"):
        infer_ball(replace(Walker(seconds=2.0).clip(), name="clip"))


def test_a_clip_can_be_too_short() -> None:
    with pytest.raises(FootfallError, match=r"is 0\.30 s long, too short to find a ball in: take a clip of 0\.5 s"):
        infer_ball(Walker(seconds=0.3).clip())


def told(frames: int, centers: np.ndarray) -> BallEvidence:
    """Evidence of a ball at centers (F, 3) in any hands; velocities are the numbers of their frame and grasp."""
    numbers = np.arange(frames)[:, None, None] + np.arange(3)[:, None] / 10.0 + np.zeros(3)
    return BallEvidence(np.zeros((frames, 2)), np.repeat(centers[:, None], 3, axis=1), numbers, -numbers)


def test_free_segments_are_between_two_holds_with_what_hands_tell_at_both() -> None:
    grasps = np.array([-1, 0, -1, -1, -1, 2, 2, -1, 1, -1])
    frames = np.arange(len(grasps))
    centers = np.column_stack([frames**2 / 60.0, 0.0 * frames, np.where(frames < 5, 0.2, 1.0)])
    first, second = free_segments(centers, told(len(grasps), centers), grasps, BallPhysics(9.81, 0.12))
    np.testing.assert_allclose(first.hold_times, [1 / 60, 5 / 60])
    np.testing.assert_allclose(second.hold_times, [6 / 60, 8 / 60])
    np.testing.assert_array_equal(first.ends, centers[[1, 5]])
    np.testing.assert_allclose(first.moving[:, 0], [1.0, 12.0])
    np.testing.assert_allclose(first.told, [[-1.0] * 3, [5.2] * 3])
    np.testing.assert_allclose(second.told, [[-6.2] * 3, [8.1] * 3])
    assert not first.may_lie and not second.may_lie


def test_at_the_ends_of_a_clip_a_hold_moves_as_its_last_frame() -> None:
    grasps = np.array([0, -1, -1, 1])
    centers = np.column_stack([np.arange(4.0) ** 2 / 60.0, np.zeros(4), np.full(4, 0.3)])
    (found,) = free_segments(centers, told(4, centers), grasps, BallPhysics(9.81, 0.12))
    np.testing.assert_allclose(found.moving[:, 0], [1.0, 5.0])
    assert found.may_lie


def test_a_held_ball_keeps_its_place_in_the_hands() -> None:
    hands = read_hands(Walker(seconds=1.0).clip())
    frames, usual = len(hands), usual_centers(hands)
    aside = np.array([0.02, -0.03, 0.04])
    for grasp, base in ((0, usual[:, 0]), (1, usual[:, 1]), (2, usual.mean(axis=1))):
        found = held_centers(hands, told(frames, base + aside), np.full(frames, grasp))
        np.testing.assert_allclose(found, base + aside, atol=1e-9)


def carried_at(usual: np.ndarray, grasps: np.ndarray, frame: int) -> np.ndarray:
    """Return the mean of the usual centers, weighed by a Gaussian of three frames of the hands that hold the ball."""
    shares = np.where(grasps[:, None] < 0, 1.0, [1.0, 0.0])
    near = np.arange(frame - 12, frame + 13)
    weights = np.exp(-0.5 * ((near - frame) / 3.0) ** 2) @ shares[near]
    return weights / weights.sum() @ usual[frame]


def test_a_ball_between_holds_is_carried_between_both_hands() -> None:
    hands = read_hands(Walker(seconds=1.0).clip())
    frames, usual = len(hands), usual_centers(hands)
    grasps = np.where(np.abs(np.arange(frames) - 30) < 15, -1, 0)
    found = held_centers(hands, told(frames, usual[:, 0] + [0.1, 0.0, 0.0]), grasps)
    # At the middle, both hands have equal shares, and the place in them is between those of the holds beside it.
    drift = found[30] - usual[30].mean(axis=0)
    beside = (found[15] + found[45] - carried_at(usual, grasps, 15) - carried_at(usual, grasps, 45)) / 2.0
    np.testing.assert_allclose(drift, beside, atol=1e-9)


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


def test_before_it_is_picked_up_a_ball_lies_still() -> None:
    track = infer_ball(shipped_takes().takes["pick_up"].clip).track
    lying = track.positions[~track.contacts.any(axis=1)]
    np.testing.assert_allclose(lying, np.tile(lying[0], (len(lying), 1)), atol=1e-12)
    assert lying[0, 2] == track.radius
    np.testing.assert_allclose(np.diff(track.rotations[: len(lying)], axis=0), 0.0, atol=1e-12)


def test_on_a_raised_floor_the_ball_is_raised_as_well() -> None:
    held = infer_ball(shipped_takes().takes["catch"].clip)
    raised = shipped_takes().takes["catch"].clip.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.5]))
    again = infer_ball(raised, floor=0.5)
    np.testing.assert_allclose(again.track.positions, held.track.positions + np.array([0.0, 0.0, 0.5]), atol=1e-6)
    np.testing.assert_array_equal(again.track.contacts, held.track.contacts)
