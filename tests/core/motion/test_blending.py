"""Corrections that fade: exact where they are known, smooth and gone where they are not."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.motion.blending import blend_corrections, smooth_falloff
from footfall.core.motion.rotations import Array

STEEPEST = 1.875
"""The quintic step's slope in its middle."""


def runs(*pairs: tuple[int, int]) -> np.ndarray:
    return np.array(pairs, dtype=np.intp)


def along_x(frames: int, **at: float) -> Array:
    """Corrections (F, 3) along X: ``f3=1.0`` is 1 at frame 3."""
    result = np.zeros((frames, 3))
    for frame, value in at.items():
        result[int(frame[1:]), 0] = value
    return result


@st.composite
def known_places(draw: st.DrawFn) -> tuple[Array, np.ndarray, int]:
    """Corrections (F, 3) that are constant over each of some runs, the runs, and a span."""
    edges = sorted(draw(st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True)))
    found = runs(*pairwise(edges))[::2]
    correction = np.zeros((draw(st.integers(edges[-1], 70)), 3))
    for start, stop in found:
        correction[start:stop] = draw(st.tuples(*[st.floats(-1, 1)] * 3))
    return correction, found, draw(st.integers(1, 30))


def test_a_fade_is_one_then_half_then_none() -> None:
    np.testing.assert_allclose(smooth_falloff(np.array([-1.0, 0.0, 0.5, 1.0, 2.0])), [1, 1, 0.5, 0, 0])


def test_a_fade_falls_all_the_way_with_level_ends() -> None:
    t = np.linspace(0, 1, 1001)
    slope = np.diff(smooth_falloff(t)) * 1000
    assert (slope <= 0).all()
    assert slope.min() == pytest.approx(-STEEPEST, abs=1e-4)
    assert np.abs(slope[[0, -1]]).max() < 1e-4


@given(known_places())
@example((along_x(10, f0=1.0, f9=-1.0), runs((0, 1), (9, 10)), 1))
def test_corrections_are_exact_on_their_runs_and_smooth_between(known: tuple[Array, np.ndarray, int]) -> None:
    correction, found, span = known
    before = correction.copy()
    result = blend_corrections(correction, found, span)
    np.testing.assert_array_equal(correction, before)
    for start, stop in found:
        np.testing.assert_array_equal(result[start:stop], correction[start:stop])
    stops = [0, *found.flatten(), len(correction)]
    gaps = [stop - start for start, stop in list(pairwise(stops))[2:-1:2]]
    width = min([span, *[gap for gap in gaps if gap > 0]])
    # From one side or from both, and never more than a fade allows.
    biggest = np.abs(correction).max(initial=0.0)
    assert np.abs(np.diff(result, axis=0)).max(initial=0.0) <= 2 * biggest * STEEPEST / (width + 1) + 1e-12
    assert np.abs(result).max(initial=0.0) <= 2 * biggest + 1e-12
