import numpy as np
import pytest

from footfall.core.evaluation import course_points
from footfall.core.evaluation.path_error import (
    constant_speed_positions,
    cross_track_error,
    timed_error,
)


def test_a_walk_on_a_concentric_circle_is_off_by_the_difference_of_the_radii() -> None:
    angle = np.linspace(0, 2 * np.pi, 2500)
    roots = [0.0, 2.0] + 2.1 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    np.testing.assert_allclose(cross_track_error(roots, course_points("circle")), 0.1, atol=5e-4)


def test_inside_a_corner_the_nearer_side_counts() -> None:
    np.testing.assert_allclose(cross_track_error(np.array([[3.7, 0.2]]), course_points("square")), 0.2)


def test_constant_speed_goes_round_corners_and_stops_at_the_end() -> None:
    targets = constant_speed_positions(course_points("square"), 2.0, 600, 60.0)
    np.testing.assert_allclose(targets[[0, 60, 180, 599]], [[0, 0], [2, 0], [4, 2], [0, 0]], atol=1e-9)


def test_a_walk_that_lags_half_a_second_is_late_by_half_its_speed() -> None:
    targets = constant_speed_positions(course_points("straight"), 1.2, 300, 60.0)
    assert timed_error(targets[:-30], targets[30:]).mean() == pytest.approx(0.6)
