"""Sliding maxima against the plain definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling.contacts.window_maximum import sliding_maximum


@given(st.data(), st.integers(1, 3), st.integers(1, 40))
def test_maxima_are_those_of_every_window(data: st.DataObject, lines: int, frames: int) -> None:
    shape = (lines, frames)
    cells = lines * frames
    values = np.reshape(data.draw(st.lists(st.floats(-5, 5), min_size=cells, max_size=cells)), shape)
    reach = np.reshape(data.draw(st.lists(st.floats(0, 50), min_size=cells, max_size=cells)), shape)
    away = np.abs(np.arange(frames)[:, None] - np.arange(frames))
    expected = np.where(away <= reach[..., None], values[:, None], -np.inf).max(axis=-1)
    np.testing.assert_array_equal(sliding_maximum(values, reach), expected)


def test_nothing_has_no_maxima() -> None:
    assert sliding_maximum(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0, 5)
    assert sliding_maximum(np.zeros((2, 0)), np.zeros((2, 0))).shape == (2, 0)
