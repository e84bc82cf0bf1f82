"""The search for keys, step by step: where a key is added, which channel gains by it, and which keys go again."""

from collections.abc import Sequence

import numpy as np
import pytest

from footfall.core.keyframes import hermite
from footfall.core.keyframes.channels import ChannelJacobian, Channels
from footfall.core.keyframes.search import (
    MAX_NEW_KEYS_PER_FRAME,
    PointErrors,
    _add_key,
    _add_useful_keys,
    _fit_independently,
    _fit_jointly,
    _key_every_frame,
    _key_gains,
    _prune_keys,
    _split_intervals,
    search_keys,
)
from footfall.core.motion.rotations import Array

COUNT = 41
BOUND = 0.01
TIME = np.arange(COUNT) / (COUNT - 1)
ALONG = np.eye(3)


def along(point: int, axis: int, scale: float = 1.0) -> ChannelJacobian:
    """Return the Jacobian of a channel that moves one point along an axis, meters per unit."""
    derivatives = np.repeat((scale * ALONG[axis])[None, :, None], COUNT, axis=-1)
    return ChannelJacobian(np.array([point]), derivatives.astype(np.float32))


def channels_of(own: Array, jacobians: Sequence[ChannelJacobian], points: int, drift: float = np.inf) -> Channels:
    """Return channels with keys at their ends."""
    fixed = np.zeros(own.shape, dtype=bool)
    fixed[:, [0, -1]] = True
    return Channels(own, jacobians, np.full((points, COUNT), BOUND), fixed, np.full(len(own), drift))


def resting(count: int = 1, keys: Sequence[int] = ()) -> Channels:
    """Return channels of zeros, each along its own axis of one point, with some further keys."""
    channels = channels_of(np.zeros((count, COUNT)), [along(0, axis) for axis in range(count)], 1)
    channels.is_key[:, list(keys)] = True
    return channels


def keys_of(channels: Channels) -> list[list[int]]:
    return [np.flatnonzero(own).tolist() for own in channels.is_key]


def errors_from(own: Array, places: Sequence[tuple[int, int]], points: int) -> PointErrors:
    """Return the errors of points that the channels themselves move, each one point along one axis."""

    def errors_of(curves: Array) -> Array:
        errors = np.zeros((points, 3, COUNT))
        for error, place in zip(curves - own, places, strict=True):
            errors[place] += error
        return errors

    return errors_of


@pytest.mark.parametrize(
    ("preferred", "frame"),
    [(20, 20), (17, 17), (11, 15), (15, 15), (29, 25), (25, 25)],
    ids=["middle", "inside", "near the start", "at the margin", "near the end", "at the other margin"],
)
def test_a_new_key_keeps_a_quarter_of_its_interval_from_the_ends(preferred: int, frame: int) -> None:
    channels = resting()
    _add_key(channels, np.zeros(1, dtype=int), 0, 10, 30, preferred)
    assert keys_of(channels) == [[0, frame, 40]]


@pytest.mark.parametrize("preferred", [10, 11, 12])
def test_the_only_frame_between_two_keys_is_where_a_key_can_be(preferred: int) -> None:
    channels = resting()
    _add_key(channels, np.zeros(1, dtype=int), 0, 10, 12, preferred)
    assert keys_of(channels) == [[0, 11, 40]]


def test_a_new_key_is_where_another_channel_of_its_bone_has_one() -> None:
    channels = resting(3)
    channels.is_key[1, [14, 15, 23, 26]] = True
    channels.is_key[2, 20] = True
    _add_key(channels, np.array([7, 7, 8]), 0, 10, 30, 20)
    assert keys_of(channels)[0] == [0, 23, 40], "the nearest one of the same bone"
    channels = resting(2)
    channels.is_key[1, [14, 26]] = True
    _add_key(channels, np.array([7, 7]), 0, 10, 30, 20)
    assert keys_of(channels)[0] == [0, 20, 40], "those near the ends are none"
    channels = resting(2)
    channels.is_key[1, 25] = True
    _add_key(channels, np.array([7, 7]), 0, 10, 30, 20)
    assert keys_of(channels)[0] == [0, 25, 40], "the last place that is not too near"


def test_an_interval_is_split_at_its_worst_frame_if_it_is_beyond_its_bound() -> None:
    channels = resting(2, keys=(20,))
    ratio = np.zeros((2, COUNT))
    ratio[0, 8], ratio[0, 12], ratio[0, 30], ratio[1, 9] = 3.0, 2.0, 1.0, 0.9
    assert _split_intervals(channels, np.arange(2), ratio).tolist() == [0]
    assert keys_of(channels) == [[0, 8, 20, 40], [0, 20, 40]]


