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
ALONG: Final = np.arange(-8, 9) * 0.02
"""By how much a sole may be shifted along itself, and ..."""
ACROSS: Final = np.arange(-4, 5) * 0.03
"""... across."""
TIP: Final = 0.08
"""How far before the ball the toes end, and room before them for the heel to rise."""
WIDTH: Final = 0.035
"""Half of a sole's width."""
DEEPEST: Final = 0.1
"""Gaps under a sole are not worse where they are deeper."""

BEARING: Final = 3.0
"""How much more than others the points under heel and ball count."""
EDGE: Final = 0.01
"""Mean gap from which what is under a sole is an edge, and no slope."""
STEEPEST: Final = (0.6, 0.35)
"""Rise, along and across, that a standing foot is bent to, metres a metre."""
OUT_OF_THE_WAY: Final = 0.08
"""What a metre of shift costs, in metres of mean gap."""
TOO_FAR: Final = 1.0
"""What a metre costs by which the leg is too short."""
STRUCK: Final = 1.0
"""What a metre costs by which a raised heel, or ball, would be in the ground."""
TILTED: Final = 0.02
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

    place: Array
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
        return np.array([*self.place, self.height])

    def lying(self, direction: Array) -> Array:
        """The unit vector (3) that lies in the plane above a horizontal direction (2)."""
        return normalize(np.array([*direction, float(direction @ self.gradient)]))


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a leg reaches: its hip when the foot comes down (3), and its length, metres."""

    hip: Array
    length: float

    def missing(self, places: Array, levels: Array) -> Array:
        """By how much (S), metres, it is too short for balls at places (S, 2) and heights (S)."""
        balls = np.concatenate([places, levels[:, None]], axis=-1)
        return np.maximum(np.linalg.norm(balls - self.hip, axis=-1) - self.length, 0.0)


def find_foothold(
    ground: Ground,
    ball: Array,
    ahead: Array,
    length: float,
    scale: float,
    above: float,
    frame: int = 0,
    reach: Reach | None = None,
    raised: Array | None = None,
) -> Foothold:
    """The best place near one for a sole.

    Args:
        ground: what is stood on.
        ball: (3) where the ball would be, metres.
        ahead: (2) unit vector from heel to ball.
        length: of the sole from heel to ball, metres; 0 where only the ball touches.
        scale: the body's size as a share of an adult's.
        above: from how far above ``ball`` the ground is looked for, metres.
        frame: the walk's frame.
        reach: of the leg; any where not given.
        raised: (3) from the sole where it touches to the foot's other end, which is in the air, metres; none where not
            given.
    """
    if isinstance(ground, Plane):
        level = Foothold(ball[:2], ground.height, np.zeros(2), frame)
        if _free(ground, level, ball, above, reach, raised):
            return level
    side = np.array([ahead[1], -ahead[0]])
    shifts = np.stack(np.meshgrid(ALONG, ACROSS, indexing="ij"), axis=-1).reshape(-1, 2) * scale
    grid = _sole(length, scale)
    axes = np.stack([ahead, side])
    places = ball[:2] + (shifts[:, None] + grid) @ axes
    points = np.concatenate([places, np.full((*places.shape[:-1], 1), ball[2] + above)], axis=-1)
    heights = ground.heights(points, frame)
    if np.isnan(heights).all():
        return Foothold(ball[:2], float(ball[2]), np.zeros(2), frame)
    # No ground is a deep gap: too deep for a tilted sole to lie on the bottom of it.
    heights = np.where(np.isnan(heights), np.nanmin(heights) - 10 * DEEPEST, heights)
    count, (slopes, levels) = len(shifts), _planes(grid, heights)
    # At an edge a level sole is often better than one that lies across it.
    shifts, heights = np.tile(shifts, (2, 1)), np.tile(heights, (2, 1))
    slopes = np.concatenate([slopes, np.zeros_like(slopes)])
    levels = np.concatenate([levels, heights[:count].max(axis=-1)])
    gaps = np.minimum(levels[:, None] + slopes @ grid.T - heights, DEEPEST * scale) @ _bearing(grid)
    cost = gaps + OUT_OF_THE_WAY * np.linalg.norm(shifts, axis=-1)
    cost += TILTED * scale * np.abs(slopes) @ np.array([1.0, 2.0])
    cost[count:][gaps[:count] < EDGE * scale] = np.inf
    if reach is not None:
        cost += TOO_FAR * reach.missing(ball[:2] + shifts @ axes, levels)
    if raised is not None:
        cost += STRUCK * _struck(ground, ball[:2] + shifts @ axes, levels, raised, ball[2] + above, frame)
    best = int(np.argmin(cost))
    return Foothold(ball[:2] + shifts[best] @ axes, float(levels[best]), slopes[best] @ axes, frame)


def _free(ground: Plane, level: Foothold, ball: Array, above: float, reach: Reach | None, raised: Array | None) -> bool:
    """Whether a place on level ground costs nothing as it is."""
    places, levels = level.place[None], np.array([level.height])
    return (reach is None or not reach.missing(places, levels).any()) and (
        raised is None or not _struck(ground, places, levels, raised, ball[2] + above, level.frame).any()
    )


def _sole(length: float, scale: float) -> Array:
    """Points (N, 2) of a sole, along and across from its ball, metres."""
    # Every few centimetres: an edge that is missed between two of them is one that the heel gets into.
    along = np.linspace(-length, TIP * scale, 9)
    across = np.array([-1.0, 0.0, 1.0]) * WIDTH * scale
    return np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1).reshape(-1, 2)


def _struck(ground: Ground, places: Array, levels: Array, raised: Array, top: float, frame: int) -> Array:
    """By how much (S), metres, what is so far (3) from soles at places (S, 2) and levels (S) is in the ground."""
    over = np.column_stack([places + raised[:2], np.full(len(places), top)])
    return np.nan_to_num(np.maximum(ground.heights(over, frame) - levels - raised[2], 0.0))


def _bearing(grid: Array) -> Array:
    """The shares (N) of a sole's points (N, 2) in how well it is carried: heel and ball bear more than the rest."""
    along = np.abs(grid[:, 0])
    bear = (grid[:, 0] == grid[:, 0].min()) | (along == along.min())
    shares = np.where(bear, BEARING, 1.0)
    return shares / shares.sum()


def _planes(grid: Array, heights: Array) -> tuple[Array, Array]:
    """For heights (S, N) over points (N, 2): slopes (S, 2) and levels (S) of planes that lie on the highest points."""
    about = grid - grid.mean(axis=0)
    inverse: NDArray[np.float64] = np.linalg.pinv(about)
    slopes = np.clip(heights @ inverse.T, -np.array(STEEPEST), np.array(STEEPEST))
    return slopes, (heights - slopes @ grid.T).max(axis=-1)
