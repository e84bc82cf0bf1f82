"""Places on an object for leaning with both palms: on the edge of a top, or on a high face."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion.rotations import Array
from .collider import Collider

TOP_HEIGHTS_M: Final = (0.7, 1.15)
"""Range of heights of tops, such as of tables, on which a character leans."""
FACE_HEIGHT_M: Final = 1.25
"""Height of the palms on a face, such as a wall."""
FACE_MARGIN_M: Final = 0.1
"""Least distance of palms on a face below its upper edge."""
MIN_WIDTH_M: Final = 0.5
"""Smallest width of an object for two palms."""
PALM_DISTANCE_M: Final = 0.44
"""Distance between the middles of both palms."""
EDGE_DISTANCE_M: Final = 0.07
"""Distance from the middle of a palm to the edge of a top; on a narrow top, palms are halfway across it."""
TOP_DISTANCES_M: Final = ((0.7, 0.9, 1.15), (0.44, 0.51, 0.62), (0.39, 0.45, 0.53))
"""Heights of palms on a top, with the distances of the hips from the palms before leaning and while leaning."""
FACE_DISTANCES_M: Final = (0.65, 0.52)
"""Distances of the hips from palms on a face, before leaning and while leaning."""
LEVEL_M: Final = 0.02
"""Largest height difference between the two places for palms on a top that counts as level."""
FINGERS_SPREAD_RAD: Final = np.radians(12.0)
"""Outward angle of the fingers on a top."""
FINGERS_DOWN_RAD: Final = np.radians(10.0)
"""Downward angle of the fingers on a top, since the wrist is above it."""
FINGERS_UP_RAD: Final = np.radians(70.0)
"""Upward angle of the fingers on a face, measured from the direction into the face."""


@dataclass(frozen=True, slots=True, eq=False)
class LeanPlace:
    """The place of both palms on the front of an object, for a body that faces it, in object space.

    Attributes:
        palms: (2, 3) middles of the left and the right palm, meters.
        fingers: (2, 3) unit directions of the fingers of the left and the right hand.
        into: (3) unit direction from the palms into the object.
    """

    palms: Array
    fingers: Array
    into: Array

    @property
    def is_top(self) -> bool:
        """True if the palms are on a top, such as a table's; false if they are on a face, such as a wall's."""
        return bool(self.into[2] < 0)

    @property
    def middle(self) -> Array:
        """Middle (3) between the palms in object space, meters."""
        return self.palms.mean(axis=0)

    @property
    def stand_distance(self) -> float:
        """Horizontal distance from the palms to the hips of an adult before leaning, meters."""
        heights, stands, _ = TOP_DISTANCES_M
        return float(np.interp(self.height, heights, stands)) if self.is_top else FACE_DISTANCES_M[0]

    @property
    def lean_distance(self) -> float:
        """Horizontal distance from the palms to the hips of a leaning adult, meters."""
        heights, _, leans = TOP_DISTANCES_M
        return float(np.interp(self.height, heights, leans)) if self.is_top else FACE_DISTANCES_M[1]

    @property
    def height(self) -> float:
        """Height of the palms in object space, meters."""
        return float(self.palms[0, 2])


def find_lean_place(collider: Collider, aside: float = 0.0) -> LeanPlace | None:
    """Return the place of both palms for leaning on an object's front (+Y).

    ``None`` if the front is too low or narrow for two palms, or has a gap.

    Args:
        collider: collider of an object that stands on the ground, in object space.
        aside: preferred position along the front, meters toward +X; the nearest place with room for both palms is
            chosen.
    """
    lower, upper = collider.bounds
    height, width = float(upper[2] - lower[2]), float(upper[0] - lower[0])
    if height < TOP_HEIGHTS_M[0] or width < MIN_WIDTH_M:
        return None
    middle = float(np.clip(aside, lower[0] + MIN_WIDTH_M / 2, upper[0] - MIN_WIDTH_M / 2))
    # A character that faces the front (+Y) looks along -Y, so that its left hand is at +X.
    across = middle + PALM_DISTANCE_M / 2 * np.array([1.0, -1.0])
    if height <= TOP_HEIGHTS_M[1]:
        return _top(collider, across, float(upper[2]))
    return _face(collider, across, min(float(lower[2]) + FACE_HEIGHT_M, float(upper[2]) - FACE_MARGIN_M))


def lean_sides(collider: Collider) -> tuple[int, ...]:
    """Return the sides of an object with room for two palms, as numbers of quarter turns from its front (0 to 3)."""
    return tuple(side for side in range(4) if find_lean_place(collider.rotate_quarter_turns(-side)) is not None)


def no_lean_place(name: str) -> FootfallError:
    """Return the error for an object that has no side with room for two palms."""
    return FootfallError(
        "'{name}' has no side to lean on: it needs a top {lowest} to {highest} m high, or a higher face, and {width} m "
        "for two palms",
        name=name,
        lowest=TOP_HEIGHTS_M[0],
        highest=TOP_HEIGHTS_M[1],
        width=MIN_WIDTH_M,
    )


def _top(collider: Collider, across: Array, level: float) -> LeanPlace | None:
    """Return the place for the palms on a top's edge at a height; ``None`` if the top has a gap."""
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
    """Return the place for the palms on a face at a height.

    The result is ``None`` if the face has a gap or is not straight across.
    """
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
    """Return the object's rear and front at a position across it and a height; ``None`` if it is empty there."""
    point = np.array([across, height])
    hit = ((collider.lower[:, [0, 2]] <= point) & (point <= collider.upper[:, [0, 2]])).all(axis=1)
    if not hit.any():
        return None
    return float(collider.lower[hit, 1].min()), float(collider.upper[hit, 1].max())