def test_the_last_frame_of_an_interval_belongs_to_the_next_one() -> None:
    channels = resting(1, keys=(20,))
    ratio = np.zeros((1, COUNT))
    ratio[0, 20] = 2.0
    _split_intervals(channels, np.arange(1), ratio)
    assert keys_of(channels) == [[0, 20, 25, 40]]


def test_neighboring_keys_have_no_frame_for_another_one() -> None:
    channels = resting(1, keys=(20, 21, 23))
    ratio = np.zeros((1, COUNT))
    ratio[0, 20:23] = 2.0
    assert _split_intervals(channels, np.arange(1), ratio).tolist() == [0]
    assert keys_of(channels) == [[0, 20, 21, 22, 23, 40]]
    channels = resting(1, keys=(20, 21))
    ratio[0, 21:] = 0.0
    assert _split_intervals(channels, np.arange(1), ratio).tolist() == []


def test_channels_without_frames_are_not_split() -> None:
    nothing = Channels(np.zeros((0, COUNT)), [], np.zeros((0, COUNT)), np.zeros((0, COUNT), dtype=bool), np.zeros(0))
    assert _split_intervals(nothing, np.zeros(0, dtype=int), np.zeros((0, COUNT))).tolist() == []


def test_each_channel_is_split_until_it_keeps_the_bound_by_itself() -> None:
    own = np.stack([np.sin(9 * TIME), TIME**3])
    channels = channels_of(own, [along(0, 0), along(1, 1)], 2)
    _fit_independently(channels, np.arange(2), BOUND)
    off = np.abs(channels.curves - own).max(axis=1)
    assert off.max() <= BOUND
    few, two = keys_of(channels)
    assert 3 <= len(few) <= 8 and two == [0, 40], "a cubic needs none between its ends"


def test_the_bound_of_a_channel_is_its_points_over_their_lever() -> None:
    own = np.sin(9 * TIME)[None]
    counts = []
    for lever in (10.0, 1.0, 0.001):
        channels = channels_of(own, [along(0, 0, lever)], 1)
        _fit_independently(channels, np.zeros(1, dtype=int), BOUND)
        counts.append(len(keys_of(channels)[0]))
        assert np.abs(channels.curves - own).max() * lever <= BOUND
    assert counts[0] > counts[1] > counts[2] == 2


def test_a_channel_keeps_its_own_limit_also_where_its_point_hardly_moves() -> None:
    channels = channels_of(np.sin(9 * TIME)[None], [along(0, 0, 1e-6)], 1, drift=0.1)
    _fit_independently(channels, np.zeros(1, dtype=int), BOUND)
    assert np.abs(channels.curves - channels.dense_values).max() <= 0.1
    assert len(keys_of(channels)[0]) > 2


def brute_gain(channels: Channels, keys: Sequence[int], middle: int) -> float:
    """Return how much the weighted squared error falls by the best key at a frame, the others as they are."""
    more = np.insert(np.array(keys), np.searchsorted(keys, middle), middle)
    unit = (more == middle).astype(float)
    basis = np.stack(
        [hermite.evaluate_curve(more, *pair, COUNT) for pair in ((unit, 0 * unit), (0 * unit, unit))], axis=1
    )
    gradient, weights = channels.gradient(0), channels.weights[0]
    right, normal = basis.T @ gradient, basis.T @ (weights[:, None] * basis)
    return float(right @ np.linalg.solve(normal, right))


def test_the_gain_of_a_key_is_the_fall_of_the_weighted_squared_error() -> None:
    """Against the normal equations written out, of an error that bends to both sides."""
    channels = resting(1, keys=(20,))
    channels.point_errors[0, 0] = 0.1 * np.sin(np.pi * TIME * 2) + 0.05 * np.sin(np.pi * TIME * 4)
    owner, starts, stops = channels.key_intervals()
    gains = _key_gains(channels, owner, starts, stops, np.full((1, COUNT), 2.0))
    expected = [brute_gain(channels, [0, 20, 40], middle) for middle in (10, 30)]
    np.testing.assert_allclose(gains, expected, rtol=1e-4)


def test_the_gain_counts_that_value_and_slope_of_a_key_pull_together() -> None:
    """With an interval of uneven halves and frames that weigh differently, both depend on each other."""
    bounds = BOUND * (0.5 + TIME)[None]
    fixed = np.isin(np.arange(COUNT), [0, 17, 40])[None]
    channels = Channels(np.zeros((1, COUNT)), [along(0, 0)], bounds, fixed, np.array([np.inf]))
    channels.point_errors[0, 0] = 0.1 * TIME**2 - 0.03
    owner, starts, stops = channels.key_intervals()
    gains = _key_gains(channels, owner, starts, stops, np.full((1, COUNT), 2.0))
    expected = [brute_gain(channels, [0, 17, 40], middle) for middle in (8, 28)]
    np.testing.assert_allclose(gains, expected, rtol=1e-4)


