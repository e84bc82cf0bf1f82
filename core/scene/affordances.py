"""Affordances of an object: seats, grips, handles and placement surfaces.

Positions are in object space, meters: the origin is on the floor, +Y is the object's front. Affordances found from a
collider are first guesses, which users and generated props replace. A collider is searched along the axes of its own
outline, column by column.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..motion.rotations import Array
from .collider import Collider
from .column_grid import SURFACE_TOLERANCE_M, ColumnGrid, largest_rectangle

MAX_GRIP_WIDTH_M: Final = 0.75
"""Largest distance between the hands that carry an object."""
GRIP_HEIGHT_RATIO: Final = 0.45
"""Height of the grips above the bottom of a box, relative to the box's height."""
MIN_GRIP_WIDTH_RATIO: Final = 0.5
"""Smallest width of an object at the height of its grips, relative to its whole width."""
MIN_PLACEMENT_SIZE_M: Final = 0.2
"""Smallest width and depth of a placement surface."""
PLACEMENT_HEADROOM_M: Final = 0.25
"""Least free height above a placement surface."""


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """A place to sit on.

    Attributes:
        position: (3) point of the seat under the middle of the hips, meters.
        direction: (2) facing direction of the seated character.
        width: size of the seat across the facing direction, meters.
        depth: size of the seat along the facing direction, meters.
    """

    position: Array
    direction: Array
    width: float
    depth: float


@dataclass(frozen=True, slots=True, eq=False)
class Grips:
    """Positions of the hands on a carried object.

    Attributes:
        hands: (2, 3) positions of left and right hand, meters, on two opposite sides, or both on a handle.
        direction: (2) facing direction of the character at the grasp.
        is_handle: whether one hand holds a handle from above, and the object hangs beside the character.
    """

    hands: Array
    direction: Array
    is_handle: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """The handle of a door.

    Attributes:
        position: (3) position of the handle, meters.
        direction: (2) facing direction of the character that pushes or pulls it.
        hinge: (3) a point of the vertical axis about which the leaf turns, meters.
        opens_toward: (2) the only horizontal direction to which the leaf opens; ``None`` if it opens both ways.
    """

    position: Array
    direction: Array
    hinge: Array
    opens_toward: Array | None = None

    @property
    def hinge_distance(self) -> float:
        """Horizontal distance from the hinge to the handle, about the width of the leaf, meters."""
        return float(np.linalg.norm((self.position - self.hinge)[:2]))

    @property
    def pushing_hand(self) -> str:
        """The hand, ``"L"`` or ``"R"``, that pushes the door: on the handle's side, away from the hinge."""
        away, ahead = (self.position - self.hinge)[:2], self.direction
        return "L" if float(ahead[0] * away[1] - ahead[1] * away[0]) > 0 else "R"

    @property
    def pulling_hand(self) -> str:
        """The hand, ``"L"`` or ``"R"``, that pulls the door open: the opposite of the pushing hand."""
        return "R" if self.pushing_hand == "L" else "L"

    @property
    def is_pulled(self) -> bool:
        """True if the leaf opens only toward the character at this handle."""
        return self.opens_toward is not None and float(self.opens_toward @ self.direction) < 0

    def scaled(self, factor: float) -> "Handle":
        """Return the handle with its positions multiplied by ``factor``, for an object of another size."""
        return replace(self, position=factor * self.position, hinge=factor * self.hinge)

    def opposite_handle(self) -> "Handle":
        """Return the same handle for a character on the other side of the leaf."""
        ahead = np.append(self.direction, 0.0)
        position = self.position + 2 * float((self.hinge - self.position) @ ahead) * ahead
        return replace(self, position=position, direction=-self.direction)


@dataclass(frozen=True, slots=True, eq=False)
class PlacementSurface:
    """A level rectangle with free room above it, on which an object can be put down.

    Attributes:
        position: (3) middle of the rectangle, meters.
        direction: (2) horizontal direction of its depth, toward the front.
        width: size across this direction, meters.
        depth: size along this direction, meters.
    """

    position: Array
    direction: Array
    width: float
    depth: float


