"""Whole strides of known phases."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.terrain.cycle_bounds import find_strides


def test_strides_go_from_right_strike_to_right_strike() -> None:
    phase = (np.arange(200) / 50 + 0.31) % 1.0  # wraps at 35, 85, 135 and 185
    assert find_strides(phase, np.zeros(200, dtype=bool)).tolist() == [[35, 85], [85, 135], [135, 185]]


def test_strides_that_are_stood_are_left_out() -> None:
    phase = (np.arange(200) / 50 + 0.31) % 1.0
    standing = np.zeros(200, dtype=bool)
    standing[100:140] = True
    assert find_strides(phase, standing).tolist() == [[35, 85], [135, 185]]


def test_a_clip_without_a_whole_stride_has_none() -> None:
    assert find_strides(np.linspace(0.1, 0.9, 30), np.zeros(30, dtype=bool)).shape == (0, 2)
    assert find_strides((np.linspace(0.5, 1.4, 30)) % 1, np.zeros(30, dtype=bool)).shape == (0, 2)


@given(st.lists(st.floats(0.01, 0.1), min_size=2, max_size=300), st.floats(0, 0.99))
def test_every_stride_is_one_cycle_and_they_follow_each_other(steps: list[float], start: float) -> None:
    unwrapped = start + np.cumsum(steps)
    spans = find_strides(unwrapped % 1.0, np.zeros(len(steps), dtype=bool))
    assert len(spans) == max(int(unwrapped[-1]) - int(unwrapped[0]) - 1, 0)
    assert (spans[1:, 0] == spans[:-1, 1]).all()
    np.testing.assert_array_equal(np.floor(unwrapped[spans[:, 1]]) - np.floor(unwrapped[spans[:, 0]]), 1)
