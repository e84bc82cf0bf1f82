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
    smooth_positions,
    yaw_of,
)
from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.tests.support.dog import dog
from footfall.tests.support.walker import Walker, person

numbers = st.floats(-1e3, 1e3)
yaws = st.floats(-20.0, 20.0)


@given(arrays(float, (4, 3), elements=numbers), yaws)
def test_out_of_a_frame_is_the_way_back(vectors: np.ndarray, yaw: float) -> None:
    np.testing.assert_allclose(out_of_frame(into_frame(vectors, np.asarray(yaw)), np.asarray(yaw)), vectors, atol=1e-9)


@given(arrays(float, (4, 3), elements=numbers), yaws)
def test_out_of_a_frame_is_a_rotation_about_up(vectors: np.ndarray, yaw: float) -> None:
    np.testing.assert_allclose(
        out_of_frame(vectors, np.asarray(yaw)), rotate(rotation_about_up(yaw), vectors), atol=1e-9
    )


@given(arrays(float, (4, 2), elements=numbers), yaws)
def test_vectors_on_the_ground_are_seen_as_those_in_space(vectors: np.ndarray, yaw: float) -> None:
    raised = np.concatenate([vectors, np.ones((4, 1))], axis=1)
    np.testing.assert_array_equal(into_frame(vectors, np.asarray(yaw)), into_frame(raised, np.asarray(yaw))[:, :2])


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


def test_arms_are_not_needed() -> None:
    clip = Walker(heading=-0.4).clip()
    skeleton = Skeleton(
        clip.skeleton.names[:9], clip.skeleton.parents[:9], clip.skeleton.offsets[:9], clip.skeleton.tips[:9]
    )
    legs = Clip(skeleton, clip.rate, clip.root_positions, clip.rotations[:, :9])
    np.testing.assert_allclose(root_track(legs).yaws, -0.4, atol=1e-9)


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


def test_a_single_frame_goes_on_standing() -> None:
    longer = extrapolate_track(RootTrack(np.array([[1.0, 2.0]]), np.array([0.5])), 3, 4, 45)
    np.testing.assert_array_equal(longer.positions, np.tile([1.0, 2.0], (8, 1)))
    np.testing.assert_array_equal(longer.yaws, np.full(8, 0.5))


@pytest.mark.parametrize("frames", [1, 2, 3, 10, 60, 300])
def test_a_straight_way_stays_as_it_is_however_short(frames: int) -> None:
    line = np.arange(float(frames))[:, None] * [0.3, -0.4]
    np.testing.assert_allclose(smooth_positions(line, 24.0), line, atol=1e-9)


def test_smoothing_twice_takes_fast_sway_out_of_a_circle_and_nearly_keeps_its_radius() -> None:
    """A Gaussian takes a share g of a wave away; what is left of a circle is 1 - (1 - g)^2, and nothing of the sway."""
    angle = 0.8 * np.arange(600) / 60
    outward = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    sway = 0.03 * np.sin(4 * np.pi * np.arange(600) / 60)[:, None]
    smooth = smooth_positions((1.4 + sway) * outward, 24.0)
    share = np.exp(-((24.0 * 0.8 / 60) ** 2) / 2)
    radius = 1.4 * (1 - (1 - share) ** 2)
    np.testing.assert_allclose(np.linalg.norm(smooth[200:-200], axis=-1), radius, atol=1e-4)


def test_the_root_of_half_a_second_goes_as_fast_as_its_hips() -> None:
    walk = Walker(seconds=0.5).clip()
    under, smooth = (root_track(walk, smoothing).positions for smoothing in (0.0, 0.4))
    np.testing.assert_allclose(smooth, under, atol=1e-9)


def test_a_track_goes_on_at_the_mean_speed_of_its_window() -> None:
    """Ten frames at one meter a frame, then ten at three: four frames at the end are all fast, fifteen are not."""
    y = np.concatenate([np.arange(11.0), 10.0 + 3.0 * np.arange(1, 11)])
    track = RootTrack(np.stack([0 * y, y], axis=-1), np.zeros(21))
    for window, before, after in ((4, 1.0, 3.0), (15, 25 / 15, 35 / 15), (100, 2.0, 2.0)):
        longer = extrapolate_track(track, 2, 3, window).positions[:, 1]
        np.testing.assert_allclose(np.diff(longer[:3]), before)
        np.testing.assert_allclose(np.diff(longer[-4:]), after)


def test_a_turn_goes_on_at_the_mean_of_its_window() -> None:
    yaws = np.concatenate([0.1 * np.arange(11), 1.0 + 0.3 * np.arange(1, 11)])
    longer = extrapolate_track(RootTrack(np.zeros((21, 2)), yaws), 2, 3, 4).yaws
    np.testing.assert_allclose(np.diff(longer[:3]), 0.1)
    np.testing.assert_allclose(np.diff(longer[-4:]), 0.3)


@pytest.mark.parametrize("body", [dog(), person()], ids=["on four legs", "on two"])
def test_the_facing_is_smoothed_over_a_quarter_of_a_second(body: Skeleton) -> None:
    """Of a swing of half a hertz a Gaussian leaves exp(-(pi / 4)^2 / 2)."""
    seconds = np.arange(1200) / 60
    swing = 0.02 * np.sin(np.pi * seconds)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1200, len(body), 1))
    rotations[:, 0] = rotation_about_up(swing)
    yaws = root_track(Clip(body, 60.0, np.zeros((1200, 3)), rotations)).yaws
    turned = yaws - yaws[600]
    np.testing.assert_allclose(turned[300:900], np.exp(-((np.pi / 4) ** 2) / 2) * swing[300:900], atol=1e-5)
