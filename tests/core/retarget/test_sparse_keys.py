"""Sparse keys: closed forms, and the bound at every frame."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from footfall.core.motion.rotations import Array
from footfall.core.retarget import hermite
from footfall.core.retarget.sparse_keys import Keys, sparse_keys

BOUND = 0.002


def one_point(tracks: Sequence[Array]) -> Array:
    """The location of the first track is the point."""
    return tracks[0][:, None, :3]


def keys_of(track: Array, contacts: NDArray[np.bool_] | None = None, bound: float = BOUND) -> list[Keys]:
    touching = np.zeros((len(track), 1), dtype=bool) if contacts is None else contacts[:, None]
    return sparse_keys([track], [0], one_point, bound, touching)[0]


def frames_of(keys: Sequence[Keys]) -> list[list[int]]:
    return [own.frames.tolist() for own in keys]


def curve_of(keys: Sequence[Keys], count: int) -> Array:
    return np.stack([hermite.evaluate(own.frames, own.values, own.slopes, count) for own in keys], axis=1)


def test_constant_has_keys_at_its_ends_alone() -> None:
    keys = keys_of(np.tile([1.0, 2.0, 3.0], (50, 1)))
    assert frames_of(keys) == [[0, 49]] * 3
    np.testing.assert_allclose(curve_of(keys, 50), np.tile([1.0, 2.0, 3.0], (50, 1)))


def test_straight_line_is_two_keys() -> None:
    line = np.linspace(0, 1, 60)[:, None] * [1.0, -2.0, 0.5]
    keys = keys_of(line)
    assert frames_of(keys) == [[0, 59]] * 3
    np.testing.assert_allclose(curve_of(keys, 60), line, atol=1e-6)


def test_cubic_is_two_keys() -> None:
    time = np.linspace(0, 1, 80)[:, None]
    cubic = np.concatenate([time**3 + time, 2 * time**2 - 4 * time**3 + 9 * time, 3 * time], axis=1)
    keys = keys_of(cubic)
    assert frames_of(keys) == [[0, 79]] * 3
    np.testing.assert_allclose(curve_of(keys, 80), cubic, atol=1e-4)
