"""The root: where a character is and where it faces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.root_frame import (
    RootTrack,
    extrapolate_track,
    facing_direction,
    into_frame,
    out_of_frame,
    root_track,
    yaw_of,
)
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.walker import Walker

numbers = st.floats(-1e3, 1e3)
yaws = st.floats(-20.0, 20.0)


@given(arrays(float, (4, 3), elements=numbers), yaws)
def test_out_of_a_frame_is_the_way_back(vectors: np.ndarray, yaw: float) -> None:
    np.testing.assert_allclose(out_of_frame(into_frame(vectors, np.asarray(yaw)), np.asarray(yaw)), vectors, atol=1e-9)


@given(yaws)
def test_the_facing_direction_is_forwards_in_its_own_frame(yaw: float) -> None:
    np.testing.assert_allclose(into_frame(facing_direction(np.asarray(yaw)), np.asarray(yaw)), [0.0, 1.0], atol=1e-12)
    assert np.cos(yaw_of(facing_direction(np.asarray(yaw))) - yaw) == pytest.approx(1.0)


def test_yaw_zero_faces_plus_y_and_a_positive_yaw_turns_left() -> None:
    np.testing.assert_allclose(facing_direction(np.asarray(0.0)), [0.0, 1.0])
    np.testing.assert_allclose(facing_direction(np.asarray(np.pi / 2)), [-1.0, 0.0], atol=1e-15)
    # The right of a character that faces -X is north.
    np.testing.assert_allclose(into_frame(np.array([0.0, 1.0]), np.asarray(np.pi / 2)), [1.0, 0.0], atol=1e-15)


def test_the_root_of_a_walker_is_where_the_walker_is() -> None:
    walker = Walker(heading=0.7)
    track = root_track(walker.clip())
    along = walker.speed * (walker.times + walker.start * walker.cycle)
    np.testing.assert_allclose(track.positions, along[:, None] * facing_direction(np.asarray(0.7)), atol=1e-9)
    np.testing.assert_allclose(track.yaws, 0.7, atol=1e-9)


def test_the_root_turns_with_a_walker_on_a_circle_and_its_yaw_goes_on_growing() -> None:
    walker = Walker(turn=0.9, seconds=10.0)
    track = root_track(walker.clip())
    exact = 0.9 * (walker.times + walker.start)
    inside = slice(60, -60)
    assert exact[-1] - exact[0] > 2 * np.pi
    # Smoothing leaves an even turn as it is, but for the ends.
    np.testing.assert_allclose((track.yaws - exact)[inside], (track.yaws - exact)[300], atol=1e-3)
    assert np.cos(track.yaws[300] - exact[300]) == pytest.approx(1.0, abs=1e-4)


def test_the_facing_does_not_shake_with_the_shoulders() -> None:
    walker = Walker()
    clip = walker.clip()
    rotations = clip.rotations.copy()
    rotations[:, clip.skeleton.joint("spine")] = rotation_about_up(0.3 * np.sin(2 * np.pi * walker.times * 2))
    shaking = root_track(Clip(clip.skeleton, clip.rate, clip.root_positions, rotations))
    assert np.abs(shaking.yaws).max() < 0.05


def test_a_skeleton_without_thighs_has_no_root() -> None:
    skeleton = Skeleton(("hips", "head"), (-1, 0), np.zeros((2, 3)), np.zeros((2, 3)))
    clip = Clip(skeleton, 60.0, np.zeros((3, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (3, 2, 1)))
    with pytest.raises(FootfallError, match=r"thigh\.L"):
        root_track(clip)


@pytest.mark.parametrize("turn", [0.0, 0.02, -0.05])
def test_a_circle_goes_on_as_the_same_circle(turn: float) -> None:
    def circle(frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        yaw = 0.3 + turn * frames
        if turn == 0:
            return 0.02 * frames[:, None] * facing_direction(np.asarray(0.3)), np.broadcast_to(yaw, len(frames))
        return 0.02 / turn * np.stack([np.cos(yaw), np.sin(yaw)], axis=-1), yaw

    positions, yaws = circle(np.arange(100.0))
    longer = extrapolate_track(RootTrack(positions, yaws), 30, 40, 20)
    expected_positions, expected_yaws = circle(np.arange(-30.0, 140.0))
    np.testing.assert_allclose(longer.yaws, expected_yaws, atol=1e-9)
    np.testing.assert_allclose(longer.positions, expected_positions, atol=1e-9)
    np.testing.assert_array_equal(longer.positions[30:130], positions)
