"""Bars over the tops of boxes: those that a hand holds, and those that it does not."""

from dataclasses import dataclass

import numpy as np

from footfall.core.scene.affordances import Grips
from footfall.core.scene.carry_handle import MAX_BAR_WIDTH_M, find_carry_handle
from footfall.core.scene.collider import Collider


@dataclass(frozen=True)
class Case:
    """A box with a bar along X over its top, which two posts carry."""

    length: float = 0.16
    width: float = 0.04
    room: float = 0.06
    bar_height: float = 0.02
    aside: float = 0.0
    along: float = 0.0
    turned: bool = False

    def collider(self) -> Collider:
        top = 0.4 + self.room
        ends = (self.along - self.length / 2, self.along + self.length / 2)
        sides = (self.aside - self.width / 2, self.aside + self.width / 2)
        posts = ((ends[0], ends[0] + 0.01), (ends[1] - 0.01, ends[1]))
        boxes = [
            ((-0.3, -0.1, 0.0), (0.3, 0.1, 0.4)),
            ((ends[0], sides[0], top), (ends[1], sides[1], top + self.bar_height)),
            *(((start, sides[0], 0.4), (stop, sides[1], top)) for start, stop in posts),
        ]
        lower, upper = np.array(boxes).transpose(1, 0, 2)
        if self.turned:
            lower, upper = lower[:, [1, 0, 2]], upper[:, [1, 0, 2]]
        return Collider(lower, upper)

    def grips(self) -> Grips | None:
        return find_carry_handle(self.collider())


def test_both_hands_are_on_the_middle_of_the_bar_which_runs_ahead() -> None:
    grips = Case(along=0.04).grips()
    assert grips is not None and grips.is_handle
    np.testing.assert_allclose(grips.hands, [[0.04, 0.0, 0.48]] * 2, atol=0.011)
    np.testing.assert_array_equal(grips.direction, [1.0, 0.0])
    other = Case(along=0.04, turned=True).grips()
    assert other is not None
    np.testing.assert_allclose(other.hands, [[0.0, 0.04, 0.48]] * 2, atol=0.011)
    np.testing.assert_array_equal(other.direction, [0.0, 1.0])


def test_a_hand_closes_around_a_bar_that_is_narrow() -> None:
    widths = (0.05, 0.09)
    assert widths[0] < MAX_BAR_WIDTH_M < widths[1]
    assert [Case(width=width).grips() is not None for width in widths] == [True, False]


def test_a_ridge_on_the_top_has_no_room_for_fingers() -> None:
    ridge = Collider(np.array([[-0.3, -0.1, 0.0], [-0.1, -0.02, 0.4]]), np.array([[0.3, 0.1, 0.4], [0.1, 0.02, 0.5]]))
    assert find_carry_handle(ridge) is None
