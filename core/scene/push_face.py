"""The front of an object to be pushed along the floor, with positions for two palms."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import Array
from .collider import Collider

MAX_PALM_HEIGHT_M: Final = 1.05
"""Largest height of the palms; on a high face they are at chest height."""
EDGE_DISTANCE_M: Final = 0.1
"""Least distance of the palms from the upper edge and the sides of a face."""
MAX_PALM_DISTANCE_M: Final = 0.42
"""Largest distance between the palms."""
MIN_HEIGHT_M, MIN_WIDTH_M = 0.45, 0.35
"""Smallest height and width of a pushable object."""


@dataclass(frozen=True, slots=True, eq=False)
class PushFace:
    """The pushed front of an object, in object space, meters.

    Attributes:
        palms: (2, 3) middles of the left and the right palm of a character that faces the front.
    """

    palms: Array

    @property
    def distance(self) -> float:
        """Distance from the object's origin forward (+Y) to the face, meters."""
        return float(self.palms[:, 1].max())

    @property
    def height(self) -> float:
        """Height of the palms above the object's bottom, meters."""
        return float(self.palms[0, 2])


def find_push_face(collider: Collider) -> PushFace | None:
    """Return the front (+Y) of an object as a face for two palms; ``None`` if the front is too small or has a gap."""
    lower, upper = collider.bounds
    width, height = float(upper[0] - lower[0]), float(upper[2] - lower[2])
    if height < MIN_HEIGHT_M or width < MIN_WIDTH_M:
        return None
    half = min(width / 2 - EDGE_DISTANCE_M, MAX_PALM_DISTANCE_M / 2)
    level = min(float(upper[2]) - EDGE_DISTANCE_M, MAX_PALM_HEIGHT_M)
    # A character that faces the front (+Y) looks along -Y, so that its left hand is at +X.
    palms = [(lower[0] + upper[0]) / 2 + side * half for side in (1.0, -1.0)]
    faces = [_front_at(collider, float(across), level) for across in palms]
    if any(front is None for front in faces) or abs(faces[0] - faces[1]) > EDGE_DISTANCE_M:  # type: ignore[operator]
        return None
    return PushFace(np.array([[across, front, level] for across, front in zip(palms, faces, strict=True)], dtype=float))


def _front_at(collider: Collider, across: float, height: float) -> float | None:
    """Return the distance from an object's origin to its front, at a position across and a height.

    ``None`` for a gap.
    """
    point = np.array([across, height])
    hit = ((collider.lower[:, [0, 2]] <= point) & (point <= collider.upper[:, [0, 2]])).all(axis=1)
    return float(collider.upper[hit, 1].max()) if hit.any() else None
