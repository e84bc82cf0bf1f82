"""Armrests within reach of a seat, on pieces whose measures are known."""

from dataclasses import dataclass

import numpy as np
import pytest

from footfall.core.scene.affordances import Seat
from footfall.core.scene.armrests import Armrest, find_armrests
from footfall.core.scene.collider import Collider
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


@pytest.mark.parametrize(
    "piece", [Stool(), Chair(), Sofa(arm_height=0.0), Sofa(seat_count=2), Chair(width=0.56, arm_height=0.4)]
)
def test_seats_without_armrests_within_reach_have_none(piece: Stool | Chair | Sofa) -> None:
    assert armrests_of(piece.mesh()) == {}


@dataclass(frozen=True)
class Strip:
    """A block to the right of a seat at the origin that faces +Y: from a distance aside, and from end to end ahead."""

    aside: float = 0.2
    width: float = 0.06
    rear: float = -0.1
    front: float = 0.25
    rise: float = 0.2

    def armrests(self, *more: "Strip", yaw: float = 0.0) -> dict[str, Armrest]:
        """The armrests of the blocks about a seat at a height of 45 cm; turned by whole quarters of a turn."""
        blocks = (self, *more)
        lower = np.array([[one.aside, one.rear, 0.0] for one in blocks])
        upper = np.array([[one.aside + one.width, one.front, 0.45 + one.rise] for one in blocks])
        seat = Seat(np.array([0.0, 0.0, 0.45]), np.array([-np.sin(yaw), np.cos(yaw)]).round(9), 0.4, 0.4)
        return find_armrests(Collider(lower, upper).rotate_quarter_turns(round(yaw / (np.pi / 2))), seat)


@pytest.mark.parametrize(
    ("strip", "is_armrest"),
    [
        (Strip(rise=0.121), True),
        (Strip(rise=0.119), False),
        (Strip(rise=0.339), True),
        (Strip(rise=0.341), False),
        (Strip(aside=0.1, width=0.03), False),
        (Strip(aside=0.1, width=0.045), True),
        (Strip(aside=0.345), True),
        (Strip(aside=0.375), False),
        (Strip(rear=-0.055, front=0.135), True),
        (Strip(rear=-0.055, front=0.115), False),
        (Strip(rear=-0.145, front=0.105), True),
        (Strip(rear=-0.145, front=0.095), False),
        (Strip(rear=0.235, front=0.6), False),
        (Strip(rear=0.195, front=0.6), True),
    ],
)
def test_a_strip_is_an_armrest_where_a_forearm_rests(strip: Strip, is_armrest: bool) -> None:
    assert ("R" in strip.armrests()) == is_armrest
