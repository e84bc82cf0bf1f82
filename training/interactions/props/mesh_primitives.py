"""Closed meshes of which props are made: boxes, upright or leaning, and prisms."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....core.motion.rotations import Array

Mesh = tuple[Array, NDArray[np.intp]]
"""Vertices (V, 3), m, and triangles (N, 3), counter-clockwise seen from outside."""

_BOX_FACES: Final = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
ROUND_SIDE_COUNT: Final = 20
"""Number of sides of round meshes."""


def box_mesh(lower: ArrayLike, upper: ArrayLike, lean: ArrayLike = (0.0, 0.0)) -> Mesh:
    """Return the mesh of an axis-aligned box between two corners, with its top shifted sideways.

    Args:
        lower: (3) corner with the smallest coordinates, m.
        upper: (3) corner with the largest coordinates, m.
        lean: (2) horizontal shift of the top, m.
    """
    unit = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    low, high = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    vertices = unit * (high - low) + low
    vertices[:, :2] += unit[:, 2:] * np.asarray(lean, dtype=float)
    triangles = [three for a, b, c, d in _BOX_FACES for three in ((a, b, c), (a, c, d))]
    return vertices, np.array(triangles, dtype=np.intp)


def prism_mesh(center: ArrayLike, radii: tuple[float, float], height: float, sides: int = ROUND_SIDE_COUNT) -> Mesh:
    """Return the mesh of an upright regular prism that tapers from the radius of its base to that of its top.

    Args:
        center: (3) center of the base, m.
        radii: radii of base and top, m.
        height: height of the prism, m.
        sides: number of sides of base and top.
    """
    angles = 2 * np.pi * (np.arange(sides) + 0.5) / sides
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(sides)])
    floor, top = ring * radii[0], ring * radii[1] + [0.0, 0.0, height]
    ends = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, height]])
    vertices = np.concatenate([floor, top, ends]) + np.asarray(center, dtype=float)
    here, there = np.arange(sides), np.roll(np.arange(sides), -1)
    low, high = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    triangles = np.concatenate([
        np.column_stack([here, there, there + sides]),
        np.column_stack([here, there + sides, here + sides]),
        np.column_stack([there, here, low]),
        np.column_stack([here + sides, there + sides, high]),
    ])  # fmt: skip
    return vertices, triangles.astype(np.intp)


def merge_meshes(meshes: Sequence[Mesh]) -> Mesh:
    """Return several meshes joined into one mesh, with the triangles' indices adapted."""
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    triangles = [triangles + first for (_, triangles), first in zip(meshes, firsts, strict=False)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(triangles)


def leg_meshes(x: float, y: float, top: float, size: float) -> list[Mesh]:
    """Return the meshes of four furniture legs at the corners of a rectangle around the origin.

    Args:
        x: half width of the rectangle, m.
        y: half depth of the rectangle, m.
        top: height of the legs' upper ends above the floor, m.
        size: thickness of the legs, m.
    """
    return [
        box_mesh((min(a, a - np.sign(a) * size), min(b, b - np.sign(b) * size), 0.0),
            (max(a, a - np.sign(a) * size), max(b, b - np.sign(b) * size), top))
        for a in (-x, x)
        for b in (-y, y)
    ]  # fmt: skip
