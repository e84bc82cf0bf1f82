"""Rays onto meshes of a few triangles, in closed form."""

import numpy as np
import pytest

from footfall.core.scene.affordances import Grips
from footfall.core.scene.mesh_surface import MeshSurface
from footfall.tests.support.meshes import box

BOX = MeshSurface(*box((-0.2, -0.1, 0.0), (0.2, 0.1, 0.3)))
RAMP = MeshSurface(
    np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]])
)
"""A square from above that rises along X by half."""


def held(left: tuple[float, float, float], right: tuple[float, float, float]) -> Grips:
    return Grips(np.array([left, right]), np.array([0.0, -1.0]))


@pytest.mark.parametrize("shift", [0.03, 0.0, -0.03])
def test_hands_beside_or_inside_a_box_are_put_on_its_sides(shift: float) -> None:
    snapped = BOX.snap_grips(held((0.2 + shift, 0.05, 0.1), (-0.2 - shift, 0.05, 0.1)))
    np.testing.assert_allclose(snapped.hands, [[0.2, 0.05, 0.1], [-0.2, 0.05, 0.1]], atol=1e-12)
    np.testing.assert_array_equal(snapped.direction, [0.0, -1.0])


def test_hands_askew_are_put_along_the_line_between_them() -> None:
    # The line goes along the diagonal of the top view: it meets the sides at x = 0.2 and y = 0.1 * 0.2 / 0.25.
    snapped = BOX.snap_grips(held((0.25, 0.1, 0.1), (-0.25, -0.1, 0.1)))
    np.testing.assert_allclose(snapped.hands, [[0.2, 0.08, 0.1], [-0.2, -0.08, 0.1]], atol=1e-12)


@pytest.mark.parametrize("place", [(0.25, 0.5), (0.75, 0.25), (0.75, 0.75), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)])
def test_the_height_of_a_ramp_is_known_everywhere_on_it(place: tuple[float, float]) -> None:
    x, y = place
    for above in (-0.05, 0.0, 0.3):
        assert RAMP.height_below(np.array([x, y, 0.5 * x + above])) == pytest.approx(0.5 * x, abs=1e-12)
