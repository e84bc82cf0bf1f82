"""Meshes whose shape is known in closed form."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from footfall.core.motion.rotations import Array

Mesh = tuple[Array, NDArray[np.intp]]
Corner = tuple[float, float, float]

SEAT = ((-0.25, -0.25, 0.4), (0.25, 0.25, 0.48))
BACK = ((-0.25, 0.2, 0.48), (0.25, 0.25, 1.0))
LEGS = [((x - 0.02, y - 0.02, 0.0), (x + 0.02, y + 0.02, 0.4)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]


def box(lower: Corner, upper: Corner) -> Mesh:
    """Twelve triangles."""
    unit = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [three for a, b, c, d in sides for three in ((a, b, c), (a, c, d))]
    return unit * (np.array(upper) - lower) + lower, np.array(triangles)


def together(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several."""
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    triangles = [triangles + first for (_, triangles), first in zip(meshes, firsts, strict=False)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(triangles)


def chair() -> Mesh:
    """A seat at 0.48 m, a back to its rear (+Y), four legs."""
    return together([box(*part) for part in (SEAT, BACK, *LEGS)])


def sphere(radius: float, rings: int = 24) -> Mesh:
    """A closed sphere about the origin."""
    polar, around = np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False)
    grid = np.stack(
        [
            np.sin(polar)[:, None] * np.cos(around),
            np.sin(polar)[:, None] * np.sin(around),
            np.cos(polar)[:, None] + 0 * around,
        ],
        axis=-1,
    )
    index = np.arange(grid[..., 0].size).reshape(grid.shape[:2])
    a, b = index[:-1], index[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return radius * grid.reshape(-1, 3), triangles
