"""The environment sensor: occupancy of spheres in a cylinder around a character (NSM section 4.3).

Sizes follow the released code: rings 0.25 m apart out to 2 m, layers 0.25 m apart from the ground to 2 m.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.root_frame import into_frame
from ..motion.rotations import Array, rotate
from .collider_pose import PosedCollider

SPHERE_SPACING_M: Final = 0.25
"""Distance between neighboring rings, and between layers, of spheres."""
RING_COUNT: Final = 8
"""Number of rings of spheres in a layer."""
LAYER_COUNT: Final = 9
"""Number of layers of spheres, from the ground up."""
SPHERE_RADIUS_M: Final = np.sqrt(0.5) * SPHERE_SPACING_M


def _cylinder_points() -> Array:
    """Return the centers (2034, 3) of the spheres, meters."""
    rings = [round(2 * np.pi * ring) for ring in range(1, RING_COUNT + 1)]
    angles = np.concatenate([2 * np.pi * np.arange(count) / count for count in rings])
    radii = SPHERE_SPACING_M * np.repeat(np.arange(1, RING_COUNT + 1), rings)
    disc = np.stack([radii * np.sin(angles), radii * np.cos(angles)], axis=-1)
    heights = SPHERE_SPACING_M * np.arange(LAYER_COUNT)
    return np.column_stack([np.tile(disc, (LAYER_COUNT, 1)), np.repeat(heights, len(disc))])


SPHERE_CENTRES_M: Final = _cylinder_points()
"""Centers (2034, 3) of the spheres in the root's frame: layer by layer, ring by ring, ahead first."""
SPHERE_COUNT: Final = len(SPHERE_CENTRES_M)
SPHERE_CENTRES_F32_M: Final = SPHERE_CENTRES_M.astype(np.float32)
LAYER_CENTRES_M: Final = SPHERE_CENTRES_F32_M[: SPHERE_COUNT // LAYER_COUNT, :2]
"""Centers (226, 2) of the spheres of one layer."""
CUBOID_CACHE_SIZE: Final = 16
"""Number of sets of objects whose cuboids are cached."""
LAYER_HEIGHTS_M: Final = (SPHERE_SPACING_M * np.arange(LAYER_COUNT)).astype(np.float32)
SENSOR_RADIUS_M: Final = RING_COUNT * SPHERE_SPACING_M
"""Radius of the outermost ring."""


def sense_environment(positions: Array, yaws: Array, objects: Sequence[PosedCollider]) -> Array:
    """Return the occupancy of the spheres (B, 2034) around B characters (equation 3).

    The occupancy is 0 if no object reaches into a sphere, and 1 if its center is inside an object.

    Args:
        positions: (B, 3) positions of the roots on the ground, world, meters.
        yaws: (B) yaws of the roots, radians.
        objects: the objects of the scene.
    """
    result = np.zeros((len(yaws), SPHERE_COUNT))
    if objects:
        about = _WorldCuboids.from_objects(tuple(objects))
        for row, (position, yaw) in enumerate(zip(positions, yaws, strict=True)):
            about.fill_occupancy(position, yaw, result[row])
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _WorldCuboids:
    """The cuboids (C) of all objects.

    Attributes:
        centres: (C, 3) centers, world, meters.
        axes: (C, 3, 3) axes of each cuboid in the world, one a row.
        half_extents: (C, 3) half sizes along these axes, meters.
        horizontal_reaches: (C) largest horizontal distance from a cuboid's center to a sphere that touches it, meters.
    """

    centres: Array
    axes: Array
    half_extents: NDArray[np.float32]
    horizontal_reaches: NDArray[np.float32]

    @staticmethod
    @lru_cache(maxsize=CUBOID_CACHE_SIZE)
    def from_objects(objects: tuple[PosedCollider, ...]) -> "_WorldCuboids":
        """Collect the cuboids of objects; the result is cached for objects that do not move."""
        owner = np.repeat(np.arange(len(objects)), [len(one.collider.lower) for one in objects])
        lower, upper = (np.concatenate([getattr(one.collider, end) for one in objects]) for end in ("lower", "upper"))
        turns = np.stack([one.rotation for one in objects])
        axes = rotate(turns[:, None], np.eye(3))[owner]
        positions = np.stack([one.position for one in objects])[owner]
        halves = (upper - lower) / 2
        return _WorldCuboids(
            np.einsum("ci,cij->cj", (lower + upper) / 2, axes) + positions,
            axes,
            halves.astype(np.float32),
            (np.linalg.norm(halves, axis=1) + SPHERE_RADIUS_M).astype(np.float32),
        )

    def fill_occupancy(self, position: Array, yaw: float, occupancy: Array) -> None:
        """Raise the occupancy of the spheres around a root, in place, where cuboids reach into them.

        Args:
            position: (3) position of the root, world, meters.
            yaw: yaw of the root, radians.
            occupancy: (2034) occupancy from 0 to 1.
        """
        offsets = self.centres - position
        near = np.hypot(offsets[:, 0], offsets[:, 1]) < SENSOR_RADIUS_M + self.horizontal_reaches
        about = near.nonzero()[0]
        if not len(about):
            return
        turn, halves = np.asarray(yaw), self.half_extents[about]
        middles = into_frame(offsets[about], turn).astype(np.float32)
        axes = into_frame(self.axes[about], turn).astype(np.float32)
        # A sphere outside a cuboid's bounding box, along the root's axes, does not touch it.
        room = np.einsum("ci,cij->cj", halves, np.abs(axes)) + np.float32(SPHERE_RADIUS_M)
        over = np.abs(LAYER_CENTRES_M[:, None, 0] - middles[:, 0]) < room[:, 0]
        over &= np.abs(LAYER_CENTRES_M[:, None, 1] - middles[:, 1]) < room[:, 1]
        column, cuboid = np.divmod(np.flatnonzero(over), len(about))
        up = np.abs(LAYER_HEIGHTS_M - middles[:, 2, None]) < room[:, 2, None]
        pair, layer = np.divmod(np.flatnonzero(up[cuboid]), LAYER_COUNT)
        sphere, cuboid = layer * len(LAYER_CENTRES_M) + column[pair], cuboid[pair]
        gaps = (
            np.abs(np.einsum("pij,pj->pi", axes[cuboid], SPHERE_CENTRES_F32_M[sphere] - middles[cuboid]))
            - halves[cuboid]
        )
        np.maximum(gaps, 0.0, out=gaps)
        reached = 1.0 - np.sqrt(np.einsum("pi,pi->p", gaps, gaps)).astype(float) / SPHERE_RADIUS_M
        np.maximum.at(occupancy, sphere, reached)
