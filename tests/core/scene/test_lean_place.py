"""Places for two palms on tops and faces, on boxes in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.scene.collider import Collider
from footfall.core.scene.lean_place import (
    EDGE_DISTANCE_M,
    FACE_HEIGHT_M,
    MIN_WIDTH_M,
    PALM_DISTANCE_M,
    find_lean_place,
)


def box(width: float, depth: float, height: float) -> Collider:
    return Collider(np.array([[-width / 2, -depth / 2, 0.0]]), np.array([[width / 2, depth / 2, height]]))


def test_palms_are_on_the_edge_of_a_table_and_press_it_down() -> None:
    place = find_lean_place(box(1.2, 0.8, 0.9))
    assert place is not None and place.is_top
    half, along = PALM_DISTANCE_M / 2, 0.4 - EDGE_DISTANCE_M
    np.testing.assert_allclose(place.palms, [[half, along, 0.9], [-half, along, 0.9]])
    np.testing.assert_array_equal(place.into, [0.0, 0.0, -1.0])
    assert place.height == pytest.approx(0.9)
    np.testing.assert_allclose(place.middle, [0.0, along, 0.9], atol=1e-12)


def test_palms_are_at_the_height_of_the_shoulders_on_a_wall_with_fingers_up() -> None:
    place = find_lean_place(box(3.0, 0.2, 2.4))
    assert place is not None and not place.is_top
    np.testing.assert_allclose(place.palms[:, 1:], np.tile([0.1, FACE_HEIGHT_M], (2, 1)))
    assert place.fingers[0, 2] > 0.9
    np.testing.assert_array_equal(place.into, [0.0, -1.0, 0.0])


def test_a_body_stands_farther_from_its_palms_than_it_leans_and_nearer_at_low_tops() -> None:
    places = [find_lean_place(box(1.0, 0.5, height)) for height in (0.75, 0.9, 1.1, 2.0)]
    stands = [place.stand_distance for place in places if place]
    leans = [place.lean_distance for place in places if place]
    assert stands == sorted(stands) and all(stand > lean for stand, lean in zip(stands, leans, strict=True))


@given(aside=st.floats(-3.0, 3.0), width=st.floats(MIN_WIDTH_M, 3.0), height=st.floats(0.7, 2.0))
def test_palms_are_at_the_nearest_place_with_room_for_both(aside: float, width: float, height: float) -> None:
    place = find_lean_place(box(width, 0.6, height), aside)
    assert place is not None
    assert np.abs(place.palms[:, 0]).max() <= width / 2
    room = (width - MIN_WIDTH_M) / 2
    assert place.middle[0] == pytest.approx(np.clip(aside, -room, room), abs=1e-9)


def two(front: float, other_front: float, height: float, other_height: float | None = None) -> Collider:
    """Two boxes side by side, at -X and at +X, with fronts at some distances ahead."""
    tops = height, height if other_height is None else other_height
    return Collider(
        np.array([[-0.6, -0.3, 0.0], [0.0, -0.25, 0.0]]), np.array([[0.0, front, tops[0]], [0.6, other_front, tops[1]]])
    )
