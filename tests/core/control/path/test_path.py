"""Paths: resampled by arc length, corners rounded, ends kept, odd input refused."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.control.path.path import CORNER_ROUNDING_M, MAX_PATH_LENGTH_M, PATH_SPACING_M, Path, even_arc_lengths
from footfall.core.errors import FootfallError
from footfall.core.evaluation import course_points


def circle(radius: float, turns: float = 1.0) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi * turns, round(200 * turns * max(radius, 1.0)) + 1)
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def corner(degrees: float) -> np.ndarray:
    """Two meters straight on, then two meters after a turn to the left."""
    angle = np.radians(degrees)
    return np.array([[-2.0, 0.0], [0.0, 0.0], [2 * np.cos(angle), 2 * np.sin(angle)]])


def deviation(path: Path, drawn: np.ndarray) -> float:
    """The largest distance from the path's points to the drawn polyline."""
    start, along = drawn[:-1], np.diff(drawn, axis=0)
    offset = path.points[:, None] - start
    share = np.clip(np.sum(offset * along, axis=-1) / np.sum(along * along, axis=-1), 0, 1)
    return float(np.linalg.norm(offset - share[..., None] * along, axis=-1).min(axis=1).max())


drawings = arrays(float, st.tuples(st.integers(2, 12), st.just(2)), elements=st.floats(-20, 20)).filter(
    lambda points: np.linalg.norm(np.diff(points, axis=0), axis=-1).sum() > 0.5
)


@given(drawings)
def test_any_drawing_becomes_a_path_of_small_steps_between_its_ends(points: np.ndarray) -> None:
    path = Path(points)
    np.testing.assert_allclose(path.points[[0, -1]], points[[0, -1]], atol=1e-9)
    steps = np.diff(path.arc_lengths)
    assert steps.max() < PATH_SPACING_M * 1.2
    assert steps.min() >= 0
    # Rounding only ever shortens.
    assert path.length <= np.linalg.norm(np.diff(points, axis=0), axis=-1).sum() * (1 + 1e-9)
    assert np.isfinite(path.yaws).all()
    assert np.isfinite(path.curvatures).all()


def test_a_straight_line_stays_straight_and_as_long_as_it_was() -> None:
    path = Path(np.array([[1.0, 1.0], [4.0, 5.0]]))
    assert path.length == pytest.approx(5.0)
    np.testing.assert_allclose(path.position_at(np.array([0.0, 2.5, 5.0])), [[1, 1], [2.5, 3], [4, 5]], atol=1e-9)
    np.testing.assert_allclose(path.directions, np.tile([0.6, 0.8], (len(path.points), 1)), atol=1e-9)
    np.testing.assert_allclose(path.curvatures, 0.0, atol=1e-6)


def test_yaw_zero_leads_along_plus_y_and_grows_to_the_left() -> None:
    assert Path(np.array([[0.0, 0.0], [0.0, 3.0]])).yaw_at(1.0) == pytest.approx(0.0)
    assert Path(np.array([[0.0, 0.0], [-3.0, 0.0]])).yaw_at(1.0) == pytest.approx(np.pi / 2)


def test_beyond_the_ends_are_the_ends() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 3.0]]))
    np.testing.assert_allclose(path.position_at(np.array([-1.0, 99.0])), [[0, 0], [0, 3]], atol=1e-9)


@pytest.mark.parametrize("degrees", [30, 60, 90, 120, 150])
def test_corners_are_cut_by_at_most_half_the_rounding(degrees: float) -> None:
    path = Path(corner(degrees))
    assert 0.01 < deviation(path, corner(degrees)) < 0.5 * CORNER_ROUNDING_M
    assert np.abs(np.diff(path.yaws)).max() < 0.5  # no kink is left
    # Away from the corner the path is the drawing.
    assert np.abs(path.points[path.arc_lengths < 1.3, 1]).max() < 1e-3


def test_a_right_angle_is_cut_by_two_fifths_of_the_rounding() -> None:
    assert deviation(Path(corner(90)), corner(90)) == pytest.approx(0.4 * CORNER_ROUNDING_M, rel=0.05)


def test_the_course_square_is_as_far_from_its_drawing() -> None:
    assert deviation(Path(course_points("square")), course_points("square")) == pytest.approx(
        0.4 * CORNER_ROUNDING_M, rel=0.05
    )


@pytest.mark.parametrize("radius", [1.2, 2.0, 5.0, 20.0])
def test_a_circle_keeps_its_radius_within_a_centimeter(radius: float) -> None:
    path = Path(circle(radius))
    np.testing.assert_allclose(np.linalg.norm(path.points, axis=-1), radius, atol=0.01)
    middle = slice(len(path.points) // 4, 3 * len(path.points) // 4)
    np.testing.assert_allclose(path.curvatures[middle], 1 / radius, rtol=0.02)


def test_the_yaw_of_several_rounds_goes_on_growing() -> None:
    path = Path(circle(2.0, turns=3.0))
    assert path.yaws[-1] - path.yaws[0] == pytest.approx(6 * np.pi, rel=0.02)
    assert np.abs(np.diff(path.yaws)).max() < 0.1


def test_points_twice_in_one_place_change_nothing() -> None:
    plain = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]])
    np.testing.assert_allclose(Path(np.repeat(plain, 3, axis=0)).points, Path(plain).points, atol=1e-12)


