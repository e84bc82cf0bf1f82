import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation import COURSE_NAMES, course_points


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


@pytest.mark.parametrize(("name", "meters"), [("straight", 12.0), ("hairpin", 12 + np.pi / 2), ("s_curve", 4 * np.pi)])
def test_the_other_courses_have_the_length_of_their_lines_and_arcs(name: str, meters: float) -> None:
    assert length(course_points(name)) == pytest.approx(meters, rel=1e-3)


@pytest.mark.parametrize("name", sorted(set(COURSE_NAMES) - {"square", "straight"}))
def test_curves_bend_by_less_than_six_degrees_a_point(name: str) -> None:
    legs = np.diff(course_points(name), axis=0)
    heading = np.unwrap(np.arctan2(legs[:, 1], legs[:, 0]))
    assert np.degrees(np.abs(np.diff(heading)).max()) < 6.0
    assert np.linalg.norm(legs, axis=-1).min() > 0


def test_an_unknown_course_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FootfallError, match="wave, square, circle, hairpin, s_curve"):
        course_points("spiral")


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


def test_courses_begin_at_the_origin_toward_x() -> None:
    for name in COURSE_NAMES:
        points = course_points(name)
        np.testing.assert_allclose(points[0], 0.0, atol=1e-12)
        assert points[1, 0] > 0.0 and abs(points[1, 1]) < (1.1 if name == "wave" else 0.03) * points[1, 0]
