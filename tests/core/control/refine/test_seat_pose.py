"""The place of the hips over a seat."""

import numpy as np

from footfall.core.control.refine.seat_pose import hips_over_seat
from footfall.core.motion.root_frame import facing_direction
from footfall.tests.core.control.interaction.test_sequencer import block


def test_they_go_with_a_seat_that_stands_elsewhere() -> None:
    stool = block("stool", "seat", (0.4, 0.4, 0.45), (2.0, 3.0, 0.0))
    moved = stool.place_at(np.array([5.0, -1.0, 0.2]), facing_direction(np.array(1.0)))
    height = hips_over_seat(stool, 0.84)[2]
    np.testing.assert_allclose(hips_over_seat(moved, 0.84)[2], height + 0.2 - stool.position[2], atol=1e-9)
    assert np.linalg.norm(hips_over_seat(moved, 0.84)[:2] - [5.0, -1.0]) < 0.1
