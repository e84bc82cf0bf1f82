"""Faces for two palms, on boxes in closed form."""

import numpy as np
import pytest

from footfall.core.scene.collider import Collider
from footfall.core.scene.push_face import EDGE_DISTANCE_M, MAX_PALM_DISTANCE_M, MAX_PALM_HEIGHT_M, find_push_face


def box(width: float, depth: float, height: float) -> Collider:
    return Collider(np.array([[-width / 2, -depth / 2, 0.0]]), np.array([[width / 2, depth / 2, height]]))


def test_palms_lie_below_the_edge_of_the_front_left_hand_on_the_left_of_who_faces_it() -> None:
    face = find_push_face(box(1.0, 0.6, 0.7))
    assert face is not None
    half = MAX_PALM_DISTANCE_M / 2
    np.testing.assert_allclose(face.palms, [[half, 0.3, 0.7 - EDGE_DISTANCE_M], [-half, 0.3, 0.7 - EDGE_DISTANCE_M]])
    assert face.distance == pytest.approx(0.3) and face.height == pytest.approx(0.7 - EDGE_DISTANCE_M)


def test_on_a_narrow_high_face_palms_keep_from_its_sides_and_at_the_height_of_the_chest() -> None:
    face = find_push_face(box(0.5, 0.6, 2.0))
    assert face is not None
    np.testing.assert_allclose(face.palms[:, 0], [0.25 - EDGE_DISTANCE_M, EDGE_DISTANCE_M - 0.25])
    assert face.height == MAX_PALM_HEIGHT_M


@pytest.mark.parametrize("size", [(1.0, 1.0, 0.3), (0.2, 1.0, 1.0)])
def test_a_box_that_is_too_low_or_too_narrow_has_no_face(size: tuple[float, float, float]) -> None:
    assert find_push_face(box(*size)) is None


def test_a_gap_where_a_palm_would_be_is_no_face() -> None:
    post = Collider(np.array([[-0.5, -0.3, 0.0], [0.0, -0.3, 0.0]]), np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.8]]))
    assert find_push_face(post) is None


@pytest.mark.parametrize(
    ("size", "is_face"),
    [((0.36, 0.3, 0.5), True), ((0.34, 0.3, 0.5), False), ((0.5, 0.3, 0.46), True), ((0.5, 0.3, 0.44), False)],
)
def test_a_face_is_as_wide_and_high_as_two_palms_need(size: tuple[float, float, float], is_face: bool) -> None:
    assert (find_push_face(box(*size)) is not None) == is_face


def test_palms_are_about_the_middle_of_a_box_beside_its_origin() -> None:
    face = find_push_face(Collider(np.array([[1.0, -0.3, 0.0]]), np.array([[1.4, 0.3, 0.8]])))
    assert face is not None
    np.testing.assert_allclose(face.palms, [[1.3, 0.3, 0.7], [1.1, 0.3, 0.7]])
