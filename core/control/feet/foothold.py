"""Footholds on rough ground: position, height and slope of the plane under a sole.

A foot that would land on an edge is put next to it, as in footstep planning for legged robots (foothold scoring,
Kolter, Rodgers and Ng 2008). Remaining unevenness is bridged by a plane on the highest points under the sole.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, normalize
from ...terrain.ground import Ground, Plane
from ...tuning import Tuning, tuned
from .swept_ground import SweptGround

# Lengths in meters are those of an adult; they are multiplied by the body's scale.
SHIFTS_ALONG_M: Final = np.arange(-8, 9) * 0.02
"""Displacements of the sole along its length to try."""
SHIFTS_ACROSS_M: Final = np.arange(-4, 5) * 0.03
"""Sideways displacements of the sole to try."""


CACHED_SOLES: Final = 64
"""Number of soles whose points are kept."""


@dataclass(frozen=True, slots=True)
class Footholds(Tuning):
    toe_length: float = tuned(0.08, "m", 0.0, 0.2)
    """Length of ground that the toes need ahead of the ball, with room for the heel to rise."""
    sole_half_width: float = tuned(0.035, "m", 0.01, 0.1)
    """Half the width of an adult's sole."""
    max_gap: float = tuned(0.1, "m", 0.01, 0.5)
    """Depth of a gap under the sole beyond which its cost grows no further."""
    bearing_weight: float = tuned(3.0, "1", 1.0, 20.0)
    """Weight of the points under heel and ball in the mean gap under the sole, relative to the other points."""
    edge_gap: float = tuned(0.01, "m", 0.0, 0.05)
    """Mean gap under a sloped sole from which the ground counts as an edge instead of a slope."""
    max_slopes: tuple[float, float] = tuned((0.6, 0.35), "1", 0.0, 1.5)
    """Largest slopes of the sole, along and across, in meters of rise per meter."""
    shift_cost: float = tuned(0.08, "1", 0.0, 5.0)
    """Cost per meter of a sole's displacement, in meters of mean gap under the sole."""
    reach_cost: float = tuned(1.0, "1", 0.0, 10.0)
    """Cost per meter by which the leg is too short, in meters of mean gap."""
    penetration_cost: float = tuned(1.0, "1", 0.0, 10.0)
    """Cost per meter of penetration by the raised end of the foot, in meters of mean gap."""
    riser_probes: tuple[float, float] = tuned((0.015, 0.03), "m", 0.0, 0.1)
    """Distances behind the heel that are searched for a riser that a descending foot would graze."""
    riser_height: float = tuned(0.05, "m", 0.01, 0.3)
    """Height above the sole from which the ground behind the heel counts as a riser."""
    riser_cost: float = tuned(0.006, "m", 0.0, 0.1)
    """Cost of a riser at each of ``riser_probes``, in meters of mean gap."""
    tilt_cost: float = tuned(0.02, "m", 0.0, 0.5)
    """Cost of a unit slope along the sole, in meters of mean gap; across the sole it is doubled."""


TUNING: Final = Footholds()


@dataclass(frozen=True, slots=True)
class Foothold:
    """The plane under a sole.

    Attributes:
        position: (2) position of the ball, meters.
        height: Height of the plane under the ball, meters.
        gradient: (2) rise of the plane along x and y, meters per meter.
        frame: Frame of the walk at which the plane is given, for ground that moves.
    """

    position: Array
    height: float
    gradient: Array
    frame: int

    @property
    def normal(self) -> Array:
        """Unit normal (3) of the plane."""
        return normalize(np.array([-self.gradient[0], -self.gradient[1], 1.0]))

    @property
    def point(self) -> Array:
        """Point (3) of the plane directly under the ball, meters."""
        return np.array([*self.position, self.height])

    def tangent(self, direction: Array) -> Array:
        """Return the unit vector (3) along the plane above a horizontal direction (2)."""
        return normalize(np.array([*direction, float(direction @ self.gradient)]))


