"""The search for keys, step by step: where a key is added, which channel gains by it, and which keys go again."""

from collections.abc import Sequence

import numpy as np

from footfall.core.keyframes import hermite
from footfall.core.keyframes.channels import ChannelJacobian, Channels
from footfall.core.keyframes.search import (
    PointErrors,
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
