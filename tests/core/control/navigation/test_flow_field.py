"""Shortest paths among obstacles: straight where nothing blocks, around obstacles, through wide enough gaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.navigation.flow_field import TUNING as FLOW_FIELD_TUNING
from footfall.core.control.navigation.flow_field import FlowField
from footfall.core.scene.body_size import WALK_RADIUS_M
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def block(x: float, y: float, width: float, depth: float) -> PosedCollider:
    half = np.array([width / 2, depth / 2, 0.0])
    return PosedCollider(Collider(-half[None], np.array([[width / 2, depth / 2, 1.5]])), np.array([x, y, 0.0]), UPRIGHT)


def walked(ways: FlowField, start: np.ndarray, step: float = 0.05) -> np.ndarray:
    """Return the positions of a character that always moves to its look-ahead point."""
    places = [start]
    for _ in range(400):
        point, _ = ways.look_ahead(places[-1])
        way = point - places[-1]
        if np.linalg.norm(ways.goal - places[-1]) < step:
            break
        places.append(places[-1] + step * way / max(np.linalg.norm(way), 1e-9))
    return np.array(places)


@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(-4, 4), st.floats(-4, 4))
def test_where_nothing_is_the_way_is_straight(x: float, y: float, a: float, b: float) -> None:
    start, place = np.array([x, y]), np.array([a, b])
    ways = FlowField.build(place, start, [])
    point, length = ways.look_ahead(start)
    far = float(np.linalg.norm(place - start))
    assert far - 2 * FLOW_FIELD_TUNING.cell_size <= length <= 1.09 * far + 2 * FLOW_FIELD_TUNING.cell_size, (
        "over a grid with diagonals"
    )
    assert np.linalg.norm(point - start) <= max(FLOW_FIELD_TUNING.look_ahead, far) + 2 * FLOW_FIELD_TUNING.cell_size
    end = walked(ways, start)[-1]
    assert np.linalg.norm(end - place) < 0.06


@pytest.mark.parametrize("start", [(0.0, 2.5), (0.6, 2.0), (-1.0, 1.6)])
def test_one_goes_round_a_table(start: tuple[float, float]) -> None:
    table = block(0.0, 1.0, 1.6, 0.8)
    place = np.array([0.0, -0.2])
    way = walked(FlowField.build(place, np.array(start), [table]), np.array(start))
    points = np.column_stack([way, np.full(len(way), 0.5)])
    assert table.collider.distances(table.to_local(points)).min() > WALK_RADIUS_M - FLOW_FIELD_TUNING.cell_size
    assert np.linalg.norm(way[-1] - place) < 0.06


def test_one_goes_through_a_gap_one_fits_through_and_round_a_narrower_one() -> None:
    start, place = np.array([0.0, 2.0]), np.array([0.0, -2.0])

    def length(gap: float) -> float:
        walls = [block(side * (gap / 2 + 1.0), 0.0, 2.0, 0.2) for side in (-1, 1)]
        return FlowField.build(place, start, walls).look_ahead(start)[1]

    assert length(0.9) < 4.3
    assert length(0.3) > 5.5


@given(st.floats(-1, 1), st.floats(0.8, 2), st.integers(0, 7))
def test_neither_way_nor_length_leaps_where_a_character_enters_a_cell(x: float, y: float, eighth: int) -> None:
    table, place = block(0.3, 0.1, 1.2, 0.6), np.array([0.2, -1.5])
    ways = FlowField.build(place, np.array([0.0, 2.0]), [table])
    here, turn = np.array([x, y]), eighth * np.pi / 4
    hair = 1e-7 * np.array([np.cos(turn), np.sin(turn)])
    (point, length), (next_point, next_length) = ways.look_ahead(here), ways.look_ahead(here + hair)
    assert np.linalg.norm(next_point - point) < 1e-5 and abs(next_length - length) < 1e-5
