"""What is about a character: spheres in a cylinder around it, and how far things reach into each (NSM section 4.3).

Sizes are those of the released code: rings 0.25 m apart out to 2 m, layers 0.25 m apart from the ground to 2 m.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.root_frame import into_frame
from ..motion.rotations import Array, rotate
from .collider_pose import Placed

SPACING: Final = 0.25
RINGS: Final = 8
LAYERS: Final = 9
RADIUS: Final = np.sqrt(0.5) * SPACING
"""Metres, of a sphere."""


def _cylinder() -> Array:
    rings = [round(2 * np.pi * ring) for ring in range(1, RINGS + 1)]
    angles = np.concatenate([2 * np.pi * np.arange(count) / count for count in rings])
    radii = SPACING * np.repeat(np.arange(1, RINGS + 1), rings)
    disc = np.stack([radii * np.sin(angles), radii * np.cos(angles)], axis=-1)
    heights = SPACING * np.arange(LAYERS)
    return np.column_stack([np.tile(disc, (LAYERS, 1)), np.repeat(heights, len(disc))])


CELLS: Final = _cylinder()
"""Centres (2034, 3) of the spheres, metres in the root's frame: layer by layer, ring by ring, ahead first."""
COUNT: Final = len(CELLS)
NARROW: Final = CELLS.astype(np.float32)
DISC: Final = NARROW[: COUNT // LAYERS, :2]
"""(226, 2) of one layer's."""
KEPT: Final = 16
"""Sets of objects that are remembered."""
HEIGHTS: Final = (SPACING * np.arange(LAYERS)).astype(np.float32)
WIDEST: Final = RINGS * SPACING


def sense_environment(positions: Array, yaws: Array, objects: Sequence[Placed]) -> Array:
    """What B characters sense (B, 2034), from 0, nothing, to 1, the middle of a sphere is within something (eq. 3).

    Args:
        positions: (B, 3) of their roots on the ground, metres, world.
        yaws: (B) radians.
        objects: what there is.
    """
    result = np.zeros((len(yaws), COUNT))
    if objects:
        about = _Cuboids.of(tuple(objects))
        for row, (position, yaw) in enumerate(zip(positions, yaws, strict=True)):
            about.fill(position, yaw, result[row])
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Cuboids:
    """The cuboids (C) of all objects.

    Attributes:
        middles: (C, 3) metres, world.
        axes: (C, 3, 3) their own axes in the world, one a row.
        halves: (C, 3) metres along these.
        reaches: (C) metres over the ground from the middle beyond which no sphere touches it.
    """

    middles: Array
    axes: Array
    halves: NDArray[np.float32]
    reaches: NDArray[np.float32]

    @staticmethod
    @lru_cache(maxsize=KEPT)
    def of(objects: tuple[Placed, ...]) -> "_Cuboids":
        """Of objects; of those that stand still made once."""
        owner = np.repeat(np.arange(len(objects)), [len(one.collider.lower) for one in objects])
        lower, upper = (np.concatenate([getattr(one.collider, end) for one in objects]) for end in ("lower", "upper"))
        turns = np.stack([one.rotation for one in objects])
        axes = rotate(turns[:, None], np.eye(3))[owner]
        positions = np.stack([one.position for one in objects])[owner]
        halves = (upper - lower) / 2
        return _Cuboids(
            np.einsum("ci,cij->cj", (lower + upper) / 2, axes) + positions,
            axes,
            halves.astype(np.float32),
            (np.linalg.norm(halves, axis=1) + RADIUS).astype(np.float32),
        )

    def fill(self, position: Array, yaw: float, filled: Array) -> None:
        """Fills in how far the cuboids reach into each sphere (2034) about a root at ``position`` (3), in place."""
        way = self.middles - position
        about = np.flatnonzero(np.hypot(way[:, 0], way[:, 1]) < WIDEST + self.reaches)
        turn, halves = np.asarray(yaw), self.halves[about]
        middles = into_frame(way[about], turn).astype(np.float32)
        axes = into_frame(self.axes[about], turn).astype(np.float32)
        # A sphere that is outside of the box about a cuboid along the root's axes does not touch it.
        room = np.einsum("ci,cij->cj", halves, np.abs(axes)) + np.float32(RADIUS)
        over = np.abs(DISC[:, None, 0] - middles[:, 0]) < room[:, 0]
        over &= np.abs(DISC[:, None, 1] - middles[:, 1]) < room[:, 1]
        column, cuboid = np.divmod(np.flatnonzero(over), len(about))
        up = np.abs(HEIGHTS - middles[:, 2, None]) < room[:, 2, None]
        pair, layer = np.divmod(np.flatnonzero(up[cuboid]), LAYERS)
        sphere, cuboid = layer * len(DISC) + column[pair], cuboid[pair]
        gaps = np.abs(np.einsum("pij,pj->pi", axes[cuboid], NARROW[sphere] - middles[cuboid])) - halves[cuboid]
        np.maximum(gaps, 0.0, out=gaps)
        reached = 1.0 - np.sqrt(np.einsum("pi,pi->p", gaps, gaps)).astype(float) / RADIUS
        np.maximum.at(filled, sphere, reached)
