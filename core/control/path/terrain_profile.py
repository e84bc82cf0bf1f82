"""The terrain along a path: heights, headroom, obstacles to jump over, and ends of the ground."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.crouch import FULL_CROUCH_DROP_RATIO
from ...motion.rotations import UP, Array
from ...motion.signals import runs_of
from ...terrain.ground import Ground
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from .path import Path, even_arc_lengths
from .stair_flights import StairFlight, find_flights


@dataclass(frozen=True, slots=True)
class TerrainProfileTuning(Tuning):
    sample_spacing: float = tuned(0.06, "m", 0.01, 0.5)
    """Spacing of the terrain samples, for an adult."""
    max_step_up: float = tuned(0.6, "m", 0.1, 2.0)
    """Rise of the ground between samples above which it counts as a wall, for an adult."""
    max_step_down: float = tuned(0.9, "m", 0.1, 3.0)
    """Drop of the ground between samples above which it counts as a pit, for an adult."""
    max_gap_width: float = tuned(0.35, "m", 0.0, 2.0)
    """Largest width of a pit that an adult steps across."""
    jump_probe_margin: float = tuned(0.15, "m", 0.0, 1.0)
    """Height tolerance of the search for obstacles to jump over, for an adult."""
    jump_before: float = tuned(0.6, "m", 0.0, 3.0)
    """Distance before an obstacle from which the jump is commanded."""
    jump_after: float = tuned(0.4, "m", 0.0, 3.0)
    """Distance beyond an obstacle up to which the jump is commanded."""
    jump_rise: float = tuned(0.62, "s", 0.1, 2.0)
    """Time from the start of the jump command to the highest point of the jump, at any speed."""
    level_range: float = tuned(0.1, "m", 0.0, 1.0)
    """Largest height difference along a path at which its ground counts as level, for an adult."""
    max_headroom: float = tuned(3.0, "m", 1.0, 10.0)
    """Headroom above which ceilings are ignored, for an adult."""
    head_clearance: float = tuned(0.04, "1", 0.0, 0.5)
    """Clearance above the head, as a share of the upright height."""
    duck_distance: float = tuned(0.35, "1", 0.0, 2.0)
    """Distance before and after a ceiling in which a character ducks, as a share of its upright height."""
    transition_length: float = tuned(0.1, "m", 0.0, 2.0)
    """Standard deviation of the Gaussian along the path that fades ducking and jumping in and out."""


TUNING: Final = TerrainProfileTuning()

MAX_BATCH_SIZE: Final = 256
"""Largest number of positions in one query of the ground's heights."""
SKY_HEIGHT_M: Final = 1e4
"""Height above every scene, meters, from which the ground is searched downward."""


