"""Responsiveness: exponents of the control blend, from smooth to prompt."""

import numpy as np
import pytest

from footfall.core.control.runtime.response_bias import ResponseBias, command_weights


@pytest.mark.parametrize(("responsiveness", "position", "direction"), [(0, 0.5, 1.25), (0.5, 2, 5), (1, 8, 20)])
def test_tau_grows_with_responsiveness(responsiveness: float, position: float, direction: float) -> None:
    bias = ResponseBias.of_responsiveness(responsiveness)
    assert (bias.position, bias.direction) == pytest.approx((position, direction))


def test_the_weight_of_the_network_is_equation_1_with_time_counted_from_the_last_sample() -> None:
    tau = np.array([0.5, 2.0])
    left = 1 - np.arange(1, 7) / 6
    np.testing.assert_allclose(command_weights(tau, 6), 1 - left ** tau[:, None])
    assert (command_weights(tau, 6)[:, -1] == 1.0).all()
