"""Traces of roll-outs: cut in two and joined, and the heights that are smoothed of them."""

import numpy as np
import pytest

from footfall.core.control.runtime.locomotion_runtime import RuntimeFrames
from footfall.core.control.walk.finished_frames import smooth_heights
from footfall.core.control.walk.rollout_trace import TRACE_FIELDS, RolloutTrace


def trace(start: int, stop: int) -> RolloutTrace:
    """A trace whose frames are told apart by each of their fields."""
    frames = np.arange(start, stop, dtype=float)
    wide = np.stack([frames, 10 * frames], axis=1)
    made = RuntimeFrames(
        wide, frames + 0.1, frames + 0.2, frames + 0.3, np.tile(frames[:, None], 4), wide.astype(np.float32)
    )
    return RolloutTrace(made, -wide, frames + 0.4)


def require_same(one: RolloutTrace, other: RolloutTrace) -> None:
    for name in TRACE_FIELDS:
        np.testing.assert_array_equal(getattr(one.frames, name), getattr(other.frames, name), err_msg=name)
    np.testing.assert_array_equal(one.gaits, other.gaits)
    np.testing.assert_array_equal(one.planned_lengths, other.planned_lengths)


@pytest.mark.parametrize("frame", [0, 1, 7, 20])
def test_a_trace_that_is_cut_in_two_is_joined_to_what_it_was(frame: int) -> None:
    whole = trace(0, 20)
    require_same(whole.before_frame(frame), trace(0, frame))
    require_same(whole.from_frame(frame), trace(frame, 20))
    require_same(whole.before_frame(frame).concat(whole.from_frame(frame)), whole)


def test_an_edge_becomes_a_gaussian_step() -> None:
    """Half of it at the edge, and 84 % a standard deviation behind it."""
    heights = np.where(np.arange(201) < 100, 0.0, 1.0)
    smooth = smooth_heights(heights, 5.0)
    assert (smooth[99] + smooth[100]) / 2 == pytest.approx(0.5)
    assert (smooth[104] + smooth[105]) / 2 == pytest.approx(0.841, abs=0.003)
    assert smooth[0] == pytest.approx(0.0, abs=1e-9) and smooth[-1] == pytest.approx(1.0)
