"""Every frame of a clip gets a ground: strides, and what is left between them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling import Labels
from footfall.core.terrain.stride_segments import MAX_SEGMENT_S, MIN_SEGMENT_S, find_strides, stride_segments


def labelled(strikes: list[int], frames: int, rate: float = 60.0, standing: bool = False) -> Labels:
    """Labels whose right foot comes down at these frames."""
    edges = [0, *strikes, frames]
    phase = np.concatenate([np.linspace(0, 1, b - a, endpoint=False) for a, b in pairwise(edges)])
    gaits = np.tile([float(standing), float(not standing)], (frames, 1))
    none = np.zeros((frames, 0))
    return Labels(rate, (), none, phase, ("stand", "walk"), gaits, np.array([], int), np.array(strikes, int), 0.0)


def test_strides_stay_whole():
    parts = stride_segments(labelled([40, 100, 170], 230))
    assert parts.tolist() == [[0, 40], [40, 100], [100, 170], [170, 230]]


@pytest.mark.parametrize("standing", [False, True])
def test_who_takes_no_stride_is_cut_into_equal_parts(standing: bool):
    assert stride_segments(labelled([], 240, standing=standing)).tolist() == [[0, 80], [80, 160], [160, 240]]


@given(steps=st.lists(st.integers(25, 120), max_size=8), before=st.integers(1, 300), after=st.integers(1, 300))
def test_every_frame_is_in_one_part(steps: list[int], before: int, after: int):
    strikes = (before + np.concatenate([[0], np.cumsum(steps, dtype=int)])).tolist()
    frames = strikes[-1] + after
    parts = stride_segments(labelled(strikes, frames))
    assert parts[0, 0] == 0 and parts[-1, 1] == frames
    np.testing.assert_array_equal(parts[1:, 0], parts[:-1, 1])
    lengths = np.diff(parts, axis=1)
    assert lengths.max() <= max([MAX_SEGMENT_S * 60 + 1, *steps]) + 2 * MIN_SEGMENT_S * 60
    assert len(parts) == 1 or lengths.min() >= MIN_SEGMENT_S * 60 - 1


def test_strides_go_from_right_strike_to_right_strike() -> None:
    phase = (np.arange(200) / 50 + 0.31) % 1.0  # wraps at 35, 85, 135 and 185
    assert find_strides(phase, np.zeros(200, dtype=bool)).tolist() == [[35, 85], [85, 135], [135, 185]]


@given(st.lists(st.floats(0.01, 0.1), min_size=2, max_size=300), st.floats(0, 0.99))
def test_every_stride_is_one_cycle_and_they_follow_each_other(steps: list[float], start: float) -> None:
    unwrapped = start + np.cumsum(steps)
    spans = find_strides(unwrapped % 1.0, np.zeros(len(steps), dtype=bool))
    assert len(spans) == max(int(unwrapped[-1]) - int(unwrapped[0]) - 1, 0)
    assert (spans[1:, 0] == spans[:-1, 1]).all()
    np.testing.assert_array_equal(np.floor(unwrapped[spans[:, 1]]) - np.floor(unwrapped[spans[:, 0]]), 1)
