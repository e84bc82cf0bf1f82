"""A cage of points with weights: shares that sum to one, bridges between loops, and surfaces without loose points."""

import numpy as np
import pytest

from footfall.core.body.control_cage import ControlCage
from footfall.core.body.skinned_mesh import Material

SQUARE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])


def test_points_and_weights_are_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        ControlCage(1).add_points(SQUARE, [{0: 1.0}])


def test_a_bridge_runs_around_both_loops() -> None:
    cage = ControlCage(1)
    low = cage.add_points(SQUARE, [{0: 1.0}] * 4)
    high = cage.add_points(SQUARE + np.array([0.0, 0.0, 1.0]), [{0: 1.0}] * 4)
    cage.bridge(low, high, Material.RIGHT)
    assert cage.faces == [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    assert cage.materials.tolist() == [Material.RIGHT] * 4


def test_points_without_faces_are_left_out_and_faces_keep_their_corners() -> None:
    cage = ControlCage(1)
    cage.add_points(SQUARE, [{0: 1.0}] * 4)
    cage.add_points(SQUARE + 2.0, [{0: 1.0}] * 4)
    cage.add_face((4, 5, 6, 7), Material.VISOR)
    cage.add_face((6, 5, 1), Material.TRUNK)
    values, faces = cage.surface()
    np.testing.assert_allclose(values[:, :3], [SQUARE[1], *(SQUARE + 2.0)])
    assert faces == [(1, 2, 3, 4), (3, 2, 0)]
    assert cage.materials.tolist() == [Material.VISOR, Material.TRUNK]
