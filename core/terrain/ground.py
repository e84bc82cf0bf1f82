"""What characters stand on: heights, normals and ceilings of any ground, level or rough, still or moving."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array

RAY_SAMPLE_SPACING_M: Final = 0.05
"""Metres between the places at which a ground without gaps is asked whether it is in the way, ..."""
RAY_START_HEIGHT_M: Final = 3.0
"""... and how far above them the rays begin."""


class Ground(Protocol):
    """The ground under points of the world, metres; ``frame`` counts the walk's frames, for ground that moves.

    A surface counts from where one stands: the ground is the first one at or below a point, so that a roof overhead is
    none, and the ceiling the first one above it.
    """

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """Heights (...) of the first surface at or below points (..., 3); NaN where there is none."""
        ...

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """Unit normals (..., 3), pointing up, of those surfaces; straight up where there is none."""
        ...

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """Heights (...) of the first surface above points (..., 3); infinite where there is none."""
        ...


class Scene(Ground, Protocol):
    """A ground whose things can be bumped into, and can carry who stands on them."""

    @property
    def is_static(self) -> bool:
        """Whether nothing in it moves."""
        ...

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """Whether (...) a surface lies between points ``starts`` and ``ends`` (..., 3)."""
        ...

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """Where points (..., 3) are at one frame that stood on the ground below them at another."""
        ...


@dataclass(frozen=True, slots=True)
class Plane:
    """Level ground without end, at a height in metres; its points are never under it."""

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
    """A scene without ground: what stands in it stands where it is."""

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
    """Any ground as a :class:`Scene`: it stands still, and what it is made of has no gaps.

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
        """See :class:`Scene`; asked of the ground every few centimetres."""
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
    """A scene as a body of another size finds it: everything in it ``factor`` times as large.

    Attributes:
        scene: the scene.
        factor: above zero.
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


def ground_heights_at(scene: Scene, points: Array) -> Array:
    """Heights (F), metres, of the ground at or below points (F, 3), each at its own frame of the walk."""
    if scene.is_static:
        return scene.heights(points)
    return np.array([scene.heights(point[None], frame)[0] for frame, point in enumerate(points)])
