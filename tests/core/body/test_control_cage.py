"""A cage of points with weights: shares that sum to one, bridges between loops, and surfaces without loose points."""

import numpy as np

from footfall.core.body.control_cage import ControlCage
from footfall.core.body.skinned_mesh import Material

SQUARE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])


def test_a_bridge_runs_around_both_loops() -> None:
    cage = ControlCage(1)
    low = cage.add_points(SQUARE, [{0: 1.0}] * 4)
    high = cage.add_points(SQUARE + np.array([0.0, 0.0, 1.0]), [{0: 1.0}] * 4)
    cage.bridge(low, high, Material.RIGHT)
    assert cage.faces == [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    assert cage.materials.tolist() == [Material.RIGHT] * 4
