"""Armrests within reach of a seat, on pieces whose measures are known."""

import numpy as np
import pytest

from footfall.core.scene.armrests import find_armrests
from footfall.core.scene.object_usage import use_object
from footfall.training.interactions.props.mesh_primitives import Mesh
from footfall.training.interactions.props.seats import Chair, Sofa, Stool


def armrests_of(mesh: Mesh) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    made = use_object("seat", *mesh, "sit", None)
    assert made.seat is not None
    return {side: (one.rear, one.front) for side, one in find_armrests(made.collider, made.seat).items()}


@pytest.mark.parametrize("rise", [0.15, 0.22, 0.28])
def test_a_chair_has_an_armrest_on_each_side_as_high_as_it_was_made(rise: float) -> None:
    chair = Chair(width=0.56, arm_height=rise)
    found = armrests_of(chair.mesh())
    assert set(found) == {"L", "R"}
    for side, (rear, front) in found.items():
        assert abs(rear[0]) == pytest.approx(0.26, abs=0.02), "rests are 4 cm wide, at the edges of the seat"
        assert (rear[0] < 0) == (side == "L"), "the character faces +Y"
        np.testing.assert_allclose([rear[2], front[2]], chair.seat_height + rise, atol=0.04)
        assert front[1] - rear[1] > 0.25


def test_a_forearm_rests_near_the_inner_edge_of_a_broad_armrest() -> None:
    sofa = Sofa(seat_count=1)
    _, front = armrests_of(sofa.mesh())["R"]
    assert front[0] == pytest.approx(sofa.seat_width / 2 + 0.05, abs=0.025)


@pytest.mark.parametrize(
    "piece", [Stool(), Chair(), Sofa(arm_height=0.0), Sofa(seat_count=2), Chair(width=0.56, arm_height=0.4)]
)
def test_seats_without_armrests_within_reach_have_none(piece: Stool | Chair | Sofa) -> None:
    assert armrests_of(piece.mesh()) == {}
