"""Paths: resampled by arc length, corners rounded, ends kept, odd input refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.control.path.path import PATH_SPACING_M, Path
from footfall.core.control.path.path import TUNING as PATH_TUNING
from footfall.core.errors import FootfallError


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


def test_yaw_zero_leads_along_plus_y_and_grows_to_the_left() -> None:
    assert Path(np.array([[0.0, 0.0], [0.0, 3.0]])).yaw_at(1.0) == pytest.approx(0.0)
    assert Path(np.array([[0.0, 0.0], [-3.0, 0.0]])).yaw_at(1.0) == pytest.approx(np.pi / 2)


@pytest.mark.parametrize("degrees", [30, 60, 90, 120, 150])
def test_corners_are_cut_by_at_most_half_the_rounding(degrees: float) -> None:
    path = Path(corner(degrees))
    assert 0.01 < deviation(path, corner(degrees)) < 0.5 * PATH_TUNING.corner_rounding
    assert np.abs(np.diff(path.yaws)).max() < 0.5  # no kink is left
    # Away from the corner the path is the drawing.
    assert np.abs(path.points[path.arc_lengths < 1.3, 1]).max() < 1e-3


def test_there_and_back_turns_at_the_far_end() -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))
    assert path.points[:, 1].max() == pytest.approx(2.0, abs=PATH_TUNING.corner_rounding)
    assert np.isfinite(path.yaws).all()
    assert abs(path.yaws[-1] - path.yaws[0]) == pytest.approx(np.pi)


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
        (np.array([[0.0, 0.0], [np.nan, 1.0]]), "invalid position"),
        (np.array([[0.0, 0.0], [np.inf, 1.0]]), "invalid position"),
        (np.array([[0.0, 0.0, np.nan], [3.0, 1.0, 0.0]]), "invalid position"),
        (np.array([[0.0, 0.0], [0.0, PATH_TUNING.max_length * 1.01]]), "check the scale of the path"),
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
