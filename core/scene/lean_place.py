"""Places at which a body leans on an object with both palms: on the edge of a top, or on a high face."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion.rotations import Array
from .collider import Collider

TOP_HEIGHTS_M: Final = (0.7, 1.15)
"""Range of the height of a top on which palms rest."""
FACE_HEIGHT_M: Final = 1.25
"""Height of palms on a face."""
FACE_MARGIN_M: Final = 0.1
"""Least distance of palms on a face below its upper edge."""
MIN_WIDTH_M: Final = 0.5
"""Smallest width of an object on which two palms rest."""
PALM_DISTANCE_M: Final = 0.44
"""Distance between the palms."""
EDGE_DISTANCE_M: Final = 0.07
"""Distance of the middle of the palms behind the edge of a top; on a narrow one they are on its middle."""
TOP_DISTANCES_M: Final = ((0.7, 0.9, 1.15), (0.44, 0.51, 0.62), (0.39, 0.45, 0.53))
"""Heights of palms on a top, the distance from them of the hips of a body that stands, and of one that leans."""
FACE_DISTANCES_M: Final = (0.65, 0.52)
"""The same distances from palms on a face."""
LEVEL_M: Final = 0.02
"""Difference of height within which parts of an object are one top."""
FINGERS_SPREAD_RAD: Final = np.radians(12.0)
"""Angle by which the fingers on a top point outward."""
FINGERS_DOWN_RAD: Final = np.radians(10.0)
"""Angle by which they point down: the wrist is over the top."""
FINGERS_UP_RAD: Final = np.radians(70.0)
"""Angle by which the fingers on a face are raised from the direction into it."""


@dataclass(frozen=True, slots=True, eq=False)
class LeanPlace:
    """The place at the front of an object, in object space, on which both palms of a body rest that faces it.

    Attributes:
        palms: (2, 3) middle of the left and the right palm, meters.
        fingers: (2, 3) directions of the fingers.
        into: (3) direction from the palms into the object.
    """

    palms: Array
    fingers: Array
    into: Array

    @property
    def is_top(self) -> bool:
        """True where palms rest on a top; else they are on a face."""
        return bool(self.into[2] < 0)

    @property
    def middle(self) -> Array:
        """Middle (3) between the palms in object space, meters."""
        return self.palms.mean(axis=0)

    @property
    def stand_distance(self) -> float:
        """Distance of the hips from the palms of an adult that stands before it leans, meters."""
        heights, stands, _ = TOP_DISTANCES_M
        return float(np.interp(self.height, heights, stands)) if self.is_top else FACE_DISTANCES_M[0]

    @property
    def lean_distance(self) -> float:
        """Distance of the hips from the palms of an adult that leans, meters."""
        heights, _, leans = TOP_DISTANCES_M
        return float(np.interp(self.height, heights, leans)) if self.is_top else FACE_DISTANCES_M[1]

    @property
    def height(self) -> float:
        """Height of the palms in object space, meters."""
        return float(self.palms[0, 2])


def find_lean_place(collider: Collider, aside: float = 0.0) -> LeanPlace | None:
    """Return where palms rest at the front (+Y) of an object; ``None`` if it is too low or narrow, or has a gap there.

    Args:
        collider: collider of an object that stands on the ground, in object space.
        aside: where along the front, meters toward +X; the nearest place with room for both palms is taken.
    """
    lower, upper = collider.bounds
    height, width = float(upper[2] - lower[2]), float(upper[0] - lower[0])
    if height < TOP_HEIGHTS_M[0] or width < MIN_WIDTH_M:
        return None
    middle = float(np.clip(aside, lower[0] + MIN_WIDTH_M / 2, upper[0] - MIN_WIDTH_M / 2))
    # A character that faces the front (+Y) looks along -Y: its left hand is at +X.
    across = middle + PALM_DISTANCE_M / 2 * np.array([1.0, -1.0])
    if height <= TOP_HEIGHTS_M[1]:
        return _top(collider, across, float(upper[2]))
    return _face(collider, across, min(float(lower[2]) + FACE_HEIGHT_M, float(upper[2]) - FACE_MARGIN_M))


def lean_sides(collider: Collider) -> tuple[int, ...]:
    """Return the sides of an object, in quarter turns from its front, that have room for two palms."""
    return tuple(side for side in range(4) if find_lean_place(collider.rotate_quarter_turns(-side)) is not None)


def no_lean_place(name: str) -> FootfallError:
    """Return the refusal of an object without such a side."""
    return FootfallError(
        "'{name}' has no side to lean on: it needs a top {lowest} to {highest} m high, or a higher face, and {width} m "
        "for two palms",
        name=name,
        lowest=TOP_HEIGHTS_M[0],
        highest=TOP_HEIGHTS_M[1],
        width=MIN_WIDTH_M,
    )


def _top(collider: Collider, across: Array, level: float) -> LeanPlace | None:
    """Return the place on the edge of a top at a height; ``None`` where the top has a gap."""
    edges = [_extent_at(collider, float(x), level - LEVEL_M) for x in across]
    if any(edge is None for edge in edges):
        return None
    (rear, front), (other_rear, other_front) = edges  # type: ignore[misc]
    if abs(front - other_front) > EDGE_DISTANCE_M:
        return None
    front, rear = min(front, other_front), max(rear, other_rear)
    inward = max(front - EDGE_DISTANCE_M, (front + rear) / 2)
    palms = np.array([[x, inward, level] for x in across])
    spread, down = FINGERS_SPREAD_RAD * np.array([1.0, -1.0]), FINGERS_DOWN_RAD
    level_part = np.cos(down) * np.column_stack([np.sin(spread), -np.cos(spread)])
    fingers = np.column_stack([level_part, np.full(2, -np.sin(down))])
    return LeanPlace(palms, fingers, np.array([0.0, 0.0, -1.0]))


def _face(collider: Collider, across: Array, level: float) -> LeanPlace | None:
    """Return the place on a face at a height; ``None`` where the face has a gap, or is not level across."""
    edges = [_extent_at(collider, float(x), level) for x in across]
    if any(edge is None for edge in edges):
        return None
    fronts = [edge[1] for edge in edges if edge is not None]
    if abs(fronts[0] - fronts[1]) > LEVEL_M:
        return None
    palms = np.array([[x, front, level] for x, front in zip(across, fronts, strict=True)])
    fingers = np.tile([0.0, -np.cos(FINGERS_UP_RAD), np.sin(FINGERS_UP_RAD)], (2, 1))
    return LeanPlace(palms, fingers, np.array([0.0, -1.0, 0.0]))


def _extent_at(collider: Collider, across: float, height: float) -> tuple[float, float] | None:
    """Return the rear and the front of an object at a place across it and a height; ``None`` where nothing is."""
    point = np.array([across, height])
    hit = ((collider.lower[:, [0, 2]] <= point) & (point <= collider.upper[:, [0, 2]])).all(axis=1)
    if not hit.any():
        return None
    return float(collider.lower[hit, 1].min()), float(collider.upper[hit, 1].max())
