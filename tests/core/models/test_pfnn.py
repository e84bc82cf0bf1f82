"""The forward pass: the phase function's own properties, and the three variants against each other."""

import numpy as np
import pytest

from footfall.core.models.pfnn import Pfnn, Variant, catmull_rom_weights

from .conftest import random_weights


def test_the_spline_passes_through_its_control_points() -> None:
    np.testing.assert_allclose(
        catmull_rom_weights([0.0, 0.25, 0.5, 0.75, 1.0, -0.25], 4), np.eye(4)[[0, 1, 2, 3, 0, 3]]
    )


def test_coefficients_sum_to_one_and_run_smoothly_around_the_circle() -> None:
    phase = np.linspace(-1, 2, 3001)
    coefficients = catmull_rom_weights(phase, 4)
    np.testing.assert_allclose(coefficients.sum(axis=-1), 1.0)
    np.testing.assert_allclose(coefficients, catmull_rom_weights(phase + 1, 4), atol=1e-12)
    steps = np.diff(coefficients, axis=0)
    assert np.abs(steps).max() < 0.006
    assert np.abs(np.diff(steps, axis=0)).max() < 2e-4


@pytest.mark.parametrize("variant", ["cubic", "linear", "constant"])
def test_a_crowd_gets_what_each_would_get_alone(variant: Variant) -> None:
    rng = np.random.default_rng(0)
    network = Pfnn(random_weights(rng), variant)
    x, phase = rng.normal(size=(40, 30)).astype(np.float32), rng.uniform(-1, 2, 40)
    alone = [network(one, at) for one, at in zip(x, phase, strict=True)]
    np.testing.assert_allclose(network(x, phase), alone, atol=1e-5)
    np.testing.assert_allclose(network(x, 0.3), [network(one, 0.3) for one in x], atol=1e-5)


@pytest.mark.parametrize(("variant", "slices"), [("linear", 10), ("constant", 50)])
def test_variants_are_exact_where_they_were_computed_beforehand(variant: Variant, slices: int) -> None:
    rng = np.random.default_rng(0)
    weights = random_weights(rng)
    x = rng.normal(size=30)
    cubic, other = Pfnn(weights), Pfnn(weights, variant)
    for phase in np.arange(-1, slices + 2) / slices:
        np.testing.assert_allclose(other(x, phase), cubic(x, phase), atol=1e-5)
    between = (np.arange(slices) + 0.4) / slices
    errors = [np.abs(other(x, phase) - cubic(x, phase)).max() for phase in between]
    assert 1e-4 < np.mean(errors) < 0.5
    # Linear interpolation has no steps, the constant form has them in the middle between its slices.
    step = np.abs(other(x, 0.5 / slices + 1e-7) - other(x, 0.5 / slices - 1e-7)).max()
    assert (step < 1e-4) == (variant == "linear")