def find_grips(collider: Collider) -> Grips | None:
    """Return grips of both hands for a bearer at an object's front (+Y), or else at another side.

    ``None`` if the object is too wide from all sides.
    """
    low, high = collider.bounds
    for direction in np.array([[0.0, -1.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]):
        hands = _hand_positions(collider, low, high, direction)
        if np.linalg.norm(hands[0] - hands[1]) <= MAX_GRIP_WIDTH_M:
            return Grips(hands, direction)
    return None


def find_placement_surfaces(collider: Collider) -> tuple[PlacementSurface, ...]:
    """Return the placement surfaces of an object, the largest first: at most one for each level."""
    columns = ColumnGrid.from_collider(collider)
    found: list[tuple[float, PlacementSurface]] = []
    for height in columns.surface_levels(0.05, np.inf, min_spacing=SURFACE_TOLERANCE_M):
        free = columns.free_columns(height, PLACEMENT_HEADROOM_M, 0.6 * SURFACE_TOLERANCE_M)
        (first, last), (start, stop) = largest_rectangle(free)
        width, depth = (last - first) * columns.cell, (stop - start) * columns.cell
        if min(width, depth) < MIN_PLACEMENT_SIZE_M:
            continue
        middle = columns.to_object_space((first + last - 1) / 2, (start + stop - 1) / 2)
        top = PlacementSurface(np.array([*middle, height]), columns.forward, float(width), float(depth))
        found.append((float(width * depth), top))
    return tuple(top for _, top in sorted(found, key=lambda pair: -pair[0]))


def placement_poses(
    surface: PlacementSurface, width: float, depth: float, edge_clearance: float
) -> list[tuple[Array, Array]]:
    """Return a pose for an object near each edge of a surface: position (3), m, and direction (2) to the character.

    Args:
        surface: the surface; the poses are in its object space.
        width: size of the placed object across the direction to the character, meters.
        depth: size of the placed object along this direction, meters.
        edge_clearance: distance to keep between object and edge, meters.
    """
    across = np.array([surface.direction[1], -surface.direction[0]])
    found = []
    for direction, along, beside in (
        (surface.direction, surface.depth, surface.width),
        (-surface.direction, surface.depth, surface.width),
        (across, surface.width, surface.depth),
        (-across, surface.width, surface.depth),
    ):
        if beside >= width and along >= depth:
            shift = max(along / 2 - depth / 2 - edge_clearance, 0.0)
            found.append((surface.position + np.append(shift * direction, 0.0), direction))
    return found


def _hand_positions(collider: Collider, low: Array, high: Array, facing: Array) -> Array:
    """Return the positions (2, 3) of the left and right hand on an object, slightly below its middle.

    ``facing`` (2) is the direction that the character faces.
    """
    left = np.array([-facing[1], facing[0]])
    axis = int(np.argmax(np.abs(left)))
    middle, aim = (low + high) / 2, low[2] + GRIP_HEIGHT_RATIO * (high[2] - low[2])
    heights = np.linspace(low[2], high[2], 41)[1:-1]
    ends = np.repeat(middle[axis], 2)
    for height in sorted(heights, key=lambda height: abs(float(height) - aim)):
        middle[2] = height
        ends = _line_intersections(collider, middle, axis)
        if ends[1] - ends[0] >= MIN_GRIP_WIDTH_RATIO * (high[axis] - low[axis]):
            break
    hands = np.stack([middle, middle])
    hands[:, axis] = ends[::-1] if left[axis] > 0 else ends
    return hands


def _line_intersections(collider: Collider, point: Array, axis: int) -> Array:
    """Return the coordinates (2), along an axis, at which the line through a point (3) enters and leaves a collider.

    Both are the point's own coordinate if the line misses the collider.
    """
    other = [candidate for candidate in range(3) if candidate != axis]
    hit = ((collider.lower[:, other] <= point[other]) & (point[other] <= collider.upper[:, other])).all(axis=1)
    if not hit.any():
        return np.repeat(point[axis], 2)
    return np.array([collider.lower[hit, axis].min(), collider.upper[hit, axis].max()])