@dataclass(frozen=True, slots=True)
class LegReach:
    """The reach of a leg.

    Attributes:
        hip: (3) position of the hip when the foot lands, meters.
        length: Length of the leg, meters.
    """

    hip: Array
    length: float

    def deficit(self, positions: Array, levels: Array) -> Array:
        """Return by how much (S), meters, the leg is too short for balls at positions (S, 2) and heights (S)."""
        balls = np.concatenate([positions, levels[:, None]], axis=-1)
        return np.maximum(np.linalg.norm(balls - self.hip, axis=-1) - self.length, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Sole:
    """The points of a sole.

    Attributes:
        grid: (N, 2) the points, meters, along and across, relative to the ball.
        inverse: (2, N) matrix that takes heights of the points, meters, to the slopes of their least-squares plane.
        shares: (N) weights of the points, which sum to 1.
    """

    grid: Array
    inverse: Array
    shares: Array

    def support_planes(self, heights: Array) -> tuple[Array, Array]:
        """Return slopes (S, 2) and levels (S) of planes on the highest of the ground heights (S, N) at the points.

        The slopes are those of least-squares planes, within limits.
        """
        steepest = np.array(TUNING.max_slopes)
        slopes = np.clip(heights @ self.inverse.T, -steepest, steepest)
        return slopes, (heights - slopes @ self.grid.T).max(axis=-1)


@lru_cache(maxsize=CACHED_SOLES)
def _sole_of(sole_length: float, scale: float) -> _Sole:
    """Return the points of a sole with a length from heel to ball, meters; those of the same sole are kept."""
    grid = _sole_points(sole_length, scale)
    inverse: NDArray[np.float64] = np.linalg.pinv(grid - grid.mean(axis=0))
    return _Sole(grid, inverse, _bearing_shares(grid))


def find_foothold(
    ground: Ground,
    ball: Array,
    direction: Array,
    sole_length: float,
    scale: float,
    probe_height: float,
    frame: int = 0,
    reach: LegReach | None = None,
    raised_offset: Array | None = None,
    end_height: float = 0.0,
    swept: SweptGround | None = None,
) -> Foothold:
    """Return the best foothold near a position, among all displacements of the sole that are tried.

    Args:
        ground: The ground.
        ball: (3) position of the ball without a shift, meters.
        direction: (2) unit vector from heel to ball.
        sole_length: Length of the sole from heel to ball, meters; 0 if only the ball touches.
        scale: Size of the body relative to an adult.
        probe_height: Height above ``ball`` from which the ground is searched downward, meters.
        frame: Frame of the walk.
        reach: Reach of the leg; by default unlimited.
        raised_offset: (3) offset from the sole's end on the ground to the foot's raised end, meters; by default no end
            is raised.
        end_height: Height of ``ball`` above its sole, meters; used to keep the sole in place if there is no ground.
        swept: Ground that moves while the foot stands.
    """
    if isinstance(ground, Plane):
        level = Foothold(ball[:2], ground.height, np.zeros(2), frame)
        if _is_free_of_cost(ground, level, ball, probe_height, reach, raised_offset):
            return level
    side = np.array([direction[1], -direction[0]])
    shifts = np.stack(np.meshgrid(SHIFTS_ALONG_M, SHIFTS_ACROSS_M, indexing="ij"), axis=-1).reshape(-1, 2) * scale
    sole = _sole_of(sole_length, scale)
    grid = sole.grid
    axes = np.stack([direction, side])
    places = ball[:2] + (shifts[:, None] + grid) @ axes
    points = np.concatenate([places, np.full((*places.shape[:-1], 1), ball[2] + probe_height)], axis=-1)
    heights = ground.heights(points, frame)
    if np.isnan(heights).all():
        return Foothold(ball[:2], float(ball[2]) - end_height, np.zeros(2), frame)
    # Missing ground counts as a gap too deep for a tilted sole to reach its bottom.
    heights = np.where(np.isnan(heights), np.nanmin(heights) - 10 * TUNING.max_gap, heights)
    count, (slopes, levels) = len(shifts), sole.support_planes(heights)
    if swept is None and (heights == heights[0, 0]).all():
        middle = count // 2  # the sole without a shift
        level = Foothold(ball[:2], float(levels[middle]), slopes[middle] @ axes, frame)
        heel = np.append(ball[:2] - sole_length * direction, level.height - sole_length * slopes[middle, 0])
        top = ball[2] + probe_height
        has_riser = sole_length > 0.0 and _risers(ground, heel[None], direction, scale, top, frame).any()
        if not has_riser and _is_free_of_cost(ground, level, ball, probe_height, reach, raised_offset):
            return level
    # At an edge a level sole is often better than a sloped one.
    shifts, heights = np.tile(shifts, (2, 1)), np.tile(heights, (2, 1))
    slopes = np.concatenate([slopes, np.zeros_like(slopes)])
    levels = np.concatenate([levels, heights[:count].max(axis=-1)])
    gaps = np.minimum(levels[:, None] + slopes @ grid.T - heights, TUNING.max_gap * scale) @ sole.shares
    cost = gaps + TUNING.shift_cost * np.linalg.norm(shifts, axis=-1)
    cost += TUNING.tilt_cost * scale * np.abs(slopes) @ np.array([1.0, 2.0])
    cost[count:][gaps[:count] < TUNING.edge_gap * scale] = np.inf
    if sole_length > 0.0:
        places = ball[:2] + shifts @ axes - sole_length * direction
        heels = np.column_stack([places, levels - sole_length * slopes[:, 0]])
        cost += TUNING.riser_cost * scale * _risers(ground, heels, direction, scale, ball[2] + probe_height, frame)
        if swept is not None:
            balls = np.column_stack([ball[:2] + shifts @ axes, levels])
            soles = np.stack([heels, (heels + balls) / 2, balls], axis=1)
            cost += swept.cost(soles, frame, scale, probe_height)
    if reach is not None:
        cost += TUNING.reach_cost * reach.deficit(ball[:2] + shifts @ axes, levels)
    if raised_offset is not None:
        cost += TUNING.penetration_cost * _penetration(
            ground, ball[:2] + shifts @ axes, levels, raised_offset, ball[2] + probe_height, frame
        )
    best = int(np.argmin(cost))
    return Foothold(ball[:2] + shifts[best] @ axes, float(levels[best]), slopes[best] @ axes, frame)


def _is_free_of_cost(
    ground: Ground,
    level: Foothold,
    ball: Array,
    probe_height: float,
    reach: LegReach | None,
    raised_offset: Array | None,
) -> bool:
    """Return whether a foot on level ground needs no shift: its leg reaches and no raised end is in the ground."""
    places, levels = level.position[None], np.array([level.height])
    return (reach is None or not reach.deficit(places, levels).any()) and (
        raised_offset is None
        or not _penetration(ground, places, levels, raised_offset, ball[2] + probe_height, level.frame).any()
    )


def _sole_points(sole_length: float, scale: float) -> Array:
    """Return the points (N, 2) of a sole, meters, along and across, relative to its ball."""
    # Points are a few centimeters apart, so that no edge between two of them is missed.
    along = np.linspace(-sole_length, TUNING.toe_length * scale, 9)
    across = np.array([-1.0, 0.0, 1.0]) * TUNING.sole_half_width * scale
    return np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1).reshape(-1, 2)


