"""Orders of strikes: targets that move, and orders that cannot be met are refused with one sentence."""

import numpy as np
import pytest

from footfall.core.control.combat.strike_order import StrikeOrder, require_orders
from footfall.core.errors import FootfallError

PLACE = np.array([0.1, 0.6, 1.4])
MOVING = np.array([[0.0, 0.0, 1.0], [0.2, 0.0, 1.1], [0.5, 0.0, 1.2]])


@pytest.mark.parametrize("frame", [-1, 0, 7])
def test_a_target_that_stays_is_the_same_at_each_frame(frame: int) -> None:
    np.testing.assert_array_equal(StrikeOrder(5, PLACE, "hand.L").target_at(frame), PLACE)


@pytest.mark.parametrize(("frame", "row"), [(-2, 0), (0, 0), (1, 1), (2, 2), (3, 2), (90, 2)])
def test_a_target_that_moves_is_where_it_is_at_a_frame_and_stays_at_its_ends(frame: int, row: int) -> None:
    np.testing.assert_array_equal(StrikeOrder(5, MOVING, "hand.L").target_at(frame), MOVING[row])


def test_an_order_is_of_a_limb_unless_both_hands_hold_a_weapon() -> None:
    assert not StrikeOrder(5, PLACE, "hand.L").weapon
    assert StrikeOrder(5, PLACE, "hand.L", True).weapon


def test_orders_one_frame_apart_are_accepted() -> None:
    require_orders([StrikeOrder(9, PLACE, "hand.L"), StrikeOrder(10, MOVING, "foot.R")])


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ([], "There is no strike to make: name at least one frame"),
        ([StrikeOrder(9, PLACE, "head")], "There is no end effector 'head': choose one of hand.L, hand.R, foot.L"),
        ([StrikeOrder(9, PLACE * [1, np.inf, 1], "hand.L")], "attack at frame 9 has no valid position"),
        ([StrikeOrder(9, PLACE, "hand.L"), StrikeOrder(8, PLACE, "hand.L")], "at frames 9 and 8 are not one after"),
        ([StrikeOrder(9, PLACE, "hand.L"), StrikeOrder(9, PLACE, "hand.R")], "at frames 9 and 9 are not one after"),
        (
            [StrikeOrder(1, PLACE, "hand.L"), StrikeOrder(5, PLACE, "hand.R"), StrikeOrder(4, PLACE, "hand.R")],
            "at frames 5 and 4 are not one after",
        ),
    ],
)
def test_orders_that_cannot_be_are_refused(orders: list[StrikeOrder], sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_orders(orders)
