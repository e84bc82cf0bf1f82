"""What can be done with an object, found from its collider: where one sits, takes hold, or puts something.

All of it is in object space, metres: the origin on the floor, +Y the object's front. These are first guesses; who knows
better makes their own. An object is looked at along the axes of its own outline, column by column.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array
from .collider import Collider
from .voxels import Triangles

SEAT_HEIGHT_RANGE_M: Final = (0.2, 1.0)
"""Metres, the lowest and the highest seats."""
USUAL_SEAT_HEIGHT_M: Final = (0.3, 0.62)
"""Metres; seats of other heights need be better ones to be believed."""
SEAT_SIZE_M: Final = 0.3
"""Metres that a seat is wide and deep, about, and more or less full."""
MIN_SEAT_COVER_SHARE: Final = 0.45
SEAT_HEADROOM_M: Final = 0.5
"""Metres over a seat that are free."""
SURFACE_TOLERANCE_M: Final = 0.05
"""Metres by which a seat may be uneven."""
MAX_HIPS_TO_FRONT_M: Final = 0.34
"""Metres from a deep seat's front edge to the hips of who sits: their knees are before it."""
HIPS_TO_FRONT_SHARE: Final = 0.55
"""On a shallow seat, this share of its depth."""
MIN_REST_RISE_M: Final = 0.12
"""Metres by which a back or an arm rest rises over the seat, at least."""
MAX_REST_RISE_M: Final = 0.5
"""Metres above which a back rest's height does not count."""
MAX_GRIP_WIDTH_M: Final = 0.75
"""Metres between two hands that carry something."""
GRIP_HEIGHT_RATIO: Final = 0.45
"""Where a box is held, as a share of its height."""
MIN_GRIP_WIDTH_RATIO: Final = 0.5
"""It is held where it is as wide as this share of its width, at least."""
SEAT_SAMPLE_OFFSETS_M: Final = (-0.08, 0.0, 0.08)
"""Metres from a seat's middle at which it is looked how high its mesh is."""
MAX_VOXEL_ERROR_M: Final = 0.08
"""Metres by which a collider is higher than its mesh, at most."""
MIN_PLACEMENT_SIZE_M: Final = 0.2
"""Metres, of a place where things can be put."""
COLUMN_SPACING_M: Final = 0.02
"""Metres between columns."""

Mask = NDArray[np.bool_]


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


def find_seat(collider: Collider) -> Seat | None:
    """Where one sits on an object; None where nobody can.

    A seat is a level patch of the size of a body, at a height that people sit at, with room for the trunk above. One
    faces away from the side that rises most over it and to the one that rises least: from a back rest, also between
    arm rests as high. Without a back one faces along the shorter side: to +Y where both are alike.
    """
    columns = _ColumnGrid.from_collider(collider)
    best: tuple[float, float, Mask] | None = None
    for height in columns.surface_levels(*SEAT_HEIGHT_RANGE_M):
        free = columns.free_columns(height, SEAT_HEADROOM_M)
        if not free.any():
            continue
        cover = _seat_cover(free, columns.cell)
        usual = np.interp(height, [0.0, *USUAL_SEAT_HEIGHT_M, 1.2], [0.5, 1.0, 1.0, 0.6])
        score = float(cover.max()) * float(usual) + 0.02 * min(float(free.sum()) * columns.cell**2, 1.0)
        if cover.max() >= MIN_SEAT_COVER_SHARE and (best is None or score > best[0]):
            best = score, height, _best_patch(free, cover)
    if best is None:
        return None
    _, height, patch = best
    front = _seat_side(columns, patch, height)
    return _seat_on_patch(columns, patch, front, height)


def snap_seat_to_mesh(seat: Seat, vertices: Array, triangles: Triangles) -> Seat:
    """Return a seat at the height of its mesh, which is up to a voxel under its collider.

    Args:
        seat: as it was found.
        vertices, triangles: (V, 3) and (T, 3) the mesh, in object space.
    """
    across = np.array([seat.direction[1], -seat.direction[0]])
    around = [
        seat.position[:2] + a * across + b * seat.direction
        for a in SEAT_SAMPLE_OFFSETS_M
        for b in SEAT_SAMPLE_OFFSETS_M
    ]
    heights = [_mesh_height(vertices[triangles], place, float(seat.position[2])) for place in around]
    found = [height for height in heights if seat.position[2] - height < MAX_VOXEL_ERROR_M]
    return replace(seat, position=np.append(seat.position[:2], np.median(found))) if found else seat


