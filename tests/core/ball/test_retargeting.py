"""A ball beside the same motion on another body."""

from dataclasses import replace

import numpy as np

from footfall.core.ball.ball_track import BallTrack
from footfall.core.ball.retargeting import retarget_ball
from footfall.core.motion.clip import Clip
from footfall.tests.support.dribbler import RADIUS_M, Dribbler
from footfall.tests.support.walker import Walker

DRIBBLER = Dribbler()
CLIP, TRACK = DRIBBLER.clip(), DRIBBLER.ball()


def from_hand(clip: Clip, track: BallTrack) -> np.ndarray:
    return track.positions - clip.positions[:, clip.skeleton.joint("hand.R")]


def test_on_its_own_body_it_stays() -> None:
    np.testing.assert_allclose(retarget_ball(TRACK, CLIP, CLIP).positions, TRACK.positions, atol=1e-9)


def test_on_a_smaller_body_it_is_smaller_and_lower() -> None:
    small = replace(DRIBBLER.walker, scale=0.8).clip()
    small = replace(small, root_positions=small.root_positions[: len(CLIP)], rotations=small.rotations[: len(CLIP)])
    found = retarget_ball(TRACK, CLIP, small)
    held = TRACK.contacts[:, 1]
    np.testing.assert_allclose(from_hand(small, found)[held], 0.8 * from_hand(CLIP, TRACK)[held], atol=1e-9)
    assert np.isclose(found.radius, 0.8 * RADIUS_M)
    assert np.isclose(found.positions[:, 2].min(), 0.8 * TRACK.positions[:, 2].min(), atol=1e-6)


def test_longer_arms_lead_the_held_ball_and_the_floor_stays() -> None:
    arms = CLIP.skeleton.offsets.copy()
    arms[CLIP.skeleton.joint("hand.R")] *= 1.5
    long_armed = replace(CLIP, skeleton=replace(CLIP.skeleton, offsets=arms, roles=CLIP.skeleton.roles))
    found, held = retarget_ball(TRACK, CLIP, long_armed), TRACK.contacts[:, 1]
    np.testing.assert_allclose(from_hand(long_armed, found)[held], from_hand(CLIP, TRACK)[held], atol=1e-9)
    bounce = int(TRACK.positions[:60, 2].argmin())
    assert abs(found.positions[bounce, 2] - TRACK.positions[bounce, 2]) < 0.03
    assert found.positions[:, 2].min() >= RADIUS_M


def test_a_walk_along_a_bend_takes_the_ball_along() -> None:
    turning = Dribbler(Walker(seconds=6.0, turn=0.6)).clip()
    found, held = retarget_ball(TRACK, CLIP, turning), TRACK.contacts[:, 1]
    np.testing.assert_allclose(from_hand(turning, found)[held, 2], from_hand(CLIP, TRACK)[held, 2], atol=0.01)
    assert np.linalg.norm(from_hand(turning, found)[held], axis=1).max() < 0.25