def test_heights_and_density_of_points_change_nothing() -> None:
    sparse = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]])
    dense = np.concatenate([np.linspace(a, b, 50, endpoint=False) for a, b in pairwise(sparse)] + [sparse[-1:]])
    raised = np.concatenate([dense, np.random.default_rng(1).normal(size=(len(dense), 1))], axis=1)
    np.testing.assert_allclose(Path(raised).points, Path(sparse).points, atol=0.005)


def test_there_and_back_turns_at_the_far_end() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))
    assert path.points[:, 1].max() == pytest.approx(2.0, abs=CORNER_ROUNDING_M)
    assert np.isfinite(path.yaws).all()
    assert abs(path.yaws[-1] - path.yaws[0]) == pytest.approx(np.pi)


@pytest.mark.parametrize("length", [0.04, 0.05, 0.1, 0.3, 0.7])
def test_even_the_shortest_path_goes_from_end_to_end(length: float) -> None:
    path = Path(np.array([[1.0, 0.0], [1.0, length]]))
    assert path.length == pytest.approx(length)
    np.testing.assert_allclose(path.points[[0, -1]], [[1, 0], [1, length]], atol=1e-9)


def test_a_scaled_path_is_the_path_in_other_units() -> None:
    path = Path(corner(90))
    scaled = path.scaled(2.5)
    assert scaled.length == pytest.approx(2.5 * path.length)
    np.testing.assert_allclose(scaled.points, 2.5 * path.points)
    np.testing.assert_allclose(scaled.yaws, path.yaws)
    np.testing.assert_allclose(scaled.curvatures, path.curvatures / 2.5, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "points, words",
    [
        (np.zeros((0, 2)), "two points"),
        (np.zeros((1, 2)), "two points"),
        (np.zeros((5, 4)), "two points"),
        (np.zeros(6), "two points"),
        (np.zeros((5, 2)), "no length"),
        (np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0]]), "no length on the ground"),
        (np.array([[0.0, 0.0], [0.0, PATH_SPACING_M]]), "no length"),
        (np.array([[0.0, 0.0], [np.nan, 1.0]]), "not a number"),
        (np.array([[0.0, 0.0], [np.inf, 1.0]]), "not a number"),
        (np.array([[0.0, 0.0, np.nan], [3.0, 1.0, 0.0]]), "not a number"),
        (np.array([[0.0, 0.0], [0.0, MAX_PATH_LENGTH_M * 1.01]]), "check its scale"),
    ],
)
def test_what_is_no_path_is_refused(points: np.ndarray, words: str) -> None:
    with pytest.raises(FootfallError, match=words):
        Path(points)


def test_a_path_is_turned_about_a_point_and_then_shifted() -> None:
    path = Path(np.array([[2.0, 1.0], [2.0, 4.0]]))
    turned = path.transformed(np.pi / 2, np.array([2.0, 1.0]), np.array([0.5, -1.0]))
    np.testing.assert_allclose(turned.points[[0, -1]], [[2.5, 0.0], [-0.5, 0.0]], atol=1e-9)
    aside = path.transformed(np.pi / 2, np.array([0.0, 1.0]), np.zeros(2))
    np.testing.assert_allclose(aside.points[[0, -1]], [[0.0, 3.0], [-3.0, 3.0]], atol=1e-9)
    np.testing.assert_array_equal(turned.arc_lengths, path.arc_lengths)
    np.testing.assert_allclose(turned.yaws, path.yaws + np.pi / 2, atol=1e-9)


def test_even_arc_lengths_end_with_the_length() -> None:
    np.testing.assert_allclose(even_arc_lengths(0.5, 2.0), [0.0, 0.5, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(even_arc_lengths(0.5, 2.2), [0.0, 0.5, 1.0, 1.5, 2.2])
    np.testing.assert_allclose(even_arc_lengths(0.5, 2.3), [0.0, 0.5, 1.0, 1.5, 2.0, 2.3])
    np.testing.assert_allclose(even_arc_lengths(0.5, 0.1), [0.0, 0.1])


def test_a_scaled_path_has_all_lengths_multiplied() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 3.0], [3.0, 3.0]]))
    double = path.scaled(2.0)
    np.testing.assert_allclose(double.points, 2 * path.points)
    assert double.length == pytest.approx(2 * path.length)
    np.testing.assert_allclose(double.curvatures, path.curvatures / 2, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("length, fits", [(0.039, False), (0.041, True), (20_000.0, True), (20_001.0, False)])
def test_a_path_is_of_four_centimeters_to_twenty_kilometers(length: float, fits: bool) -> None:
    points = np.array([[0.0, 0.0], [length, 0.0]])
    if fits:
        assert Path(points).length == pytest.approx(length)
    else:
        with pytest.raises(FootfallError, match="no length on the ground" if length < 1 else "20 km long"):
            Path(points)


@pytest.mark.parametrize("points", [np.zeros((1, 2)), np.zeros((3, 4)), np.zeros(4), np.full((2, 2), np.nan)])
def test_what_is_no_line_is_refused(points: np.ndarray) -> None:
    with pytest.raises(FootfallError, match=r"two points|not a number"):
        Path(points)


def test_a_curve_of_a_radius_has_its_inverse_as_curvature() -> None:
    path = Path(circle(2.0))
    np.testing.assert_allclose(path.curvatures[100:-100], 0.5, rtol=0.01)
