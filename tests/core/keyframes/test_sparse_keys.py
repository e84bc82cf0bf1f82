"""Sparse keys: closed forms, and the bound at every frame."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from footfall.core.keyframes import hermite
from footfall.core.keyframes.point_model import KeyedBone, PointModel
from footfall.core.keyframes.sparse_keys import (
    CONTACT_BOUND_RATIO,
    MAX_QUATERNION_DRIFT,
    ChannelKeys,
    reduce_keys,
)
from footfall.core.motion import rotations as rot
from footfall.core.motion.rotations import Array

BOUND = 0.002
LENGTHS = (0.0, 0.5, 0.4, 0.2)
ARM = PointModel(
    tuple(
        KeyedBone(bone - 1, bone - 1, np.array([0.0, LENGTHS[bone], 0.0]), rot.IDENTITY, rot.IDENTITY, 1.0, 0.3)
        for bone in range(4)
    )
)
"""Four bones in a row; its points are four heads, the end of the last one and a point beside it."""


def one_point(tracks: Sequence[Array]) -> Array:
    """The location of the first track is the point."""
    return tracks[0][:, None, :3]


def arm_points(tracks: Sequence[Array]) -> Array:
    """The points of the arm: the location of its first bone, and four rotations."""
    locations = np.zeros((len(tracks[0]), 4, 3))
    locations[:, 0] = tracks[0]
    return ARM.positions(locations, rot.normalize(np.stack(tracks[1:], axis=1)))


def keys_of(track: Array, contacts: NDArray[np.bool_] | None = None) -> list[ChannelKeys]:
    touching = np.zeros((len(track), 1), dtype=bool) if contacts is None else contacts[:, None]
    return reduce_keys([track], [0], one_point, BOUND, touching)[0]


def frames_of(keys: Sequence[ChannelKeys]) -> list[list[int]]:
    return [own.frames.tolist() for own in keys]


def curve_of(keys: Sequence[ChannelKeys], count: int) -> Array:
    return np.stack([hermite.evaluate_curve(own.frames, own.values, own.slopes, count) for own in keys], axis=1)


def waves(count: int, channels: int, seed: int, roughness: float) -> Array:
    """Random smooth channels (F, n), and some jitter on top."""
    random = np.random.default_rng(seed)
    time = np.arange(count) / 60
    result = sum(
        np.sin(2 * np.pi * k * time[:, None] + random.uniform(0, 7, channels)) * random.normal(size=channels) / k**2
        for k in range(1, 6)
    )
    return np.asarray(result) * 0.3 + random.normal(size=(count, channels)) * roughness


def swinging_arm(count: int, seed: int, roughness: float) -> list[Array]:
    rotations = rot.exp(waves(count, 12, seed, roughness).reshape(count, 4, 3))
    return [waves(count, 3, seed + 1, roughness * 0.1), *np.moveaxis(rot.unroll(rotations), 1, 0)]


def check_keys(tracks: list[Array], contacts: NDArray[np.bool_]) -> list[list[ChannelKeys]]:
    """Finds keys of the arm and holds them to what they promise."""
    count = len(tracks[0])
    keys = reduce_keys(tracks, [0, 0, 1, 2, 3], arm_points, BOUND, contacts)
    curves = [curve_of(own, count) for own in keys]
    off = np.linalg.norm(arm_points(curves) - arm_points(tracks), axis=-1)
    assert off.max() <= BOUND * (1 + 1e-6)
    assert off[contacts].max(initial=0.0) <= BOUND * CONTACT_BOUND_RATIO * (1 + 1e-6)
    for track, curve, own in zip(tracks, curves, keys, strict=True):
        assert np.abs(curve - track)[[0, -1]].max() < 1e-3
        for channel in own:
            assert np.all(np.diff(channel.frames) > 0)
            assert channel.frames[0] == 0 and channel.frames[-1] == count - 1
    for track, curve in zip(tracks[1:], curves[1:], strict=True):
        assert (track * curve).sum(axis=-1).min() > 0.5, "no rotation takes the other sign"
        assert np.abs(curve - track).max() <= MAX_QUATERNION_DRIFT * (1 + 1e-6)
    return keys


def test_a_constant_has_keys_at_its_ends_alone() -> None:
    still = np.tile([1.0, 2.0, 3.0], (50, 1))
    keys = keys_of(still)
    assert frames_of(keys) == [[0, 49]] * 3
    np.testing.assert_allclose(curve_of(keys, 50), still)


def test_a_straight_line_is_two_keys() -> None:
    line = np.linspace(0, 1, 60)[:, None] * [1.0, -2.0, 0.5]
    keys = keys_of(line)
    assert frames_of(keys) == [[0, 59]] * 3
    np.testing.assert_allclose(curve_of(keys, 60), line, atol=1e-6)


def test_a_cubic_is_two_keys() -> None:
    time = np.linspace(0, 1, 80)[:, None]
    cubic = np.concatenate([time**3 + time, 2 * time**2 - 4 * time**3 + 9 * time, 3 * time], axis=1)
    keys = keys_of(cubic)
    assert frames_of(keys) == [[0, 79]] * 3
    np.testing.assert_allclose(curve_of(keys, 80), cubic, atol=1e-4)


def test_a_sine_has_its_extremes_and_few_keys_between() -> None:
    sine = np.sin(np.arange(121) / 120 * 4 * np.pi)[:, None] * [1.0, 0.0, 0.0]
    keys = keys_of(sine)
    extreme = keys[0].frames[keys[0].is_extreme]
    assert extreme.tolist() == [15, 45, 75, 105]
    np.testing.assert_allclose(keys[0].slopes[keys[0].is_extreme], 0.0, atol=5e-3)
    assert len(keys[0].frames) <= 16
    assert frames_of(keys[1:]) == [[0, 120]] * 2


def test_a_contact_has_keys_where_it_begins_and_ends_and_stands_still() -> None:
    time = np.linspace(0, 1, 100)
    way = np.interp(time, [0, 0.3, 0.7, 1.0], [0.0, 1.0, 1.0, 2.0])[:, None] * [1.0, 0.5, 0.0]
    contact = (time > 0.3) & (time < 0.7)
    first, last = np.flatnonzero(contact)[[0, -1]]
    keys = keys_of(way, contact)
    for channel in keys[:2]:
        marked = dict(zip(channel.frames.tolist(), channel.is_extreme.tolist(), strict=True))
        assert marked[int(first)] and marked[int(last)]
    off = np.linalg.norm(curve_of(keys, 100) - way, axis=-1)
    assert off[contact].max() <= BOUND * CONTACT_BOUND_RATIO
    assert off.max() <= BOUND


def test_channels_of_one_bone_have_their_keys_at_the_same_frames() -> None:
    tracks = swinging_arm(240, 5, 0.0)
    still = np.zeros((240, 6), dtype=bool)
    together = reduce_keys(tracks, [0, 0, 1, 2, 3], arm_points, BOUND, still)
    for bone in (together[2], together[3]):
        union = np.unique(np.concatenate([channel.frames for channel in bone]))
        assert len(union) < 0.75 * sum(len(channel.frames) for channel in bone)


@given(
    count=st.integers(5, 120),
    seed=st.integers(0, 10**6),
    roughness=st.sampled_from([0.0, 0.001, 0.02, 0.3]),
    touching=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 119), st.integers(1, 30)), max_size=4),
)
def test_the_bound_is_kept_whatever_moves(
    count: int, seed: int, roughness: float, touching: list[tuple[int, int, int]]
) -> None:
    contacts = np.zeros((count, 6), dtype=bool)
    for point, start, length in touching:
        contacts[start : start + length, point] = True
    check_keys(swinging_arm(count, seed, roughness), contacts)


def test_smooth_motion_has_few_keys() -> None:
    keys = check_keys(swinging_arm(500, 3, 0.0), np.zeros((500, 6), dtype=bool))
    channels = [channel for own in keys for channel in own]
    assert sum(len(channel.frames) for channel in channels) < 0.15 * 500 * len(channels)


def test_no_key_of_a_curve_could_be_left_out() -> None:
    """Without any of its keys, fixed ones apart, the curve through the others exceeds the bound somewhere."""
    wave = np.sin(np.arange(181) / 30.0 + 0.4 * np.sin(np.arange(181) / 11.0))[:, None] * [1.0, 0.0, 0.0]
    (channel, *_) = keys_of(wave)
    assert len(channel.frames) < 30
    inner = np.flatnonzero(~channel.is_extreme)[1:-1]
    for left_out in inner:
        frames, values, slopes = (np.delete(own, left_out) for own in (channel.frames, channel.values, channel.slopes))
        off = np.abs(hermite.evaluate_curve(frames, values, slopes, len(wave)) - wave[:, 0])
        assert off.max() > 0.9 * BOUND


@pytest.mark.parametrize(("seed", "count", "roughness", "most"), [(5, 240, 0.0, 0.125), (11, 180, 0.002, 0.175)])
def test_a_swinging_arm_needs_few_keys(seed: int, count: int, roughness: float, most: float) -> None:
    """As shares of all frames: without keys where the gain is largest, or without removing any, it needs more."""
    keys = check_keys(swinging_arm(count, seed, roughness), np.zeros((count, 6), dtype=bool))
    counts = [len(channel.frames) for own in keys for channel in own]
    assert sum(counts) < most * count * len(counts)


def sine(amplitude: float) -> Array:
    """Return a location whose first channel is two periods of a sine, over 121 frames."""
    return np.sin(np.arange(121) / 120 * 4 * np.pi)[:, None] * [amplitude, 0.0, 0.0]
