"""Arc lengths of polylines."""

import numpy as np
import pytest

from footfall.core.motion.polyline import arc_lengths_of


@pytest.mark.parametrize("axes", [2, 3])
def test_arc_lengths_of_a_right_angle(axes: int) -> None:
    points = np.zeros((4, axes))
    points[1:, 0] = 3.0
    points[2:, 1] = 4.0
    np.testing.assert_array_equal(arc_lengths_of(points), [0.0, 3.0, 7.0, 7.0])
