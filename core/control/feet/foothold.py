"""Where on rough ground a sole is put: near where it would have come down, on what carries it, as the ground lies.

A foot that comes down on an edge is put beside it, as people put theirs; what is left of unevenness is met by a plane
that lies on the highest points under the sole.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, normalize
from ...terrain.ground import Ground, Plane

# Of an adult, metres.
SHIFTS_ALONG_M: Final = np.arange(-8, 9) * 0.02
"""By how much a sole may be shifted along itself, and ..."""
SHIFTS_ACROSS_M: Final = np.arange(-4, 5) * 0.03
"""... across."""
TOE_LENGTH_M: Final = 0.08
"""How far before the ball the toes end, and room before them for the heel to rise."""
SOLE_HALF_WIDTH_M: Final = 0.035
"""Half of a sole's width."""
MAX_GAP_M: Final = 0.1
"""Gaps under a sole are not worse where they are deeper."""

BEARING_WEIGHT: Final = 3.0
"""How much more than others the points under heel and ball count."""
EDGE_GAP_M: Final = 0.01
"""Mean gap from which what is under a sole is an edge, and no slope."""
MAX_SOLE_SLOPES_RATIO: Final = (0.6, 0.35)
"""Rise, along and across, that a standing foot is bent to, metres a metre."""
SHIFT_COST_PER_M: Final = 0.08
"""What a metre of shift costs, in metres of mean gap."""
REACH_COST_PER_M: Final = 1.0
"""What a metre costs by which the leg is too short."""
PENETRATION_COST_PER_M: Final = 1.0
"""What a metre costs by which a raised heel, or ball, would be in the ground."""
TILT_COST_M: Final = 0.02
"""What a rise of one along the sole costs, and twice as much across."""


@dataclass(frozen=True, slots=True)
class Foothold:
    """Where a sole stands.

    Attributes:
        place: (2), metres: where its ball is.
        height: metres: of the sole's plane there.
        gradient: (2), the plane's rise towards x and y.
        frame: the walk's frame at which it is there.
    """

    position: Array
    height: float
    gradient: Array
    frame: int

    @property
    def normal(self) -> Array:
        """The plane's unit normal (3)."""
        return normalize(np.array([-self.gradient[0], -self.gradient[1], 1.0]))

    @property
    def point(self) -> Array:
        """Where the sole's plane is under the ball (3), metres."""
        return np.array([*self.position, self.height])

    def tangent(self, direction: Array) -> Array:
        """The unit vector (3) that lies in the plane above a horizontal direction (2)."""
        return normalize(np.array([*direction, float(direction @ self.gradient)]))


