"""Parts of learning from corrections, with detectors whose errors are told."""

import numpy as np
import pytest

from footfall.core.labelling.learning import (
    Observations,
    negative_log_posterior,
)


def test_a_posterior_in_numbers() -> None:
    """On the ellipse of evidence 1 the odds are even: each observation costs log 2."""
    seen = Observations(np.array([1.0, 0.6]), np.array([0.0, 0.8]), np.array([1.0, 0.0]), np.array([2.0, 3.0]))
    value, gradient = negative_log_posterior(np.zeros(3), seen, 4.0)
    assert value == pytest.approx(5 * np.log(2))
    np.testing.assert_allclose(gradient, [-1.0 * 4 + 1.5 * 4 * 0.36, 1.5 * 4 * 0.64, 0.0], atol=1e-12)
    none = Observations(*(np.zeros(0) for _ in range(4)))
    value, gradient = negative_log_posterior(np.array([0.5, 1.0, 0.3]), none, 4.0)
    assert value == pytest.approx(0.5 + 2.0 + 0.5)
    np.testing.assert_allclose(gradient, [2.0, 4.0, 0.3 / 0.09])
    far = Observations(np.array([np.e]), np.array([0.0]), np.array([0.0]), np.array([1.0]))
    assert negative_log_posterior(np.zeros(3), far, 4.0)[0] == pytest.approx(np.log1p(np.exp(-4.0)))
    assert negative_log_posterior(np.array([1.0, 0.0, 0.0]), far, 4.0)[0] == pytest.approx(np.log(2) + 2.0)
