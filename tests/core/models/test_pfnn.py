"""The forward pass: the phase function's own properties, and the three variants against each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.models.pfnn import Pfnn, PfnnWeights, Variant, catmull_rom_weights

from .conftest import random_weights


def test_the_spline_passes_through_its_control_points() -> None:
    np.testing.assert_allclose(
        catmull_rom_weights([0.0, 0.25, 0.5, 0.75, 1.0, -0.25], 4), np.eye(4)[[0, 1, 2, 3, 0, 3]]
    )


def test_halfway_it_is_catmull_and_roms() -> None:
    np.testing.assert_allclose(catmull_rom_weights(0.375, 4), [-1 / 16, 9 / 16, 9 / 16, -1 / 16])


def test_coefficients_sum_to_one_and_run_smoothly_around_the_circle() -> None:
    phase = np.linspace(-1, 2, 3001)
    coefficients = catmull_rom_weights(phase, 4)
    np.testing.assert_allclose(coefficients.sum(axis=-1), 1.0)
    np.testing.assert_allclose(coefficients, catmull_rom_weights(phase + 1, 4), atol=1e-12)
    steps = np.diff(coefficients, axis=0)
    assert np.abs(steps).max() < 0.006
    assert np.abs(np.diff(steps, axis=0)).max() < 2e-4


def blended_by_weights(weights: PfnnWeights, x: np.ndarray, phase: float) -> np.ndarray:
    """The paper's own way (eq. 5 to 7), in float64: blend all the weights, then multiply."""
    share = catmull_rom_weights(phase, weights.control_points)
    for layer in range(3):
        weight = np.einsum("k,kij->ij", share, getattr(weights, f"W{layer}").astype(float))
        x = weight @ x + share @ getattr(weights, f"b{layer}").astype(float)
        if layer < 2:
            x = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
    return x


@pytest.mark.parametrize("phase", [0.0, 0.1, 0.25, 0.6, 0.9, 0.999999, 1.0, 1.3, -0.2, -1e-20])
def test_blending_outputs_is_blending_weights(phase: float) -> None:
    rng = np.random.default_rng(0)
    weights = random_weights(rng)
    x = rng.normal(size=30)
    np.testing.assert_allclose(Pfnn(weights)(x, phase), blended_by_weights(weights, x, phase), atol=1e-5)


@pytest.mark.parametrize("variant", ["cubic", "linear", "constant"])
def test_a_crowd_gets_what_each_would_get_alone(variant: Variant) -> None:
    rng = np.random.default_rng(0)
    network = Pfnn(random_weights(rng), variant)
    x, phase = rng.normal(size=(40, 30)).astype(np.float32), rng.uniform(-1, 2, 40)
    alone = [network(one, at) for one, at in zip(x, phase, strict=True)]
    np.testing.assert_allclose(network(x, phase), alone, atol=1e-5)
    np.testing.assert_allclose(network(x, 0.3), [network(one, 0.3) for one in x], atol=1e-5)


@pytest.mark.parametrize("cyclic", [True, False])
@given(phase=st.floats(-2.0, 3.0))
def test_one_gets_what_a_crowd_gets_at_any_phase(cyclic: bool, phase: float) -> None:
    network = Pfnn(random_weights(np.random.default_rng(0)), cyclic=cyclic)
    x = np.random.default_rng(1).normal(size=30).astype(np.float32)
    np.testing.assert_allclose(network(x, phase), network(np.stack([x, x]), phase)[0], atol=2e-5)


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


def test_weights_of_the_wrong_shape_or_type_are_refused() -> None:
    weights = random_weights(np.random.default_rng(0))
    with pytest.raises(ValueError, match="b1"):
        PfnnWeights(weights.W0, weights.b0, weights.W1, weights.b2, weights.W2, weights.b2)
    with pytest.raises(ValueError, match="float64"):
        PfnnWeights(weights.W0.astype(float), weights.b0, weights.W1, weights.b1, weights.W2, weights.b2)  # type: ignore[arg-type]
