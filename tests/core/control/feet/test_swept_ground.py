"""Footholds beside platforms that move: not where one is over the foot as it lands, or comes over it."""

import numpy as np

from footfall.core.control.feet import swept_ground
from footfall.core.control.feet.foothold import find_foothold
from footfall.core.control.feet.swept_ground import SweptGround
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, Carrier

PLATFORM = Boxes([((-3.0, -1.0, 0.0), (0.0, 1.0, 0.1))])
"""Its edge is at x = 0 in frame 0, and moves back."""
SCENE = Carrier(Boxes([FLOOR]), PLATFORM, velocity=(-0.01, 0.0, 0.0))


def test_a_sole_costs_the_ground_over_it_at_other_frames() -> None:
    soles = np.array([[[-0.05, 0.0, 0.0], [0.05, 0.0, 0.0]], [[0.1, 0.0, 0.0], [0.3, 0.0, 0.0]]])
    swept = SweptGround(SCENE, (0, 12))
    np.testing.assert_allclose(swept.cost(soles, 10, 1.0, 0.4), [swept_ground.TUNING.cost, 0.0])


def test_a_heel_is_put_down_clear_of_an_edge_that_has_not_gone_yet() -> None:
    ball, ahead, sole = np.array([0.18, 0.0, 0.03]), np.array([1.0, 0.0]), 0.2

    def heel(swept: SweptGround | None) -> float:
        return float(find_foothold(SCENE, ball, ahead, sole, 1.0, 0.4, 10, swept=swept).position[0]) - sole

    assert heel(None) < 0.0, "where the edge is at the middle of the contact the place is clear"
    assert heel(SweptGround(SCENE, (0, 20))) > 0.0, "but not as the heel lands"