@dataclass(frozen=True, slots=True)
class LegReach:
    """How far a leg reaches: its hip when the foot comes down (3), and its length, metres."""

    hip: Array
    length: float

    def deficit(self, positions: Array, levels: Array) -> Array:
        """By how much (S), metres, it is too short for balls at places (S, 2) and heights (S)."""
        balls = np.concatenate([positions, levels[:, None]], axis=-1)
        return np.maximum(np.linalg.norm(balls - self.hip, axis=-1) - self.length, 0.0)


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
) -> Foothold:
    """The best place near one for a sole.

    Args:
        ground: what is stood on.
        ball: (3) where the ball would be, metres.
        direction: (2) unit vector from heel to ball.
        sole_length: of the sole from heel to ball, metres; 0 where only the ball touches.
        scale: the body's size as a share of an adult's.
        probe_height: from how far above ``ball`` the ground is looked for, metres.
        frame: the walk's frame.
        reach: of the leg; any where not given.
        raised_offset: (3) from the sole where it touches to the foot's other end, which is in the air, metres; none where not
            given.
    """
    if isinstance(ground, Plane):
        level = Foothold(ball[:2], ground.height, np.zeros(2), frame)
        if _is_free_of_cost(ground, level, ball, probe_height, reach, raised_offset):
            return level
    side = np.array([direction[1], -direction[0]])
    shifts = np.stack(np.meshgrid(SHIFTS_ALONG_M, SHIFTS_ACROSS_M, indexing="ij"), axis=-1).reshape(-1, 2) * scale
    grid = _sole_points(sole_length, scale)
    axes = np.stack([direction, side])
    places = ball[:2] + (shifts[:, None] + grid) @ axes
    points = np.concatenate([places, np.full((*places.shape[:-1], 1), ball[2] + probe_height)], axis=-1)
    heights = ground.heights(points, frame)
    if np.isnan(heights).all():
        return Foothold(ball[:2], float(ball[2]), np.zeros(2), frame)
    # No ground is a deep gap: too deep for a tilted sole to lie on the bottom of it.
    heights = np.where(np.isnan(heights), np.nanmin(heights) - 10 * MAX_GAP_M, heights)
    count, (slopes, levels) = len(shifts), _support_planes(grid, heights)
    # At an edge a level sole is often better than one that lies across it.
    shifts, heights = np.tile(shifts, (2, 1)), np.tile(heights, (2, 1))
    slopes = np.concatenate([slopes, np.zeros_like(slopes)])
    levels = np.concatenate([levels, heights[:count].max(axis=-1)])
    gaps = np.minimum(levels[:, None] + slopes @ grid.T - heights, MAX_GAP_M * scale) @ _bearing_shares(grid)
    cost = gaps + SHIFT_COST_PER_M * np.linalg.norm(shifts, axis=-1)
    cost += TILT_COST_M * scale * np.abs(slopes) @ np.array([1.0, 2.0])
    cost[count:][gaps[:count] < EDGE_GAP_M * scale] = np.inf
    if reach is not None:
        cost += REACH_COST_PER_M * reach.deficit(ball[:2] + shifts @ axes, levels)
    if raised_offset is not None:
        cost += PENETRATION_COST_PER_M * _penetration(
            ground, ball[:2] + shifts @ axes, levels, raised_offset, ball[2] + probe_height, frame
        )
    best = int(np.argmin(cost))
    return Foothold(ball[:2] + shifts[best] @ axes, float(levels[best]), slopes[best] @ axes, frame)


def _is_free_of_cost(
    ground: Plane,
    level: Foothold,
    ball: Array,
    probe_height: float,
    reach: LegReach | None,
    raised_offset: Array | None,
) -> bool:
    """Whether a place on level ground costs nothing as it is."""
    places, levels = level.position[None], np.array([level.height])
    return (reach is None or not reach.deficit(places, levels).any()) and (
        raised_offset is None
        or not _penetration(ground, places, levels, raised_offset, ball[2] + probe_height, level.frame).any()
    )


def _sole_points(sole_length: float, scale: float) -> Array:
    """Points (N, 2) of a sole, along and across from its ball, metres."""
    # Every few centimetres: an edge that is missed between two of them is one that the heel gets into.
    along = np.linspace(-sole_length, TOE_LENGTH_M * scale, 9)
    across = np.array([-1.0, 0.0, 1.0]) * SOLE_HALF_WIDTH_M * scale
    return np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1).reshape(-1, 2)


def _penetration(
    ground: Ground, positions: Array, levels: Array, raised_offset: Array, top: float, frame: int
) -> Array:
    """By how much (S), metres, what is so far (3) from soles at places (S, 2) and levels (S) is in the ground."""
    over = np.column_stack([positions + raised_offset[:2], np.full(len(positions), top)])
    return np.nan_to_num(np.maximum(ground.heights(over, frame) - levels - raised_offset[2], 0.0))


def _bearing_shares(grid: Array) -> Array:
    """The shares (N) of a sole's points (N, 2) in how well it is carried: heel and ball bear more than the rest."""
    along = np.abs(grid[:, 0])
    bear = (grid[:, 0] == grid[:, 0].min()) | (along == along.min())
    shares = np.where(bear, BEARING_WEIGHT, 1.0)
    return shares / shares.sum()


def _support_planes(grid: Array, heights: Array) -> tuple[Array, Array]:
    """For heights (S, N) over points (N, 2): slopes (S, 2) and levels (S) of planes that lie on the highest points."""
    about = grid - grid.mean(axis=0)
    inverse: NDArray[np.float64] = np.linalg.pinv(about)
    slopes = np.clip(heights @ inverse.T, -np.array(MAX_SOLE_SLOPES_RATIO), np.array(MAX_SOLE_SLOPES_RATIO))
    return slopes, (heights - slopes @ grid.T).max(axis=-1)