@dataclass(frozen=True, slots=True, eq=False)
class TerrainProfile:
    """The terrain along a path, sampled every few centimeters.

    Attributes:
        arc_lengths: (K) arc lengths, meters.
        heights: (K) heights of the ground, meters; where there is no ground, the last known height.
        headroom: (K) free height above the ground, meters; under open sky, ``TUNING.max_headroom`` times the body's
            scale.
        is_obstacle: (K) whether the character jumps at the arc length, over an obstacle or for a path event.
        is_walkable: (K) whether the arc length has ground and no pit; a gap that a step crosses counts as ground.
        flights: flights of stairs, in order.
        scale: size of the body relative to an adult's.
    """

    arc_lengths: Array
    heights: Array
    headroom: Array
    is_obstacle: NDArray[np.bool_]
    is_walkable: NDArray[np.bool_]
    flights: tuple[StairFlight, ...] = ()
    scale: float = 1.0

    @property
    def is_level(self) -> bool:
        """True if the ground's heights vary by less than ``TUNING.level_range``."""
        return float(np.ptp(self.heights)) < TUNING.level_range * self.scale

    @staticmethod
    def from_path(path: Path, surroundings: WalkScene, start_level: float, scale: float = 1.0) -> "TerrainProfile":
        """Return the terrain along a path.

        Args:
            path: the path.
            surroundings: the scene, at the walk's first frame.
            start_level: approximate height of the path's start, meters. The ground is searched downward from a step
                above it or, if there is none below, from the sky.
            scale: size of the body relative to an adult.
        """
        lengths = even_arc_lengths(TUNING.sample_spacing * scale, path.length)
        positions = path.position_at(lengths)
        ground = surroundings.ground
        heights, is_walkable = _trace_ground(ground, positions, start_level, scale)
        points = np.concatenate([positions, heights[:, None]], axis=1)
        headroom = ground.ceilings(points + UP * TUNING.max_step_up * scale) - heights
        is_obstacle = np.zeros(len(points), dtype=bool)
        if surroundings.jump_over is not None:
            tops = surroundings.jump_over.heights(points + UP * (TUNING.max_step_up + TUNING.jump_probe_margin) * scale)
            is_obstacle = tops > heights - TUNING.jump_probe_margin * scale
        headroom = np.minimum(headroom, TUNING.max_headroom * scale)

        def heights_at(arc_lengths: Array, below: Array) -> Array:
            above = np.asarray(below + TUNING.max_step_up * scale)[..., None]
            return ground.heights(np.concatenate([path.position_at(arc_lengths), above], axis=-1))

        flights = find_flights(lengths, heights, scale, heights_at)
        return TerrainProfile(lengths, heights, headroom, is_obstacle, is_walkable, flights, scale)

    def with_jumps(self, jumps: Iterable[tuple[float, float]]) -> "TerrainProfile":
        """Return the profile with jumps added to those over obstacles.

        Args:
            jumps: arc length of the highest point, meters, and speed there, m/s, of each jump.
        """
        is_obstacle = self.is_obstacle.copy()
        for length, speed in jumps:
            over = max(length - TUNING.jump_rise * speed, 0.0) + TUNING.jump_before
            is_obstacle[np.abs(self.arc_lengths - over).argmin()] = True
        return replace(self, is_obstacle=is_obstacle)

    def height_at(self, s: Array | float) -> Array:
        """Return the heights (...) of the ground, meters, at arc lengths `s` (...), meters."""
        return np.asarray(np.interp(s, self.arc_lengths, self.heights))

    def slope_at(self, s: Array | float, span: float = 0.6) -> Array:
        """Return the slopes (...) of the ground along the path, rise over run, around arc lengths.

        Args:
            s: (...) arc lengths, meters.
            span: arc length over which the slope is measured, meters.
        """
        s = np.asarray(s)
        return (self.height_at(s + span / 2) - self.height_at(s - span / 2)) / span

    def duck_share_at(self, s: Array | float, head_height: float) -> Array:
        """Return the weights (...) of ducking at arc lengths: from 0, upright, to 1, under the lowest passable ceiling.

        Args:
            s: (...) arc lengths, meters.
            head_height: height of the top of the head of an upright body above the ground, meters.
        """
        duck_shares = np.clip(
            (head_height + TUNING.head_clearance * head_height - self.headroom)
            / (FULL_CROUCH_DROP_RATIO * head_height),
            0.0,
            1.0,
        )
        return self._spread_at(s, duck_shares, TUNING.duck_distance * head_height, TUNING.duck_distance * head_height)

    def jump_share_at(self, s: Array | float) -> Array:
        """Return the weights (...) of jumping, 0 to 1, at arc lengths `s` (...), meters."""
        return self._spread_at(s, self.is_obstacle.astype(float), TUNING.jump_before, TUNING.jump_after)

    def _spread_at(self, s: Array | float, values: Array, before: float, after: float) -> Array:
        """Return values (K) at arc lengths (...), each extended by `before` and `after`, meters, around its sample."""
        step = self.arc_lengths[1] - self.arc_lengths[0]
        ahead, behind = round(before / step), round(after / step)
        padded = np.concatenate([np.zeros(behind), values, np.zeros(ahead)])
        widest = np.lib.stride_tricks.sliding_window_view(padded, ahead + behind + 1).max(axis=-1)
        smooth = scipy.ndimage.gaussian_filter1d(widest, TUNING.transition_length / step, mode="nearest")
        return np.asarray(np.interp(s, self.arc_lengths, smooth))


def start_height(ground: Ground, position: Array, start_level: float, scale: float = 1.0) -> float:
    """Return the height of the ground, meters, world, at a position from which a walk starts.

    The height is that of the highest surface at most a step above `start_level`, else of the highest surface of all,
    else `start_level`.

    Args:
        ground: the ground.
        position: (2) position, meters, world.
        start_level: approximate height of the position, meters.
        scale: size of the body relative to an adult's.
    """
    for above in (start_level + TUNING.max_step_up * scale, np.inf):
        point = np.array([[*position, min(above, SKY_HEIGHT_M)]])
        height = float(ground.heights(point)[0])
        if np.isfinite(height):
            return height
    return start_level


def _trace_ground(
    ground: Ground, positions: Array, start_level: float, scale: float
) -> tuple[Array, NDArray[np.bool_]]:
    """Return ground heights (K) along positions (K, 2), each within a step of the last, and their walkability (K)."""
    heights, is_walkable = np.empty(len(positions)), np.ones(len(positions), dtype=bool)
    is_pit = np.zeros(len(positions), dtype=bool)
    level = start_height(ground, positions[0], start_level, scale)
    index, ahead = 0, MAX_BATCH_SIZE
    while index < len(positions):
        # While the height does not change, many positions are queried together.
        part = positions[index : index + ahead]
        found = ground.heights(np.column_stack([part, np.full(len(part), level + TUNING.max_step_up * scale)]))
        same = int(np.argmax(np.append(found != level, True)))
        heights[index : index + same] = level
        index += same
        ahead = min(2 * max(same, 1), MAX_BATCH_SIZE)
        if same < len(part):
            is_pit[index] = not found[same] - level > -TUNING.max_step_down * scale
            is_walkable[index] = not is_pit[index] and found[same] - level <= TUNING.max_step_up * scale
            if is_walkable[index]:
                level = float(found[same])
            heights[index] = level
            index += 1
    for start, stop in runs_of(is_pit):
        width = float(np.linalg.norm(positions[min(stop, len(positions) - 1)] - positions[max(start - 1, 0)]))
        is_walkable[start:stop] = start > 0 and stop < len(positions) and width <= TUNING.max_gap_width * scale
    return heights, is_walkable