def _mesh_height(corners: Array, position: Array, max_height: float) -> float:
    """Return the highest point of triangles (T, 3, 3) at a place (2) that is not over a height; minus infinity
    without.
    """
    a, b, c = (corners[:, corner] for corner in range(3))
    first, second, offset = (b - a)[:, :2], (c - a)[:, :2], position - a[:, :2]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    level = np.abs(area) > 1e-12
    safe = np.where(level, area, 1.0)
    u = (offset[:, 0] * second[:, 1] - offset[:, 1] * second[:, 0]) / safe
    v = (first[:, 0] * offset[:, 1] - first[:, 1] * offset[:, 0]) / safe
    within = level & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
    heights = a[:, 2] + u * (b - a)[:, 2] + v * (c - a)[:, 2]
    return float(heights[within & (heights <= max_height + 1e-3)].max(initial=-np.inf))


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
    columns = _ColumnGrid.from_collider(collider)
    found: list[tuple[float, PlacementSurface]] = []
    for height in columns.surface_levels(0.05, np.inf, min_spacing=SURFACE_TOLERANCE_M):
        free = columns.free_columns(height, SEAT_HEADROOM_M / 2, 0.6 * SURFACE_TOLERANCE_M)
        (first, last), (start, stop) = _largest_rectangle(free)
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


@dataclass(frozen=True, eq=False)
class _ColumnGrid:
    """Columns (X, Y) through a collider, along the axes of its outline.

    Attributes:
        collider: what they go through.
        axes: (2, 2) across and forward, one a row.
        origin: (2) of the first column, in these axes, metres.
        shape: how many columns there are along each.
        cell: metres between them.
    """

    collider: Collider
    axes: Array
    origin: Array
    shape: tuple[int, int]
    cell: float = COLUMN_SPACING_M

    @staticmethod
    def from_collider(collider: Collider) -> "_ColumnGrid":
        corners = np.concatenate([
            np.column_stack([x[:, 0], y[:, 1]])
            for x in (collider.lower, collider.upper)
            for y in (collider.lower, collider.upper)
        ])  # fmt: skip
        axes = _outline_axes(corners)
        inside = corners @ axes.T
        low, high = inside.min(axis=0), inside.max(axis=0)
        counts = np.maximum(np.ceil((high - low) / COLUMN_SPACING_M - 1e-6), 1).astype(int)
        origin = (low + high) / 2 - (counts - 1) * COLUMN_SPACING_M / 2
        return _ColumnGrid(collider, axes, origin, (int(counts[0]), int(counts[1])))

    @property
    def forward(self) -> Array:
        """(2) the second axis in object space."""
        return self.axes[1]

    def to_object_space(self, across: float, along: float) -> Array:
        """Where a column is (2), in object space; columns may be parts of one."""
        return (self.origin + self.cell * np.array([across, along])) @ self.axes

    @cached_property
    def overlaps(self) -> Mask:
        """(X, Y, C) which cuboids are met by which column."""
        across, along = (self.origin[axis] + self.cell * np.arange(self.shape[axis]) for axis in range(2))
        places = np.stack(np.meshgrid(across, along, indexing="ij"), axis=-1) @ self.axes
        lower, upper = self.collider.lower[:, :2], self.collider.upper[:, :2]
        slack = 1e-6
        return np.all((places[:, :, None] >= lower - slack) & (places[:, :, None] <= upper + slack), axis=-1)

    def surface_levels(self, min_height: float, max_height: float, min_spacing: float = 0.01) -> list[float]:
        """Return the heights of upward faces, none nearer to the next than a distance, metres."""
        heights = np.unique(self.collider.upper[:, 2])
        heights = heights[(heights >= min_height - 1e-9) & (heights <= max_height + 1e-9)]
        kept = [height for height, above in pairwise([*heights, np.inf]) if above - height > min_spacing]
        return [float(height) for height in kept]

    def free_columns(self, height: float, headroom: float, tolerance: float = SURFACE_TOLERANCE_M) -> Mask:
        """(X, Y) where the surface is at a height, or a little under it, and so much room above it is free."""
        lower, upper = self.collider.lower[:, 2], self.collider.upper[:, 2]
        at = (upper <= height + 1e-6) & (upper > height - tolerance)
        above = (upper > height + 1e-6) & (lower < height + headroom)
        return np.any(self.overlaps & at, axis=-1) & ~np.any(self.overlaps & above, axis=-1)

    def surface_heights(self, max_height: float) -> Array:
        """(X, Y) the highest upward face of each column that is not over a height, metres; minus infinity without."""
        upper = self.collider.upper[:, 2]
        return np.where(self.overlaps & (upper <= max_height + 1e-6), upper, -np.inf).max(axis=-1)

    def rise_heights(self, height: float) -> Array:
        """(X, Y) how far each column goes up over a height, metres, :data:`MAX_REST_RISE_M` at most."""
        upper = self.collider.upper[:, 2] - height
        return np.clip(np.where(self.overlaps, upper, 0.0).max(axis=-1), 0.0, MAX_REST_RISE_M)


def _outline_axes(corners: Array) -> Array:
    """Return the axes (2, 2) of the narrowest rectangle about points (N, 2); object space's own unless others are
    better.
    """
    angles = np.radians(np.arange(0, 90, 5))
    areas = [float(np.ptp(corners @ _rotated_axes(angle).T, axis=0).prod()) for angle in angles]
    best = int(np.argmin(areas))
    return _rotated_axes(angles[best] if areas[best] < 0.8 * areas[0] else 0.0)