def test_there_is_no_gain_where_the_bound_is_kept_or_no_frame_is_free() -> None:
    channels = resting(2, keys=(20, 21))
    channels.point_errors[0] = 0.1
    worst = np.zeros((2, COUNT))
    worst[0, 5], worst[0, 20], worst[0, 30], worst[1, 30] = 1.0, 2.0, 2.0, 2.0
    owner, starts, stops = channels.key_intervals()
    gains = _key_gains(channels, owner, starts, stops, worst)
    assert (gains > 0).tolist() == [False, False, True, False, False, True]


def test_a_single_frame_between_two_keys_gains_by_its_value_alone() -> None:
    channels = resting(1, keys=(20, 22))
    channels.point_errors[0, 0] = 0.1
    owner, starts, stops = channels.key_intervals()
    gains = _key_gains(channels, owner, starts, stops, np.full((1, COUNT), 2.0))
    pull, weight = 0.1 / BOUND**2, 1.0201 / BOUND**2
    assert gains[1] == pytest.approx(pull**2 / weight, rel=1e-3)


def test_the_channel_along_the_error_gets_the_key() -> None:
    channels = resting(2)
    channels.point_errors[0, 1, 10:31] = 0.1
    grown = _add_useful_keys(channels, np.arange(2), channels.all_squared_error_ratios())
    assert grown.tolist() == [False, True]
    assert keys_of(channels) == [[0, 40], [0, 20, 40]]


def test_one_frame_asks_for_no_more_than_a_few_keys() -> None:
    """Five channels move the point that is off, all of them alike."""
    channels = channels_of(np.zeros((5, COUNT)), [along(0, 0)] * 5, 1)
    channels.point_errors[0, 0, 20] = 0.1
    grown = _add_useful_keys(channels, np.arange(5), channels.all_squared_error_ratios())
    assert grown.sum() == MAX_NEW_KEYS_PER_FRAME == 3
    assert sorted(map(len, keys_of(channels))) == [2, 2, 3, 3, 3]


def test_no_key_is_added_for_an_error_at_its_bound() -> None:
    channels = resting(1)
    channels.point_errors[0, 0] = 0.5 * BOUND
    assert not _add_useful_keys(channels, np.arange(1), np.ones((1, COUNT))).any()
    assert keys_of(channels) == [[0, 40]]


def curve_with_keys(keys: Sequence[int]) -> Channels:
    """Return a channel of a straight line whose curve goes through keys of it."""
    channels = channels_of(TIME[None].copy(), [along(0, 0)], 1)
    channels.is_key[0, list(keys)] = True
    return channels


def test_keys_of_a_straight_line_go_again_every_second_one_at_a_time() -> None:
    channels = curve_with_keys((5, 10, 20, 22))
    assert (_prune_keys(channels, 0.95), keys_of(channels)) == (3, [[0, 10, 40]]), "of two neighbors one stays at first"
    assert (_prune_keys(channels, 0.95), keys_of(channels)) == (1, [[0, 40]])
    assert _prune_keys(channels, 0.95) == 0
    np.testing.assert_allclose(channels.curves[0], TIME, atol=1e-12)


def test_fixed_keys_stay() -> None:
    channels = curve_with_keys((5, 10, 20, 22))
    channels.fixed_keys[0, [5, 20]] = True
    assert _prune_keys(channels, 0.95) == 2
    assert keys_of(channels) == [[0, 5, 20, 40]]


@pytest.mark.parametrize(("bump", "stays"), [(0.9, False), (1.1, True)])
def test_a_key_stays_where_an_error_would_grow_beyond_the_bound(bump: float, stays: bool) -> None:
    channels = channels_of(np.zeros((1, COUNT)), [along(0, 0)], 1)
    channels.is_key[0, 20] = True
    channels.values[0, 20] = bump * BOUND
    channels.curves[0] = hermite.evaluate_curve(
        np.array([0, 20, 40]), channels.values[0, [0, 20, 40]], channels.slopes[0, [0, 20, 40]], COUNT
    )
    removed = _prune_keys(channels, 1.0)
    assert keys_of(channels) == ([[0, 20, 40]] if stays else [[0, 40]])
    assert removed == (0 if stays else 1)
    assert channels.curves[0, 20] == pytest.approx(bump * BOUND if stays else 0.0)
    assert channels.point_errors[0, 0, 20] == pytest.approx(0.0 if stays else -bump * BOUND)


