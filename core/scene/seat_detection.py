"""The seat of an object, found from its collider.

Positions are in object space, meters: the origin is on the floor, +Y is the object's front.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ..motion.rotations import Array
from ..motion.signals import Mask
from .affordances import Seat
from .collider import Collider
from .column_grid import ColumnGrid, rotate_columns
from .voxels import Triangles

SEAT_HEIGHT_RANGE_M: Final = (0.2, 1.0)
"""Least and largest height of a seat."""
USUAL_SEAT_HEIGHT_M: Final = (0.3, 0.62)
"""Range of usual seat heights; outside it, a surface must cover more of :data:`SEAT_SIZE_M` squared to be a seat."""
SEAT_SIZE_M: Final = 0.3
"""Side of the smallest square on which a body can sit."""
MIN_SEAT_COVER_SHARE: Final = 0.45
"""Least share of the square of side :data:`SEAT_SIZE_M` that a seat covers."""
SEAT_HEADROOM_M: Final = 0.5
"""Least free height above a seat, for the trunk."""
MAX_HIPS_TO_FRONT_M: Final = 0.34
"""Distance from the front edge of a deep seat to the hips, so that the knees are beyond the edge."""
HIPS_TO_REST_M, MAX_HIPS_TO_SOFA_FRONT_M = 0.19, 0.38
"""Distance from the hips to the backrest of a deep seat, in which the body leans back, and largest distance from the
hips to its front edge.
"""
MIN_HIPS_TO_REST_M: Final = 0.13
"""Distance from the hips to the backrest of a shallow seat, at which an upright back touches it."""
HIPS_TO_FRONT_SHARE: Final = 0.55
"""Distance from the front edge of a shallow seat to the hips, as a share of its depth."""
MIN_REST_RISE_M: Final = 0.12
"""Least height of a backrest or an armrest above the seat."""
SEAT_SAMPLE_OFFSETS_M: Final = (-0.08, 0.0, 0.08)
"""Offsets from the middle of a seat, along both axes, at which the height of its mesh is sampled."""
SLOPE_SAMPLE_OFFSETS_M: Final = (-0.1, 0.0, 0.1)
"""Offsets from the middle of a seat, along both axes, at which its slope is measured."""
MAX_SLOPE_SAMPLE_M: Final = 0.1
"""Height difference from the seat beyond which a sampled point does not belong to the seat."""
MAX_VOXEL_ERROR_M: Final = 0.08
"""Largest height by which a collider's top exceeds its mesh."""


def find_seat(collider: Collider) -> Seat | None:
    """Return the seat of an object; ``None`` if it has none.

    A seat is a level patch of the size of a body at a usual height, with room for the trunk above it. The character
    faces away from the side that rises most over the seat relative to the opposite side: away from a backrest, even
    between equally high armrests. Without a backrest it faces along the shorter side, or +Y if both sides are equal.
    """
    columns = ColumnGrid.from_collider(collider)
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
    rest = _rest_height(
        rotate_columns(columns.rise_heights(height), (front + 2) % 4), rotate_columns(patch, (front + 2) % 4)
    )
    return _seat_on_patch(columns, patch, front, height, rest)


def snap_seat_to_mesh(seat: Seat, vertices: Array, triangles: Triangles) -> Seat:
    """Return a seat moved down to the surface of its mesh, which is up to a voxel lower than the collider's top.

    Args:
        seat: the seat found from the collider.
        vertices: (V, 3) vertices of the mesh in object space, meters.
        triangles: (T, 3) indices of vertices.
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


@dataclass(frozen=True, slots=True)
class SeatSlope:
    """The slope under a body on a seat, radians.

    Attributes:
        steepest: mean absolute slope along the width or the depth, whichever is steeper; a dome has a slope too.
        across: mean absolute slope along the width.
        ahead: mean downward slope to the front; negative if the front is higher.
    """

    steepest: float
    across: float
    ahead: float


def seat_slope(seat: Seat, vertices: Array, triangles: Triangles) -> SeatSlope:
    """Measure the slope under a body on a seat.

    Gaps between slats, and places beyond the edges, are ignored.

    Args:
        seat: the seat.
        vertices: (V, 3) vertices of the object's mesh in object space, meters.
        triangles: (T, 3) indices of vertices.
    """
    across = np.array([seat.direction[1], -seat.direction[0]])
    middle, highest = seat.position[:2], float(seat.position[2]) + 0.1
    offsets, corners = np.array(SLOPE_SAMPLE_OFFSETS_M), vertices[triangles]
    heights = np.array([
        [_mesh_height(corners, middle + a * across + b * seat.direction, highest) for b in offsets] for a in offsets
    ])  # fmt: skip
    heights[np.abs(heights - seat.position[2]) > MAX_SLOPE_SAMPLE_M] = np.nan
    aside, along = (np.diff(heights, axis=axis) for axis in (0, 1))
    sizes = _mean_slope(np.abs(aside), offsets), _mean_slope(np.abs(along), offsets)
    return SeatSlope(max(sizes), sizes[0], -_mean_slope(along, offsets))


def _mean_slope(steps: Array, offsets: Array) -> float:
    """Return the mean slope, radians, of height steps (NaN if unknown) between samples at ``offsets``, meters."""
    known = steps[np.isfinite(steps)]
    return float(np.arctan(known.mean() / (offsets[1] - offsets[0]))) if known.size else 0.0


def _mesh_height(corners: Array, position: Array, max_height: float) -> float:
    """Return the height of the highest triangle (T, 3, 3) at a position (2) up to a height.

    The result is minus infinity if there is none.
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


