"""Protocols of ground and scene, with heights, normals and ceilings, and simple implementations."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

RAY_SAMPLE_SPACING_M: Final = 0.05
"""Spacing of the samples of a gapless ground along a ray."""
RAY_START_HEIGHT_M: Final = 3.0
"""Height above these samples at which vertical rays start."""


class Ground(Protocol):
    """The ground under points of the world, meters; ``frame`` is the frame of the walk, for ground that moves.

    Surfaces count as seen from a point: the ground is the first surface at or below it, so that a roof overhead is not
    ground, and the ceiling is the first surface above it.
    """

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """Return the heights (...) of the first surface at or below points (..., 3); NaN without one."""
        ...

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """Return the unit normals (..., 3), pointing up, of these surfaces; straight up without one."""
        ...

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Return the heights (...) of the first surface above points (..., 3); infinite without one."""
        ...


class Scene(Ground, Protocol):
    """A ground with objects that can block a path, and that can move points on them."""

    @property
    def is_static(self) -> bool:
        """True if nothing in the scene moves."""
        ...

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """Return whether (...) a surface is between points ``starts`` and ``ends`` (..., 3).

        Args:
            starts: (..., 3) points, world, meters.
            ends: (..., 3) points, world, meters.
            frame: frame of the walk.
        """
        ...

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """Return points (..., 3) moved with the ground below them from one frame to another.

        Args:
            points: (..., 3) points at the first frame, world, meters.
            from_frame: frame at which the points rest on the ground.
            to_frame: frame of the result.
        """
        ...


@dataclass(frozen=True, slots=True)
class Plane:
    """An infinite level ground at a height in meters; points are never under it."""

    height: float = 0.0

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], self.height)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], np.inf)

    @property
    def is_static(self) -> bool:
        """See :class:`Scene`."""
        return True

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`Scene`."""
        return np.asarray((np.asarray(starts)[..., 2] < self.height) != (np.asarray(ends)[..., 2] < self.height))

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """See :class:`Scene`."""
        return np.array(points)


class EmptyScene:
    """A scene without ground."""

    @property
    def is_static(self) -> bool:
        """See :class:`Scene`."""
        return True

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], np.nan)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return np.full(np.shape(points)[:-1], np.inf)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`Scene`."""
        return np.zeros(np.shape(starts)[:-1], dtype=bool)

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """See :class:`Scene`."""
        return np.array(points)


@dataclass(frozen=True, slots=True)
class StaticScene:
    """A ground without gaps as a static :class:`Scene`.

    Attributes:
        ground: the ground.
    """

    ground: Ground

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.ground.heights(points, frame)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.ground.normals(points, frame)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.ground.ceilings(points, frame)

    @property
    def is_static(self) -> bool:
        """See :class:`Scene`."""
        return True

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`Scene`; the ground is sampled every :data:`RAY_SAMPLE_SPACING_M`."""
        starts, ends = np.asarray(starts, dtype=float), np.asarray(ends, dtype=float)
        longest = float(np.linalg.norm(ends - starts, axis=-1).max(initial=0.0))
        shares = np.linspace(0.0, 1.0, max(round(longest / RAY_SAMPLE_SPACING_M), 1) + 1)
        points = starts[..., None, :] + shares[:, None] * (ends - starts)[..., None, :]
        return np.asarray(
            (self.ground.heights(points + np.array([0.0, 0.0, RAY_START_HEIGHT_M]), frame) > points[..., 2]).any(
                axis=-1
            )
        )

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """See :class:`Scene`."""
        return np.array(points)


@dataclass(frozen=True, slots=True)
class ScaledScene:
    """A scene scaled for a body of another size.

    Attributes:
        scene: the scene.
        factor: factor of all lengths, above zero.
    """

    scene: Scene
    factor: float

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.scene.heights(np.asarray(points) / self.factor, frame) * self.factor

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.scene.normals(np.asarray(points) / self.factor, frame)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`Ground`."""
        return self.scene.ceilings(np.asarray(points) / self.factor, frame) * self.factor

    @property
    def is_static(self) -> bool:
        """See :class:`Scene`."""
        return self.scene.is_static

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`Scene`."""
        return self.scene.blocked(np.asarray(starts) / self.factor, np.asarray(ends) / self.factor, frame)

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """See :class:`Scene`."""
        return self.scene.move_with_ground(np.asarray(points) / self.factor, from_frame, to_frame) * self.factor


def ground_heights_at(scene: Scene, points: Array, frames: NDArray[np.intp] | None = None) -> Array:
    """Return the heights (N), meters, of the ground at or below points (N, 3), each at its own frame of the walk.

    Args:
        scene: the scene.
        points: (N, 3) points, meters.
        frames: (N) frames of the walk; by default consecutive frames from the first one on.
    """
    if scene.is_static:
        return scene.heights(points)
    moments = range(len(points)) if frames is None else frames.tolist()
    return np.array([scene.heights(point[None], frame)[0] for frame, point in zip(moments, points, strict=True)])
