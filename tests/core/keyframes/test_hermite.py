"""Cubic Hermite curves by closed forms: their basis, a key in the middle, and the least squares through weights."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.keyframes.hermite import (
    evaluate_curve,
    fit_curve,
    midpoint_basis,
)
from footfall.core.motion.rotations import Array

COUNT = 41
KEYS = np.array([0, 4, 10, 11, 25, 40])
FRAMES = np.arange(COUNT, dtype=float)


def cubic(a: float = 2e-5, b: float = -1e-3, c: float = 0.03, d: float = 1.5) -> tuple[Array, Array]:
    """Return a cubic at all frames, and its slopes."""
    return ((a * FRAMES + b) * FRAMES + c) * FRAMES + d, (3 * a * FRAMES + 2 * b) * FRAMES + c


def test_a_curve_through_keys_of_a_cubic_is_the_cubic() -> None:
    values, slopes = cubic()
    np.testing.assert_allclose(evaluate_curve(KEYS, values[KEYS], slopes[KEYS], COUNT), values, atol=1e-12)


def test_a_key_in_the_middle_changes_the_curve_as_its_basis_says() -> None:
    """A curve of zeros with one more key, in the middle of one interval, of a value and a slope."""
    by_value, by_slope = midpoint_basis(KEYS, COUNT)
    for number, (start, stop) in enumerate(zip(KEYS[:-1].tolist(), KEYS[1:].tolist(), strict=True)):
        middle = (start + stop) // 2
        if middle == start:
            continue
        keys = np.insert(KEYS, number + 1, middle)
        one = (keys == middle).astype(float)
        inside = slice(start, stop)
        none = np.zeros(len(keys))
        np.testing.assert_allclose(evaluate_curve(keys, one, none, COUNT)[inside], by_value[inside], atol=1e-12)
        np.testing.assert_allclose(evaluate_curve(keys, none, one, COUNT)[inside], by_slope[inside], atol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_a_fit_finds_the_cubic_under_any_weights(seed: int) -> None:
    values, slopes = cubic()
    weights = np.random.default_rng(seed).uniform(0.1, 10.0, COUNT)
    found, found_slopes, curve = fit_curve(KEYS, weights, weights * values, slopes[KEYS])
    np.testing.assert_allclose(found, values[KEYS], atol=1e-6)
    np.testing.assert_allclose(found_slopes, slopes[KEYS], atol=1e-6)
    np.testing.assert_allclose(curve, values, atol=1e-6)
