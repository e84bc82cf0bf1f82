"""Places for two palms on tops and faces, on boxes in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.scene.collider import Collider
from footfall.core.scene.lean_place import (
    EDGE_DISTANCE_M,
    FACE_DISTANCES_M,
    FACE_HEIGHT_M,
    FACE_MARGIN_M,
    MIN_WIDTH_M,
    PALM_DISTANCE_M,
    TOP_HEIGHTS_M,
    find_lean_place,
    lean_sides,
    no_lean_place,
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


def test_fingers_point_ahead_and_outward() -> None:
    place = find_lean_place(box(1.2, 0.8, 0.9))
    assert place is not None
    left, right = place.fingers
    assert left[0] > 0 > right[0] and left[1] == right[1] < -0.9 and left[2] < 0, "the wrist is over the top"
    np.testing.assert_allclose(np.linalg.norm(place.fingers, axis=1), 1.0)


def test_palms_are_in_the_middle_of_a_rail() -> None:
    place = find_lean_place(box(2.0, 0.06, 1.0))
    assert place is not None
    np.testing.assert_allclose(place.palms[:, 1], 0.0, atol=1e-12)


def test_palms_are_at_the_height_of_the_shoulders_on_a_wall_with_fingers_up() -> None:
    place = find_lean_place(box(3.0, 0.2, 2.4))
    assert place is not None and not place.is_top
    np.testing.assert_allclose(place.palms[:, 1:], np.tile([0.1, FACE_HEIGHT_M], (2, 1)))
    assert place.fingers[0, 2] > 0.9
    np.testing.assert_array_equal(place.into, [0.0, -1.0, 0.0])


def test_palms_keep_below_the_upper_edge_of_a_face() -> None:
    place = find_lean_place(box(1.0, 0.5, 1.2))
    assert place is not None
    assert place.height == pytest.approx(1.2 - FACE_MARGIN_M)


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


@pytest.mark.parametrize("size", [(1.0, 1.0, TOP_HEIGHTS_M[0] - 0.02), (MIN_WIDTH_M - 0.02, 1.0, 1.0)])
def test_what_is_too_low_or_too_narrow_has_no_place(size: tuple[float, float, float]) -> None:
    assert find_lean_place(box(*size)) is None


def test_a_gap_under_a_palm_is_no_place() -> None:
    step = Collider(np.array([[-0.6, -0.3, 0.0], [0.0, -0.3, 0.0]]), np.array([[0.6, 0.3, 0.5], [0.6, 0.3, 0.9]]))
    assert find_lean_place(step) is None
    assert find_lean_place(step, aside=0.3) is not None, "beside the gap there is room"


def test_a_face_that_is_not_level_is_no_place() -> None:
    slanted = Collider(np.array([[-0.6, -0.3, 0.0], [0.0, -0.3, 0.0]]), np.array([[0.0, 0.2, 2.0], [0.6, 0.3, 2.0]]))
    assert find_lean_place(slanted) is None


def test_hips_keep_the_distances_of_the_heights_in_the_table_and_between_them() -> None:
    for height, stand, lean in ((0.7, 0.44, 0.39), (0.8, 0.475, 0.42), (0.9, 0.51, 0.45), (1.15, 0.62, 0.53)):
        place = find_lean_place(box(1.0, 0.5, height))
        assert place is not None
        assert (place.stand_distance, place.lean_distance) == pytest.approx((stand, lean))
    wall = find_lean_place(box(1.0, 0.5, 2.0))
    assert wall is not None and (wall.stand_distance, wall.lean_distance) == FACE_DISTANCES_M


def two(front: float, other_front: float, height: float, other_height: float | None = None) -> Collider:
    """Two boxes side by side, at -X and at +X, with fronts at some distances ahead."""
    tops = height, height if other_height is None else other_height
    return Collider(
        np.array([[-0.6, -0.3, 0.0], [0.0, -0.25, 0.0]]), np.array([[0.0, front, tops[0]], [0.6, other_front, tops[1]]])
    )


def test_edges_of_a_top_may_differ_by_the_distance_of_the_palms_behind_them() -> None:
    place = find_lean_place(two(0.3, 0.24, 0.9))
    assert place is not None
    np.testing.assert_allclose(place.palms[:, 1], 0.24 - EDGE_DISTANCE_M)
    assert find_lean_place(two(0.3, 0.22, 0.9)) is None and find_lean_place(two(0.22, 0.3, 0.9)) is None
    # A top of 10 cm, from the nearer front to the farther rear: the palms are in its middle.
    narrow = find_lean_place(two(-0.15, -0.13, 0.9))
    assert narrow is not None
    np.testing.assert_allclose(narrow.palms[:, 1], (-0.15 - 0.25) / 2)


def test_a_face_on_a_platform_is_touched_at_the_height_of_the_shoulders_over_it() -> None:
    raised = Collider(np.array([[-0.6, -0.1, 0.5]]), np.array([[0.6, 0.1, 2.5]]))
    place = find_lean_place(raised)
    assert place is not None and place.height == pytest.approx(0.5 + FACE_HEIGHT_M)


def test_sides_are_counted_from_the_front_counter_clockwise() -> None:
    assert lean_sides(box(1.0, 1.0, 0.9)) == (0, 1, 2, 3)
    assert lean_sides(box(1.0, 0.2, 0.9)) == (0, 2)
    # A narrower box before the wide one: the face at -X, which is side 1, has a step.
    stepped = Collider(np.array([[-0.6, -0.6, 0.0], [-0.3, 0.0, 0.0]]), np.array([[0.6, 0.0, 2.0], [0.6, 0.6, 2.0]]))
    assert lean_sides(stepped) == (0, 2, 3)
    assert str(no_lean_place("Crate")).startswith("'Crate' has no side to lean on: it needs a top 0.7 to 1.15 m high")