def _rotated_axes(angle: float) -> Array:
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def _seat_cover(free: Mask, cell: float) -> Array:
    """(X, Y) which share of a seat's room about each column is free."""
    size = max(round(SEAT_SIZE_M / cell), 1)
    return scipy.ndimage.uniform_filter(free.astype(float), size, mode="constant")


def _best_patch(free: Mask, cover: Array) -> Mask:
    """Return the connected part of the free columns that has the most room; gaps between slats do not part it."""
    numbers = np.zeros(free.shape, dtype=np.int32)
    scipy.ndimage.label(scipy.ndimage.uniform_filter(free.astype(float), 5, mode="constant") > 0.2, output=numbers)
    best = np.unravel_index(int(cover.argmax()), cover.shape)
    number = numbers[best] or int(np.bincount(numbers[free]).argmax())
    return free & (numbers == number)


def _seat_side(columns: _ColumnGrid, patch: Mask, height: float) -> int:
    """Which way one faces: 0 to +X of the columns' axes, 1 to +Y, 2 to -X, 3 to -Y."""
    rises = columns.rise_heights(height)
    walls = np.array([_rest_height(_rotate_columns(rises, side), _rotate_columns(patch, side)) for side in range(4)])
    better = np.roll(walls, 2) - walls  # the wall behind, less that ahead
    if better.max() > MIN_REST_RISE_M / 2:
        return int(np.argmax(better))
    across, along = (patch.any(axis=axis).sum() for axis in (1, 0))
    return 0 if along > 1.1 * across else 1


def _rotate_columns(values: NDArray[Any], side: int) -> NDArray[Any]:
    """Columns (X, Y) seen so that a side (0 +X, 1 +Y, 2 -X, 3 -Y) is at the second axis's end."""
    return (values.T[::-1], values, values.T[:, ::-1], values[::-1, ::-1])[side]


def _rest_height(rises: Array, patch: Mask) -> float:
    """How high an object rises beyond a patch, along the second axis: the mean of what each of its rows meets, m."""
    rows = patch.any(axis=1)
    last = patch.shape[1] - 1 - np.argmax(patch[:, ::-1], axis=1)
    beyond = np.arange(patch.shape[1]) > last[:, None]
    met = np.where(beyond, rises, 0.0).max(axis=1)[rows]
    return float(np.where(met >= MIN_REST_RISE_M, met, 0.0).mean())


def _seat_on_patch(columns: _ColumnGrid, patch: Mask, side: int, height: float) -> Seat:
    seen = _rotate_columns(patch, side)
    rows = np.flatnonzero(seen.any(axis=1))
    middle = (rows[0] + rows[-1]) / 2
    reach = 0.25 * SEAT_SIZE_M / columns.cell
    near = rows[np.abs(rows - middle) <= reach]
    if not len(near):
        near = rows
    firsts = np.argmax(seen[near], axis=1)
    lasts = seen.shape[1] - np.argmax(seen[near, ::-1], axis=1)
    start, stop = float(np.median(firsts)), float(np.median(lasts))
    depth, width = (stop - start) * columns.cell, (rows[-1] + 1 - rows[0]) * columns.cell
    along = stop - min(HIPS_TO_FRONT_SHARE * depth, MAX_HIPS_TO_FRONT_M) / columns.cell - 0.5
    across_count, along_count = columns.shape
    place = {
        0: (along, (along_count - 1) - middle),
        1: (middle, along),
        2: ((across_count - 1) - along, middle),
        3: ((across_count - 1) - middle, (along_count - 1) - along),
    }[side]
    axes = columns.axes
    direction = (axes[0], axes[1], -axes[0], -axes[1])[side]
    # The level that was looked at may be that of a rest's foot; one sits on what there is under most of the seat.
    position = np.array([*columns.to_object_space(*place), float(np.median(columns.surface_heights(height)[patch]))])
    return Seat(position, direction, float(width), float(depth))


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


def _largest_rectangle(free: Mask) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the largest rectangle of free columns: its rows and its columns, first and the one after the last."""
    best, found = 0, ((0, 0), (0, 0))
    runs = np.zeros(free.shape[1], dtype=int)
    for row, line in enumerate(free):
        runs = np.where(line, runs + 1, 0)
        for depth in np.unique(runs[runs > 0]):
            starts = np.flatnonzero(np.diff(np.concatenate([[0], (runs >= depth).astype(int), [0]])))
            spans = starts.reshape(-1, 2)
            longest = int(np.argmax(spans[:, 1] - spans[:, 0]))
            start, stop = (int(end) for end in spans[longest])
            if depth * (stop - start) > best:
                best, found = depth * (stop - start), ((row + 1 - int(depth), row + 1), (start, stop))
    return found