def _penetration(
    ground: Ground, positions: Array, levels: Array, raised_offset: Array, top: float, frame: int
) -> Array:
    """Return how deep (S), meters, the raised end is in the ground, for soles at positions (S, 2) and levels (S)."""
    raised_ends = np.column_stack([positions + raised_offset[:2], np.full(len(positions), top)])
    return np.nan_to_num(np.maximum(ground.heights(raised_ends, frame) - levels - raised_offset[2], 0.0))


def _risers(ground: Ground, heels: Array, direction: Array, scale: float, top: float, frame: int) -> Array:
    """Return how many probes (S) find a riser behind each heel (S, 3), seen from the plane of its sole."""
    behind = heels[:, None, :2] - np.array(TUNING.riser_probes)[:, None] * scale * direction
    tops = ground.heights(np.pad(behind, ((0, 0), (0, 0), (0, 1)), constant_values=top), frame)
    return (tops - heels[:, None, 2] > TUNING.riser_height * scale).sum(axis=1)


def _bearing_shares(grid: Array) -> Array:
    """Return weights (N) of a sole's points (N, 2) that sum to 1; points at heel and ball bear more than the rest."""
    along = np.abs(grid[:, 0])
    bearing = (grid[:, 0] == grid[:, 0].min()) | (along == along.min())
    shares = np.where(bearing, TUNING.bearing_weight, 1.0)
    return shares / shares.sum()
