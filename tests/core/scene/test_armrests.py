"""Armrests within reach of a seat, on pieces whose measures are known."""

from dataclasses import dataclass, replace

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


def test_a_forearm_rests_near_the_inner_edge_of_a_broad_armrest() -> None:
    sofa = Sofa(seat_count=1)
    _, front = armrests_of(sofa.mesh())["R"]
    assert front[0] == pytest.approx(sofa.seat_width / 2 + 0.05, abs=0.025)


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


def test_an_armrest_reaches_from_end_to_end_on_its_top_in_the_middle_of_its_width() -> None:
    # Heights are taken each centimeter, from 14 cm aside and from 15 cm behind the hips.
    (side,), (found,) = zip(*Strip(aside=0.195, rear=-0.105, front=0.255).armrests().items(), strict=True)
    assert side == "R"
    np.testing.assert_allclose(found.rear, [0.225, -0.1, 0.65], atol=1e-9)
    np.testing.assert_allclose(found.front, [0.225, 0.25, 0.65], atol=1e-9)


@pytest.mark.parametrize(("yaw", "ahead"), [(np.pi / 2, (-1.0, 0.0)), (np.pi, (0.0, -1.0)), (-np.pi / 2, (1.0, 0.0))])
def test_armrests_turn_with_the_seat(yaw: float, ahead: tuple[float, float]) -> None:
    found = Strip(aside=0.195, rear=-0.105, front=0.255).armrests(yaw=yaw)["R"]
    right = np.array([ahead[1], -ahead[0]])
    np.testing.assert_allclose(found.front[:2], 0.225 * right + 0.25 * np.array(ahead), atol=1e-6)


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


def test_a_lower_edge_of_an_armrest_is_another_strip() -> None:
    edge, top = Strip(aside=0.195, width=0.04, rise=0.2), Strip(aside=0.235, width=0.1, rise=0.24)
    assert edge.armrests(top)["R"].front[0] == pytest.approx(0.215), "4 cm are no level"
    assert edge.armrests(replace(top, rise=0.22))["R"].front[0] == pytest.approx(0.25)


def test_a_knob_at_its_end_is_left_out_of_a_strip_and_the_longest_strip_counts() -> None:
    rest, knob = Strip(rear=-0.105, front=0.155), Strip(rear=0.155, front=0.255, rise=0.24)
    assert rest.armrests(knob)["R"].front[1] == pytest.approx(0.15)
    rear = Strip(rear=-0.205, front=-0.005, rise=0.24)
    assert Strip(rear=0.005, front=0.305).armrests(rear)["R"].rear[1] == pytest.approx(0.01)
    before, gap = Strip(rear=-0.145, front=-0.055), Strip(rear=0.005, front=0.255)
    found = before.armrests(gap)["R"]
    assert (found.rear[1], found.front[1]) == pytest.approx((0.01, 0.25))
