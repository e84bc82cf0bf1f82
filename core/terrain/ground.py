"""Protocols of ground (heights, normals, ceilings) and of scene (obstacles, motion), and simple implementations."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

RAY_SAMPLE_SPACING_M: Final = 0.05
"""Spacing of the points at which a gapless ground is sampled along a ray."""
RAY_START_HEIGHT_M: Final = 3.0
"""Height above the sampled points of a ray at which vertical rays begin."""


class Ground(Protocol):
    """The ground below points in the world, meters; ``frame`` selects the frame of the walk if the ground moves.

    Which surface counts depends on the point: its ground is the first surface at or below it, its ceiling the first one
    above, so that a roof overhead is not ground.
    """

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """Return the heights (...) of the first surface at or below points (..., 3); NaN where there is none."""
        ...

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """Return the unit normals (..., 3), upward, of the surfaces that :meth:`heights` finds.

        Without a surface the normal is straight up.
        """
        ...

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Return the heights (...) of the first surface above points (..., 3); infinite where there is none."""
        ...


class Scene(Ground, Protocol):
    """A ground with objects that can block a path, and that can move and carry characters."""

    @property
    def is_static(self) -> bool:
        """True if nothing in the scene moves."""
        ...

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """Return a mask (...) of the segments from ``starts`` to ``ends`` (..., 3) that cross a surface.

        Args:
            starts: (..., 3) first points of the segments, world, meters.
            ends: (..., 3) last points of the segments, world, meters.
            frame: frame of the walk.
        """
        ...

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """Return the positions (..., 3) to which the ground carries points that rest on it, from one frame to another.

        Args:
            points: (..., 3) points at ``from_frame``, world, meters.
            from_frame: frame at which the points rest on the ground.
            to_frame: frame of the result.
        """
        ...


class EmptyScene:
    """A static scene without ground, ceilings or obstacles."""

    @property
    def is_static(self) -> bool:
        return True

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.full(np.shape(points)[:-1], np.nan)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return np.full(np.shape(points)[:-1], np.inf)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        return np.zeros(np.shape(starts)[:-1], dtype=bool)

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        return np.array(points)


@dataclass(frozen=True, slots=True)
class Plane(EmptyScene):
    """An infinite level ground at the given height, meters; points below it count as on it."""

    height: float = 0.0

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.full(np.shape(points)[:-1], self.height)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        return np.asarray((np.asarray(starts)[..., 2] < self.height) != (np.asarray(ends)[..., 2] < self.height))


@dataclass(frozen=True, slots=True)
class StaticScene(EmptyScene):
    """A static :class:`Scene` made of a gapless ground, such as a heightfield."""

    ground: Ground

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return self.ground.heights(points, frame)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return self.ground.normals(points, frame)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return self.ground.ceilings(points, frame)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """Return a mask (...) of the segments from ``starts`` to ``ends`` (..., 3), world, m, that enter the ground.

        The ground is sampled every 5 cm.
        """
        starts, ends = np.asarray(starts, dtype=float), np.asarray(ends, dtype=float)
        longest = float(np.linalg.norm(ends - starts, axis=-1).max(initial=0.0))
        shares = np.linspace(0.0, 1.0, max(round(longest / RAY_SAMPLE_SPACING_M), 1) + 1)
        points = starts[..., None, :] + shares[:, None] * (ends - starts)[..., None, :]
        return np.asarray(
            (self.ground.heights(points + np.array([0.0, 0.0, RAY_START_HEIGHT_M]), frame) > points[..., 2]).any(
                axis=-1
            )
        )


@dataclass(frozen=True, slots=True)
class Together:
    """Two scenes combined, of which the higher ground counts; points move with the one that is not static."""

    one: Scene
    other: Scene

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.fmax(self.one.heights(points, frame), self.other.heights(points, frame))

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        higher = np.nan_to_num(self.one.heights(points, frame), nan=-np.inf)
        is_one = higher >= np.nan_to_num(self.other.heights(points, frame), nan=-np.inf)
        return np.where(is_one[..., None], self.one.normals(points, frame), self.other.normals(points, frame))

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return np.fmin(self.one.ceilings(points, frame), self.other.ceilings(points, frame))

    @property
    def is_static(self) -> bool:
        return self.one.is_static and self.other.is_static

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        return self.one.blocked(starts, ends, frame) | self.other.blocked(starts, ends, frame)

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        moving = self.other if self.one.is_static else self.one
        return moving.move_with_ground(points, from_frame, to_frame)


@dataclass(frozen=True, slots=True)
class ScaledScene:
    """A scene with all lengths scaled, for a body of another size.

    Attributes:
        factor: scale of all lengths, above 0.
    """

    scene: Scene
    factor: float

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return self.scene.heights(np.asarray(points) / self.factor, frame) * self.factor

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return self.scene.normals(np.asarray(points) / self.factor, frame)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return self.scene.ceilings(np.asarray(points) / self.factor, frame) * self.factor

    @property
    def is_static(self) -> bool:
        return self.scene.is_static

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        return self.scene.blocked(np.asarray(starts) / self.factor, np.asarray(ends) / self.factor, frame)

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        return self.scene.move_with_ground(np.asarray(points) / self.factor, from_frame, to_frame) * self.factor


def ground_heights_at(scene: Scene, points: Array, frames: NDArray[np.intp] | None = None) -> Array:
    """Return the heights (N), meters, of the ground at or below points (N, 3), each at its own frame of the walk.

    Args:
        scene: the scene.
        points: (N, 3) points, world, meters.
        frames: (N) frame of the walk for each point; 0, 1, 2, ... if not given.
    """
    if scene.is_static:
        return scene.heights(points)
    moments = range(len(points)) if frames is None else frames.tolist()
    return np.array([scene.heights(point[None], frame)[0] for frame, point in zip(moments, points, strict=True)])
