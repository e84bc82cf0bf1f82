"""Loops whose smooth curves have the half axes that are asked for."""

import numpy as np
import pytest

from footfall.core.body.loops import loop, smoothing_loss, superellipse

EIGHT = np.arange(8) * np.pi / 4


def test_an_ellipse_of_exponent_two_is_round() -> None:
    sine, cosine = superellipse(EIGHT)
    np.testing.assert_allclose(sine, np.sin(EIGHT), atol=1e-12)
    np.testing.assert_allclose(cosine, np.cos(EIGHT), atol=1e-12)


@pytest.mark.parametrize("exponent", [1.0, 2.3, 4.0])
def test_powers_of_a_superellipse_s_coordinates_sum_to_one(exponent: float) -> None:
    sine, cosine = superellipse(np.linspace(0.1, 6.0, 20), exponent)
    np.testing.assert_allclose(np.abs(sine) ** exponent + np.abs(cosine) ** exponent, 1.0)


def test_a_loop_s_depth_may_differ_from_angle_to_angle_and_its_corners_be_squarer() -> None:
    depth = np.where(np.cos(EIGHT) > 0, 0.1, 0.2)[:, None] * [0.0, 1.0, 0.0]
    points = loop(np.zeros(3), np.array([1.0, 0.0, 0.0]), depth, EIGHT, exponent=4.0) * smoothing_loss(8)
    np.testing.assert_allclose(points[[0, 4]], [[0.0, 0.1, 0.0], [0.0, -0.2, 0.0]], atol=1e-7)
    np.testing.assert_allclose(points[1], [0.5**0.25, 0.1 * 0.5**0.25, 0.0])
