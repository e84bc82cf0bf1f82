"""Channels by numbers worked out by hand: one that moves a point along (3, 4, 0), and others that meet at points."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.keyframes.channels import ChannelJacobian, Channels, Mask
from footfall.core.motion.rotations import Array

COUNT = 5
MIDDLE = 2
FREE = np.inf


def moving(points: Sequence[int], *directions: Sequence[float], count: int = COUNT) -> ChannelJacobian:
    """Return the Jacobian of a channel that moves each point in its own direction, at all frames alike."""
    derivatives = np.repeat(np.array(directions, dtype=np.float32).reshape(-1, 3)[..., None], count, axis=-1)
    return ChannelJacobian(np.array(points, dtype=np.intp), derivatives)


def at_frames(frames: Sequence[int], count: int = COUNT) -> Mask:
    return np.isin(np.arange(count), frames)


def one_channel(drift: float = FREE, keys: Mask | None = None, bound: float = 0.5) -> Channels:
    """Return a channel of zeros that moves one point by five meters per unit; an error of the bound weighs 1."""
    fixed = np.ones((1, COUNT), dtype=bool) if keys is None else keys[None]
    bounds = np.full((1, COUNT), bound)
    return Channels(np.zeros((1, COUNT)), [moving([0], (3, 4, 0))], bounds, fixed, np.array([drift]))


def several(*jacobians: ChannelJacobian, points: int = 3) -> Channels:
    """Return channels of zeros with keys at all frames, without a limit of their own."""
    shape = len(jacobians), COUNT
    bounds, drift = np.full((points, COUNT), 0.5), np.full(len(jacobians), FREE)
    return Channels(np.zeros(shape), jacobians, bounds, np.ones(shape, dtype=bool), drift)


def with_error(channels: Channels, error: Sequence[float], point: int = 0) -> Channels:
    """Return channels one of whose points is off at all frames."""
    channels.point_errors[point] = np.array(error)[:, None]
    return channels


def test_a_channel_is_as_sensitive_as_the_point_that_it_moves_most() -> None:
    channels = several(moving([0, 1], (3, 4, 0), (0, 0, 2)), moving([]))
    np.testing.assert_allclose(channels.max_sensitivity, [[5.0] * COUNT, [0.0] * COUNT])


@pytest.mark.parametrize(
    ("drift", "own"), [(FREE, 0.01), (0.1, 25.0), (1.0, 0.25)], ids=["without a limit", "a tenth", "one"]
)
def test_a_frame_weighs_as_much_as_its_points_and_a_little_for_its_own_value(drift: float, own: float) -> None:
    """Twenty-five square meters per unit at a bound of half a meter are 100, of which own values count 2 %."""
    weights = one_channel(drift).weights[0]
    np.testing.assert_allclose(weights[1:-1], 102.0 + own, rtol=1e-6)
    np.testing.assert_allclose(weights[[0, -1]], 102.0 + 100_000.0 + own, rtol=1e-6)


def test_the_gradient_points_against_the_error() -> None:
    channels = with_error(one_channel(), (1.0, 2.0, 7.0))
    np.testing.assert_allclose(channels.gradient(0), -(3 * 1 + 4 * 2) * 4.0)


def test_a_step_moves_the_points_along_with_the_channel() -> None:
    channels = with_error(one_channel(), (1.0, 2.0, 7.0))
    channels.apply_step(0, np.array([0.0, 0.5, 1.0, -1.0, 0.0]))
    expected = [[1.0, 2.5, 4.0, -2.0, 1.0], [2.0, 4.0, 6.0, -2.0, 2.0], [7.0] * 5]
    np.testing.assert_allclose(channels.point_errors[0], expected)


def test_a_sweep_takes_an_error_back_but_for_what_the_own_value_weighs() -> None:
    channels = with_error(one_channel(), (3.0, 4.0, 0.0))
    channels.sweep(np.array([True]))
    step = -100.0 / 102.01
    np.testing.assert_allclose(channels.curves[0, 1:-1], step, rtol=1e-4)
    np.testing.assert_allclose(channels.point_errors[0, 0, 1:-1], 3.0 * (1 + step), rtol=1e-2)
    assert np.abs(channels.curves[0, [0, -1]]).max() < 1e-3, "the ends keep their values"


def test_a_channel_takes_back_what_the_one_before_it_has_left() -> None:
    both = with_error(several(moving([0], (3, 4, 0)), moving([0], (3, 4, 0))), (3.0, 4.0, 0.0))
    both.sweep(np.array([True, True]))
    step, left = -100.0 / 102.01, 2.01 / 102.01
    np.testing.assert_allclose(both.curves[:, MIDDLE], [step, step * left], rtol=1e-3)


def test_a_channel_that_is_not_chosen_stays() -> None:
    both = with_error(several(moving([0], (3, 4, 0)), moving([0], (3, 4, 0))), (3.0, 4.0, 0.0))
    both.sweep(np.array([False, True]))
    assert not both.curves[0].any()
    np.testing.assert_allclose(both.curves[1, MIDDLE], -100.0 / 102.01, rtol=1e-4)


def test_channels_fitted_by_themselves_follow_their_own_values() -> None:
    own = np.array([[0.0, 1.0, 4.0, 9.0, 16.0], [1.0, 0.0, 1.0, 0.0, 1.0]])
    keys = np.stack([at_frames([0, 4]), at_frames([0, 4])])
    jacobians = [moving([0], (1, 0, 0)), moving([1], (1, 0, 0))]
    channels = Channels(own, jacobians, np.full((2, COUNT), 0.5), keys, np.full(2, FREE))
    channels.fit_independently(np.array([0]))
    np.testing.assert_allclose(channels.curves[0], own[0], atol=1e-4)
    np.testing.assert_allclose(channels.values[0, [0, 4]], [0.0, 16.0], atol=1e-4)
    np.testing.assert_allclose(channels.slopes[0, [0, 4]], [0.0, 8.0], atol=1e-3)
    np.testing.assert_array_equal(channels.curves[1], own[1])
    channels.fit_independently(np.array([1]))
    assert np.abs(channels.curves[1] - own[1]).max() > 0.3, "a cubic does not zigzag"


def test_the_error_of_a_curve_is_from_its_channel() -> None:
    channels = one_channel()
    channels.dense_values[0], channels.curves[0] = 1.0, [1.0, 3.0, 0.0, 1.0, 1.0]
    np.testing.assert_array_equal(channels.value_errors(0), [0.0, 2.0, -1.0, 0.0, 0.0])


def test_intervals_are_between_keys_of_one_channel() -> None:
    keys = np.stack([at_frames([0, 2, 4]), at_frames([0, 4]), at_frames([0, 1, 4])])
    channels = Channels(np.zeros((3, COUNT)), [moving([0], (1, 0, 0))] * 3, np.ones((1, COUNT)), keys, np.full(3, FREE))
    owner, starts, stops = channels.key_intervals()
    assert (owner.tolist(), starts.tolist(), stops.tolist()) == ([0, 0, 1, 2, 2], [0, 2, 0, 0, 1], [2, 4, 4, 1, 4])


def test_a_channel_that_is_given_its_own_values_has_keys_at_all_frames() -> None:
    own = np.array([[0.0, 1.0, 4.0, 9.0, 16.0], [5.0, 4.0, 3.0, 2.0, 1.0]])
    keys = np.stack([at_frames([0, 4])] * 2)
    channels = Channels(own, [moving([0], (1, 0, 0))] * 2, np.ones((1, COUNT)), keys, np.full(2, FREE))
    channels.curves[:], channels.values[:], channels.slopes[:] = 7.0, 7.0, 7.0
    channels.restore_dense(np.array([True, False]))
    assert channels.is_key.tolist() == [[True] * 5, [True, False, False, False, True]]
    for restored in (channels.curves, channels.values):
        np.testing.assert_array_equal(restored, [own[0], [7.0] * 5])
    np.testing.assert_allclose(channels.slopes, [[0.0, 2.0, 4.0, 6.0, 8.0], [7.0] * 5])
    assert keys.sum() == 4, "the fixed keys are what they were"


def test_points_begin_without_an_error() -> None:
    channels: Channels = one_channel()
    errors: Array = channels.point_errors
    assert errors.shape == (1, 3, COUNT) and not errors.any()
