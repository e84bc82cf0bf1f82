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