def test_a_key_may_go_where_an_error_is_large_already_and_does_not_grow() -> None:
    channels = curve_with_keys((20,))
    channels.point_errors[0, 2] = 9 * BOUND
    assert _prune_keys(channels, 0.95) == 1


def test_a_key_stays_where_a_channel_would_leave_its_own_limit() -> None:
    for drift, removed in ((0.3, 1), (0.2, 0)):
        channels = channels_of(np.zeros((1, COUNT)), [along(0, 0, 1e-6)], 1, drift=drift)
        channels.dense_values[0] = 0.25 * np.exp(-((np.arange(COUNT) - 20.0) ** 2) / 20)
        channels.is_key[0, 20] = True
        channels.values[0] = channels.dense_values[0]
        channels.values[0, [0, -1]] = 0.0
        channels.slopes[0] = 0.0
        channels.curves[0] = channels.dense_values[0]
        assert _prune_keys(channels, 0.95) == removed


def test_channels_of_points_that_are_still_off_get_all_frames() -> None:
    own = np.stack([np.sin(9 * TIME), np.sin(7 * TIME)])
    channels = channels_of(own, [along(0, 0), along(1, 1)], 2)
    channels.curves[0], channels.curves[1] = 0.0, own[1]
    _key_every_frame(channels, errors_from(channels.dense_values, [(0, 0), (1, 1)], 2))
    assert channels.is_key.sum(axis=1).tolist() == [COUNT, 2]
    np.testing.assert_array_equal(channels.curves, own)


def test_what_keeps_its_bounds_is_not_touched() -> None:
    channels = curve_with_keys(())
    before = channels.weights.copy()
    _fit_jointly(channels, np.zeros(1, dtype=int), errors_from(channels.dense_values, [(0, 0)], 1), 40)
    assert keys_of(channels) == [[0, 40]]
    np.testing.assert_array_equal(channels.weights, before)


def test_keys_are_added_until_all_points_keep_their_bounds() -> None:
    own = np.sin(9 * TIME)[None]
    channels = channels_of(own, [along(0, 0)], 1)
    channels.curves[0] = 0.0
    _fit_jointly(channels, np.zeros(1, dtype=int), errors_from(channels.dense_values, [(0, 0)], 1), 40)
    assert np.abs(channels.curves - own).max() <= BOUND
    assert keys_of(channels) == [[0, 5, 10, 15, 20, 25, 30, 35, 40]], "halved three times"


def test_rounds_sweep_the_channels_of_points_that_are_off_and_now_and_then_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two points one is off, whatever its channel does; after eight rounds there are four sweeps in each."""
    channels = channels_of(np.zeros((2, COUNT)), [along(0, 0), along(1, 0)], 2)
    errors = np.zeros((2, 3, COUNT))
    errors[0, 0], errors[1, 0] = 2 * BOUND, 0.5 * BOUND
    swept: list[list[bool]] = []
    monkeypatch.setattr(Channels, "sweep", lambda _, chosen: swept.append(chosen.tolist()))
    _fit_jointly(channels, np.arange(2), lambda _: errors, 10)
    both, one = [True, True], [True, False]
    assert swept == [both, one, one, one, both, one, one, one, *[both] * 4, *[one] * 4]


def test_another_channel_takes_over_where_one_may_not_have_keys() -> None:
    """Two channels move one point alike: the error of the first is taken back by the second."""
    own = np.stack([0.2 * np.sin(np.pi * TIME) ** 2, np.zeros(COUNT)])
    channels = channels_of(own, [along(0, 0), along(0, 0)], 1)
    search_keys(channels, np.arange(2), BOUND, errors_from(channels.dense_values, [(0, 0), (0, 0)], 1))
    assert np.abs((channels.curves - own).sum(axis=0)).max() <= BOUND
    assert channels.is_key.sum() <= 6


def test_the_search_ends_with_the_curves_of_its_keys() -> None:
    own = np.stack([np.sin(9 * TIME), np.cos(5 * TIME), TIME**2])
    places = [(0, 0), (0, 1), (1, 2)]
    channels = channels_of(own, [along(*place) for place in places], 2)
    search_keys(channels, np.array([0, 0, 1]), BOUND, errors_from(channels.dense_values, places, 2))
    for row, frames in enumerate(keys_of(channels)):
        values, slopes = channels.values[row, frames], channels.slopes[row, frames]
        np.testing.assert_allclose(
            channels.curves[row], hermite.evaluate_curve(np.array(frames), values, slopes, COUNT), atol=1e-9
        )
    errors = errors_from(own, places, 2)(channels.curves)
    assert np.linalg.norm(errors, axis=1).max() <= BOUND
    assert keys_of(channels)[2] == [0, 40]
    assert channels.is_key.sum() <= 15
