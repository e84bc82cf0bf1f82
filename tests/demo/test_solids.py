"""Boxes, stairs, ramps, prisms and stones: closed, their faces outwards, as large as asked."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.demo.solids import Solid, box, rubble, solids_of, stairs

lengths = st.floats(0.05, 10.0)


def volume(solid: Solid) -> float:
    """Of a closed body; below zero where its faces look inwards."""
    total = 0.0
    for first, *others in solid.faces:
        for one, other in pairwise(others):
            a, b, c = solid.points[[first, one, other]]
            total += float(np.dot(a, np.cross(b, c))) / 6
    return total


def is_closed(solid: Solid) -> bool:
    """Whether each edge lies between two faces that go along it in opposite ways."""
    edges = Counter((face[i - 1], face[i]) for face in solid.faces for i in range(len(face)))
    return all(count == 1 and edges[(b, a)] == 1 for (a, b), count in edges.items())


@given(lengths, lengths, lengths)
def test_a_box_stands_on_the_floor(x: float, y: float, z: float) -> None:
    made = box((x, y, z))
    assert is_closed(made) and np.isclose(volume(made), x * y * z)
    np.testing.assert_allclose(made.points.min(axis=0), (-x / 2, -y / 2, 0))
    np.testing.assert_allclose(made.points.max(axis=0), (x / 2, y / 2, z))


@given(st.integers(1, 20), lengths, lengths, lengths)
def test_stairs_rise_step_by_step(steps: int, rise: float, tread: float, width: float) -> None:
    made = stairs(steps, rise, tread, width)
    assert is_closed(made) and np.isclose(volume(made), width * tread * rise * steps * (steps + 1) / 2)
    np.testing.assert_allclose(np.ptp(made.points, axis=0), (steps * tread, width, steps * rise))


def test_stones_are_as_high_as_asked_and_strewn_alike_by_a_seed() -> None:
    def strewn(seed: int) -> list[Solid]:
        return [*rubble((8.0, 3.0), 60, 0.3, 0.04, (0.3, 0.8), seed)]

    stones = strewn(4)
    assert all(is_closed(stone) and volume(stone) > 0 for stone in stones)
    tops = np.array([stone.points[:, 2].max() for stone in stones])
    assert 0.2 < tops.max() <= 0.3 and np.median(tops) < 0.2
    assert max(np.abs(stone.points[:, :2]).max() for stone in stones) < 4.5
    for one, other in zip(stones, strewn(4), strict=True):
        np.testing.assert_array_equal(one.points, other.points)
    assert not np.allclose(stones[0].points.mean(axis=0), strewn(5)[0].points.mean(axis=0))


@pytest.mark.parametrize(
    ("shape", "values", "said"),
    [
        ("sphere", {}, "no shape 'sphere'"),
        ("box", {}, "values of a box"),
        ("ramp", {"length": 1.0, "width": 1.0, "rise": 1.0, "colour": 3}, "colour"),
        ("prism", {"corners": [[0, 0], [1, 0]], "height": 1.0}, "three corners"),
    ],
)
def test_wrong_shapes_are_told(shape: str, values: dict, said: str) -> None:
    with pytest.raises(FootfallError, match=said):
        solids_of(shape, values)
