import numpy as np
import pytest

from footfall.core.evaluation import course_points


def length(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=-1).sum())


def test_the_wave_is_a_sine_of_one_meter_amplitude_and_six_meters_wavelength() -> None:
    x, y = course_points("wave").T
    assert (x[0], x[-1]) == (0.0, 24.0)
    np.testing.assert_allclose(y, np.sin(2 * np.pi * x / 6), atol=1e-12)


def test_the_square_is_closed_and_has_four_sharp_corners_of_four_meter_sides() -> None:
    points = course_points("square")
    assert len(points) == 5 and length(points) == 16.0
    np.testing.assert_array_equal(points[0], points[-1])


def test_every_point_of_the_circle_is_two_meters_from_its_centre() -> None:
    points = course_points("circle")
    np.testing.assert_allclose(np.linalg.norm(points - [0.0, 2.0], axis=-1), 2.0)
    assert length(points) == pytest.approx(4 * np.pi, rel=1e-3)


def test_the_hairpin_goes_back_beside_itself_and_the_s_curve_to_the_left_and_right() -> None:
    points = course_points("hairpin")
    np.testing.assert_allclose(points[[0, -1]], [[0.0, 0.0], [0.0, 1.0]], atol=1e-12)
    bend = points[1:-1]
    np.testing.assert_allclose(np.linalg.norm(bend - [6.0, 0.5], axis=-1), 0.5)
    assert bend[:, 0].max() == pytest.approx(6.5, abs=0.01)
    curve = course_points("s_curve")
    first, second = curve[curve[:, 1] < 4.0], curve[curve[:, 1] > 4.0 + 1e-9]
    np.testing.assert_allclose(np.linalg.norm(first - [0.0, 2.0], axis=-1), 2.0)
    np.testing.assert_allclose(np.linalg.norm(second - [0.0, 6.0], axis=-1), 2.0)
    assert (first[:, 0] > -1e-9).all() and (second[:, 0] < 1e-9).all()
    np.testing.assert_allclose(curve[-1], [0.0, 8.0], atol=1e-12)
    assert len(np.unique(curve.round(9), axis=0)) == len(curve)
