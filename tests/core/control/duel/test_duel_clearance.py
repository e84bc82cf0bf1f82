"""Bodies of a duel give way where they overlap, half a second before and after it, over feet that stand."""

from dataclasses import replace

import numpy as np

from footfall.core.control.duel.duel_clearance import give_way
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.support.poses import hips_at, posed

STILL = posed(hips_at(np.full(200, 0.95)))


def beside(meters: Array) -> Clip:
    return replace(STILL, root_positions=STILL.root_positions + np.outer(meters, [1.0, 0.0, 0.0]))


def test_they_are_farther_out_of_each_other_in_the_span_and_nothing_changes_elsewhere() -> None:
    other = beside(np.full(200, 0.45))
    first, second = give_way(STILL, other, 60, 80)
    before = deepest_overlap(STILL, other)
    after = deepest_overlap(first, second)
    assert after[60:80].max() < before[60:80].max() - 0.01
    for made, own in ((first, STILL), (second, other)):
        for rows in (slice(0, 60), slice(80, 200)):
            np.testing.assert_array_equal(made.root_positions[rows], own.root_positions[rows])
            np.testing.assert_array_equal(made.rotations[rows], own.rotations[rows])
