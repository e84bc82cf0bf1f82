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


def test_larger_exponents_are_squarer_and_keep_the_signs_of_their_quarters() -> None:
    sine, cosine = superellipse(np.pi / 4 + np.arange(4) * np.pi / 2, 4.0)
    np.testing.assert_allclose(sine, 0.5**0.25 * np.array([1, 1, -1, -1]))
    np.testing.assert_allclose(cosine, 0.5**0.25 * np.array([1, -1, -1, 1]))


@pytest.mark.parametrize(("count", "radius"), [(4, 2 / 3), (6, 5 / 6), (12, (2 + np.sqrt(3) / 2) / 3)])
def test_a_spline_of_a_polygon_runs_at_a_sixth_two_thirds_and_a_sixth_of_its_corners(count: int, radius: float) -> None:
    assert smoothing_loss(count) == pytest.approx(radius)
    angles = np.array([-1, 0, 1]) * 2 * np.pi / count
    assert np.cos(angles) @ [1 / 6, 2 / 3, 1 / 6] == pytest.approx(radius)


def test_the_smooth_curve_of_a_loop_has_its_half_axes() -> None:
    center, across, ahead = np.array([1.0, 2.0, 3.0]), np.array([0.3, 0.0, 0.0]), np.array([0.0, -0.2, 0.0])
    points = loop(center, across, ahead, EIGHT)
    smooth = (np.roll(points, 1, axis=0) + 4 * points + np.roll(points, -1, axis=0)) / 6
    np.testing.assert_allclose(smooth[0], center + ahead)
    np.testing.assert_allclose(smooth[2], center + across)
    np.testing.assert_allclose(smooth[4], center - ahead)
    np.testing.assert_allclose(smooth[6], center - across)
    np.testing.assert_allclose(smooth[1], center + (across + ahead) * np.sqrt(0.5))


def test_a_loop_s_depth_may_differ_from_angle_to_angle_and_its_corners_be_squarer() -> None:
    depth = np.where(np.cos(EIGHT) > 0, 0.1, 0.2)[:, None] * [0.0, 1.0, 0.0]
    points = loop(np.zeros(3), np.array([1.0, 0.0, 0.0]), depth, EIGHT, exponent=4.0) * smoothing_loss(8)
    np.testing.assert_allclose(points[[0, 4]], [[0.0, 0.1, 0.0], [0.0, -0.2, 0.0]], atol=1e-7)
    np.testing.assert_allclose(points[1], [0.5**0.25, 0.1 * 0.5**0.25, 0.0])
