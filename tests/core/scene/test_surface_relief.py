"""Reliefs of a box and of a bar before it, in closed form."""

import numpy as np
import pytest

from footfall.core.scene.mesh_surface import MeshSurface
from footfall.core.scene.surface_relief import SurfaceRelief
from footfall.tests.support.meshes import box

LEAF = box((-0.4, 0.0, -0.5), (0.4, 0.05, 0.5))
BAR = box((-0.1, -0.06, -0.012), (0.1, -0.04, 0.012))
DOOR = MeshSurface(np.vstack([LEAF[0], BAR[0]]), np.vstack([LEAF[1], np.asarray(BAR[1]) + len(LEAF[0])]))
AHEAD = np.array([0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("point", "gap"),
    [((0.0, -0.1, 0.0), 0.04), ((0.05, -0.05, 0.005), -0.01), ((0.0, -0.1, 0.05), 0.1), ((-0.13, -0.02, 0.0), 0.02)],
)
def test_points_are_before_the_bar_or_before_the_leaf(point: tuple[float, float, float], gap: float) -> None:
    relief = SurfaceRelief.of(DOOR, np.array([0.0, -0.06, 0.0]), AHEAD)
    assert relief.gaps(np.array(point)) == pytest.approx(gap, abs=1e-9)
