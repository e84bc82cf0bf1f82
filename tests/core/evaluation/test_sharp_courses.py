import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation.sharp_courses import SHARP_COURSE_NAMES, random_sharp_path, sharp_course_points
from footfall.core.motion.polyline import arc_lengths_of


@pytest.mark.parametrize("name", SHARP_COURSE_NAMES)
def test_sharp_courses_begin_at_the_origin(name: str) -> None:
    points = sharp_course_points(name)
    assert (points[0] == 0).all() and points.shape[1] == 2 and arc_lengths_of(points)[-1] > 4


def test_the_zigzag_turns_by_120_degrees() -> None:
    legs = np.diff(sharp_course_points("zigzag"), axis=0)
    cosines = np.sum(legs[1:] * legs[:-1], axis=-1) / 9
    assert np.degrees(np.arccos(cosines)) == pytest.approx(120)


def test_random_paths_are_as_long_as_they_should_be_and_differ_by_seed() -> None:
    path = random_sharp_path(3, 72.0)
    assert arc_lengths_of(path)[-1] == pytest.approx(72.0)
    assert (random_sharp_path(3, 72.0) == path).all() and not np.allclose(random_sharp_path(4, 72.0)[1:5], path[1:5])


def test_an_unknown_course_is_refused() -> None:
    with pytest.raises(FootfallError, match="reversal"):
        sharp_course_points("nowhere")


def test_courses_have_their_points() -> None:
    np.testing.assert_array_equal(sharp_course_points("corner"), [[0, 0], [4, 0], [4, 4]])
    np.testing.assert_array_equal(sharp_course_points("reversal"), [[0, 0], [4, 0], [0, 0]])
    np.testing.assert_allclose(sharp_course_points("hairpin_20_cm"), [[0, 0], [4, 0], [4, 0.2], [0, 0.2]])
    zigzag = sharp_course_points("zigzag")
    assert len(zigzag) == 7
    np.testing.assert_allclose(zigzag[:3], [[0, 0], [1.5, -1.5 * 3**0.5], [3, 0]], atol=1e-12)
