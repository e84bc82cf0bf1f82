"""Catmull and Clark's scheme on a cube, whose step is known in closed form."""

import numpy as np

from footfall.core.body.subdivision import subdivide

CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def test_a_cube_becomes_24_quads_whose_corners_move_to_five_ninths() -> None:
    points, quads, owners = subdivide(CORNERS, FACES)
    assert len(points) == 8 + 12 + 6 and quads.shape == (24, 4)
    np.testing.assert_array_equal(np.bincount(owners), 4)
    np.testing.assert_allclose(points[:8], CORNERS * 5 / 9)
    np.testing.assert_allclose(np.sort(np.abs(points[8:20]), axis=-1), np.tile([0.0, 0.75, 0.75], (12, 1)))
    np.testing.assert_allclose(np.linalg.norm(points[20:], axis=-1), 1.0)


def test_quads_keep_the_sense_of_rotation_of_their_polygons() -> None:
    points, quads, owners = subdivide(CORNERS, FACES)
    for quad, owner in zip(quads, owners, strict=True):
        a, b, c, d = points[quad]
        normal = np.cross(c - a, d - b)
        outward = CORNERS[list(FACES[owner])].mean(axis=0)
        assert normal @ outward > 0
