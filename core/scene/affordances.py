"""Affordances of an object found from its collider: grips and surfaces to put objects on."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import Array
from .collider import Collider
from .column_grid import SURFACE_TOLERANCE_M, ColumnGrid, largest_rectangle

MAX_GRIP_WIDTH_M: Final = 0.75
"""Metres between two hands that carry something."""
GRIP_HEIGHT_RATIO: Final = 0.45
"""Where a box is held, as a share of its height."""
MIN_GRIP_WIDTH_RATIO: Final = 0.5
"""It is held where it is as wide as this share of its width, at least."""
MIN_PLACEMENT_SIZE_M: Final = 0.2
"""Metres, of a place where things can be put."""
PLACEMENT_HEADROOM_M: Final = 0.25
"""Free height that a placement surface needs above it."""


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """Where one sits.

    Attributes:
        position: (3) on the seat, under the middle of the hips of who sits.
        direction: (2) which way they face.
        width, depth: metres of the seat, across and along that direction.
    """

    position: Array
    direction: Array
    width: float
    depth: float


@dataclass(frozen=True, slots=True, eq=False)
class Grips:
    """Where one takes hold of something to carry.

    Attributes:
        hands: (2, 3) left and right, on two opposite sides.
        direction: (2) which way the bearer faces when taking hold.
    """

    hands: Array
    direction: Array


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """Where one opens a door.

    Attributes:
        position: (3) of the handle.
        direction: (2) which way one faces who pushes or pulls it.
        hinge: (3) a point of the leaf's axis, which is vertical.
    """

    position: Array
    direction: Array
    hinge: Array

    @property
    def hinge_distance(self) -> float:
        """Metres from the hinge to the handle: about as wide is the leaf."""
        return float(np.linalg.norm((self.position - self.hinge)[:2]))

    @property
    def pushing_hand(self) -> str:
        """The hand, ``"L"`` or ``"R"``, that pushes it: the one on its side, away from the hinge."""
        away, ahead = (self.position - self.hinge)[:2], self.direction
        return "L" if float(ahead[0] * away[1] - ahead[1] * away[0]) > 0 else "R"

    def opposite_handle(self) -> "Handle":
        """Return the handle on the leaf's other side."""
        ahead = np.append(self.direction, 0.0)
        return Handle(
            self.position + 2 * float((self.hinge - self.position) @ ahead) * ahead, -self.direction, self.hinge
        )


@dataclass(frozen=True, slots=True, eq=False)
class PlacementSurface:
    """Where things can be put: a level rectangle with room above it.

    Attributes:
        position: (3) its middle.
        direction: (2) along its depth, towards the front.
        width, depth: metres across and along that direction.
    """

    position: Array
    direction: Array
    width: float
    depth: float


def find_grips(collider: Collider, preferred_facing: Array | None = None) -> Grips | None:
    """Where one takes hold of an object that one could carry; None where it is too wide.

    Args:
        collider: the object.
        preferred_facing: (2) which way the bearer would rather face; to the object from its front (-Y) where not given.
    """
    low, high = collider.bounds
    wanted = np.array([0.0, -1.0]) if preferred_facing is None else np.asarray(preferred_facing, dtype=float)
    sides = [np.array(side) for side in ((0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0))]
    for direction in sorted(sides, key=lambda side: -float(side @ wanted)):
        hands = _hand_positions(collider, low, high, direction)
        if np.linalg.norm(hands[0] - hands[1]) <= MAX_GRIP_WIDTH_M:
            return Grips(hands, direction)
    return None


def find_placement_surfaces(collider: Collider) -> tuple[PlacementSurface, ...]:
    """Return the places on an object where things can be put, the largest first: one on each level that has one."""
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
    """Where something can be put by who stands before one of a top's edges: places (3) near to it, and the directions
    (2) from there to whoever puts it.

    Args:
        surface: in object space, as all that is returned.
        width, depth: metres of what is put, across and along the way to its bearer.
        edge_clearance: metres that stay free to the edge.
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
    """Where the left and the right hand (2, 3) meet an object that one faces so, a little under its middle."""
    left = np.array([-facing[1], facing[0], 0.0])
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
    """Where a line along an axis through a point (3) enters and leaves a collider (2); at the point where it misses."""
    other = [one for one in range(3) if one != axis]
    hit = ((collider.lower[:, other] <= point[other]) & (point[other] <= collider.upper[:, other])).all(axis=1)
    if not hit.any():
        return np.repeat(point[axis], 2)
    return np.array([collider.lower[hit, axis].min(), collider.upper[hit, axis].max()])
