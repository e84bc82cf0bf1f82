"""Climbable structures, ladders and steps, as levels for the balls of feet, and their colliders."""

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from ..motion.rotations import Array
from .collider import Collider

ClimbKind = Literal["ladder", "steps"]
"""Hands hold only a ladder; steps are for feet alone."""

RUNG_THICKNESS_M: Final = 0.03
RAIL_THICKNESS_M: Final = 0.04
RAIL_PART_M: Final = 0.05
"""Height of each of the upright boxes that make up an inclined rail."""
PLATFORM_DEPTH_M: Final = 0.5
"""Depth of the highest step behind the balls of the feet."""
DEFAULT_GOING_M: Final = 0.3
"""Depth of the tread of steps with a single level."""


@dataclass(frozen=True, slots=True, eq=False)
class ClimbStructure:
    """A ladder or steps in object space, meters: +Y is the front, where the climber stands, and z = 0 the bottom.

    Attributes:
        kind: ladder or steps.
        levels: (L) increasing heights of the rungs or treads used by feet.
        depths: (L) distances behind the origin, toward -Y, of the balls of the feet on each level.
        half_width: half of the distance between the rails, or half of the width of the steps.
        top: height of the upper end of the rails, or of the highest tread of steps.
    """

    kind: ClimbKind
    levels: Array
    depths: Array
    half_width: float
    top: float

    @property
    def spacing(self) -> float:
        """Mean distance between neighboring levels, m; the height of a single level."""
        return float(np.diff(self.levels).mean()) if len(self.levels) > 1 else float(self.levels[0])

    @property
    def slope(self) -> float:
        """Ratio of horizontal depth to height along the line through the levels; 0 for a vertical ladder."""
        if len(self.levels) < 2:
            return 0.0
        return float(np.polyfit(self.levels, self.depths, 1)[0])

    @property
    def inclination(self) -> float:
        """Angle between the line through the levels and the floor, rad."""
        return float(np.arctan2(1.0, self.slope))

    def depths_at(self, heights: Array) -> Array:
        """Return the depths (N), m, behind the origin of the line through the levels, at given heights (N), m."""
        return float(self.depths[0]) + self.slope * (np.asarray(heights) - float(self.levels[0]))

    def with_spacing(self, spacing: float) -> "ClimbStructure":
        """Return the structure with its levels ``spacing`` apart, m; a ladder keeps its inclination."""
        scale = spacing / self.spacing
        depths = self.depths * (scale if self.kind == "ladder" else 1.0)
        return replace(self, levels=scale * self.levels, depths=depths, top=scale * self.top)

    @property
    def rung_heights(self) -> Array:
        """Heights (R) of all rungs, m: those used by feet, and those above within reach of the hands."""
        above = np.arange(self.levels[-1] + self.spacing, self.top, self.spacing)
        return np.concatenate([self.levels, above if self.kind == "ladder" else []])

    def rungs(self) -> Collider:
        """Return the collider of a ladder's rungs, whose tops are its levels, in object space."""
        heights, half = self.rung_heights, RUNG_THICKNESS_M / 2
        depths = np.concatenate([self.depths, self.depths_at(heights[len(self.depths) :])])
        middles = np.column_stack([np.zeros(len(heights)), -depths, heights - half])
        size = np.array([self.half_width, half, half])
        return Collider(middles - size, middles + size)

    def rails(self) -> Collider:
        """Return the collider of a ladder's two rails, made of upright boxes along its inclination, in object space."""
        low = np.arange(0.0, self.top, RAIL_PART_M)
        depths, half = self.depths_at(low + RAIL_PART_M / 2), RAIL_THICKNESS_M / 2
        lower, upper = [], []
        for side in (-1.0, 1.0):
            across = np.full(len(low), side * (self.half_width + half))
            lower.append(np.column_stack([across - half, -depths - half, low]))
            upper.append(np.column_stack([across + half, -depths + half, low + RAIL_PART_M]))
        return Collider(np.concatenate(lower), np.concatenate(upper))

    def collider(self) -> Collider:
        """Return the collider of the whole structure, rungs and rails or steps, in object space."""
        if self.kind == "steps":
            return self._treads()
        rungs, rails = self.rungs(), self.rails()
        return Collider(np.concatenate([rungs.lower, rails.lower]), np.concatenate([rungs.upper, rails.upper]))

    def _treads(self) -> Collider:
        """Return solid steps; their edges are midway between the balls of the feet on neighboring treads."""
        count = len(self.levels)
        going = float(np.diff(self.depths).mean()) if count > 1 else DEFAULT_GOING_M
        edges = self.depths - going / 2
        back = float(self.depths.max()) + PLATFORM_DEPTH_M
        lower = np.column_stack([np.full(count, -self.half_width), np.full(count, -back), np.zeros(count)])
        upper = np.column_stack([np.full(count, self.half_width), -edges, self.levels])
        return Collider(lower, upper)