def _seat_cover(free: Mask, cell: float) -> Array:
    """Return, for each column (X, Y), the share of free columns in a seat-sized square around it."""
    size = max(round(SEAT_SIZE_M / cell), 1)
    return scipy.ndimage.uniform_filter(free.astype(float), size, mode="constant")


def _best_patch(free: Mask, cover: Array) -> Mask:
    """Return the connected group of free columns (X, Y) with the most room; slats' gaps do not separate columns."""
    numbers = np.zeros(free.shape, dtype=np.int32)
    scipy.ndimage.label(scipy.ndimage.uniform_filter(free.astype(float), 5, mode="constant") > 0.2, output=numbers)
    best = np.unravel_index(int(cover.argmax()), cover.shape)
    number = numbers[best] or int(np.bincount(numbers[free]).argmax())
    return free & (numbers == number)


def _seat_side(columns: ColumnGrid, patch: Mask, height: float) -> int:
    """Return the side of the columns that the seat faces: 0 is +X, 1 is +Y, 2 is -X, 3 is -Y."""
    rises = columns.rise_heights(height)
    walls = np.array([_rest_height(rotate_columns(rises, side), rotate_columns(patch, side)) for side in range(4)])
    better = np.roll(walls, 2) - walls  # the wall behind, minus the wall ahead
    if better.max() > MIN_REST_RISE_M / 2:
        return int(np.argmax(better))
    across, along = (patch.any(axis=axis).sum() for axis in (1, 0))
    return 0 if along > 1.1 * across else 1


def _rest_height(rises: Array, patch: Mask) -> float:
    """Return the mean rise, m, of the rows beyond a patch along the second axis."""
    rows = patch.any(axis=1)
    last = patch.shape[1] - 1 - np.argmax(patch[:, ::-1], axis=1)
    beyond = np.arange(patch.shape[1]) > last[:, None]
    met = np.where(beyond, rises, 0.0).max(axis=1)[rows]
    return float(np.where(met >= MIN_REST_RISE_M, met, 0.0).mean())


def _seat_on_patch(columns: ColumnGrid, patch: Mask, side: int, height: float, rest: float) -> Seat:
    """Return the seat on a patch (X, Y) at a height.

    It faces a side of the columns, and ``rest`` is the backrest's rise.
    """
    seen = rotate_columns(patch, side)
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
    to_front = min(HIPS_TO_FRONT_SHARE * depth, MAX_HIPS_TO_FRONT_M)
    if rest > MIN_REST_RISE_M:
        to_front = max(to_front, min(depth - HIPS_TO_REST_M, MAX_HIPS_TO_SOFA_FRONT_M))
        to_front = min(to_front, depth - MIN_HIPS_TO_REST_M)
    along = stop - to_front / columns.cell - 0.5
    across_count, along_count = columns.shape
    place = {
        0: (along, (along_count - 1) - middle),
        1: (middle, along),
        2: ((across_count - 1) - along, middle),
        3: ((across_count - 1) - middle, (along_count - 1) - along),
    }[side]
    axes = columns.axes
    direction = (axes[0], axes[1], -axes[0], -axes[1])[side]
    # The level may belong to the foot of a backrest, so the seat has the height of most of its surface.
    position = np.array([*columns.to_object_space(*place), float(np.median(columns.surface_heights(height)[patch]))])
    return Seat(position, direction, float(width), float(depth))
