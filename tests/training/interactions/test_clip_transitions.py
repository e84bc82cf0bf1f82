"""Clips joined: the same stride goes on, wherever either clip was."""

import numpy as np
import pytest

from footfall.core.motion.root_frame import root_track
from footfall.tests.support.walker import Walker
from footfall.training.interactions import clip_transitions
from footfall.training.interactions.clip_transitions import cross_fade, find_transition, place_clip

WALK = Walker(speed=1.2, seconds=4.0).clip()


def test_a_clip_is_most_like_itself_a_stride_later() -> None:
    join = find_transition(WALK, WALK.cut(60, 240), range(100, 101), range(180))
    assert join.mean_joint_distance < 1e-3
    strides = (100 - 60 - join.second_frame) / (WALK.rate * 1.0)
    assert abs(strides - round(strides)) < 0.05, "a whole number of cycles apart"


@pytest.mark.parametrize("moved", ["first", "second"])
def test_a_walk_joined_to_itself_elsewhere_goes_on_walking(moved: str) -> None:
    other = place_clip(WALK, 0, np.array([5.0, -3.0]), 2.0)
    both, at = cross_fade(WALK, other, find_transition(WALK, other, range(100, 130), range(40, 110)), moved)
    speed = np.linalg.norm(np.diff(root_track(both).positions, axis=0), axis=1) * both.rate
    np.testing.assert_allclose(speed, 1.2, atol=0.1)
    jumps = np.linalg.norm(np.diff(both.positions, n=2, axis=0), axis=-1)
    alone = np.linalg.norm(np.diff(WALK.positions, n=2, axis=0), axis=-1)
    assert jumps.max() < 1.5 * alone.max(), "no joint is jerked"
    still = both.positions[-1] if moved == "first" else both.positions[0]
    where = other.positions[-1] if moved == "first" else WALK.positions[0]
    np.testing.assert_allclose(still, where, atol=1e-9, err_msg="one of them stays where it was")
    assert at > clip_transitions.TUNING.half_fade


def test_a_clip_is_brought_to_a_place_and_a_direction() -> None:
    moved = place_clip(WALK, 50, np.array([1.0, 2.0]), -1.0)
    track = root_track(moved)
    np.testing.assert_allclose(track.positions[50], [1.0, 2.0], atol=1e-9)
    assert abs(track.yaws[50] + 1.0) < 0.02
    np.testing.assert_allclose(moved.positions[..., 2], WALK.positions[..., 2], atol=1e-9)
