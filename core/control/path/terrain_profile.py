"""The ground along a path: how high, how much room over it, what to jump over, where it ends."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...features.crouch import DEEPEST
from ...motion.rotations import UP, Array
from ...motion.signals import runs_of
from ...terrain.ground import Ground
from ...terrain.walk_scene import Surroundings
from .path import Path, even_arc_lengths

# Lengths in metres, of an adult.
SAMPLE_SPACING_M: Final = 0.06
"""How far apart the ground is looked at."""
MAX_STEP_UP_M: Final = 0.6
"""How much higher than where one stands the next surface may be that is still a step, ..."""
MAX_STEP_DOWN_M: Final = 0.9
"""... and how much lower: deeper is a pit, ..."""
MAX_GAP_WIDTH_M: Final = 0.35
"""... where it is wider than what one steps over."""
JUMP_PROBE_MARGIN_M: Final = 0.15
"""Over a surface that is jumped over, from where it is looked for above the ground."""
MAX_BATCH_SIZE: Final = 256
"""Places that are looked at together at most."""
MAX_HEADROOM_M: Final = 3.0
"""Room over the ground that is as good as none at all overhead."""
HEAD_CLEARANCE_RATIO: Final = 0.04
"""What is left free over the head, and ..."""
DUCK_DISTANCE_RATIO: Final = 0.35
"""... how far before and behind a ceiling one ducks, as shares of the upright height."""
TRANSITION_LENGTH_M: Final = 0.1
"""Metres over which one begins to duck or to jump."""


@dataclass(frozen=True, slots=True, eq=False)
class TerrainProfile:
    """What is along a path, every few centimetres.

    Attributes:
        lengths: arc lengths (K), metres.
        heights: of the ground (K), metres; where there is none, the last there was.
        room: free height over the ground (K), metres; :data:`MAX_HEADROOM_M` and more is no ceiling.
        jumps: whether (K) there is something to jump over.
        firm: whether (K) there is ground, and no pit; a crack that one steps over is none.
    """

    arc_lengths: Array
    heights: Array
    headroom: Array
    is_obstacle: NDArray[np.bool_]
    is_walkable: NDArray[np.bool_]

    @staticmethod
    def from_path(path: Path, surroundings: Surroundings, start_level: float, scale: float = 1.0) -> "TerrainProfile":
        """The profile of a path.

        Args:
            path: where to walk.
            surroundings: the scene, at the walk's first frame.
            start_level: about how high the path begins, metres: the surface there is looked for a step above it, and from the
                sky where there is none under that.
            scale: the body's size as a share of an adult's.
        """
        lengths = even_arc_lengths(SAMPLE_SPACING_M * scale, path.length)
        places = path.position_at(lengths)
        ground = surroundings.ground
        heights, firm = _trace_ground(ground, places, start_level, scale)
        at = np.concatenate([places, heights[:, None]], axis=1)
        room = ground.ceilings(at + UP * MAX_STEP_UP_M * scale) - heights
        jumps = np.zeros(len(at), dtype=bool)
        if surroundings.jump_over is not None:
            tops = surroundings.jump_over.heights(at + UP * (MAX_STEP_UP_M + JUMP_PROBE_MARGIN_M) * scale)
            jumps = tops > heights - JUMP_PROBE_MARGIN_M * scale
        return TerrainProfile(lengths, heights, np.minimum(room, MAX_HEADROOM_M * scale), jumps, firm)

    def height_at(self, s: Array | float) -> Array:
        """Heights (...), metres, of the ground at arc lengths (...)."""
        return np.asarray(np.interp(s, self.arc_lengths, self.heights))

    def slope_at(self, s: Array | float, span: float = 0.6) -> Array:
        """Rise (...) of the ground about arc lengths (...), metres a metre, over so many metres."""
        s = np.asarray(s)
        return (self.height_at(s + span / 2) - self.height_at(s - span / 2)) / span

    def duck_share_at(self, s: Array | float, head_height: float) -> Array:
        """How far (...), 0 to 1, one must duck at arc lengths (...) whose head is ``head_height`` metres high."""
        missing = np.clip(
            (head_height + HEAD_CLEARANCE_RATIO * head_height - self.headroom) / (DEEPEST * head_height), 0.0, 1.0
        )
        return self._spread_at(s, missing, DUCK_DISTANCE_RATIO * head_height, DUCK_DISTANCE_RATIO * head_height)

    def jump_share_at(self, s: Array | float, before: float = 0.6, after: float = 0.4) -> Array:
        """Whether (...), 0 to 1, one jumps at arc lengths (...): from ``before`` metres before what is jumped over."""
        return self._spread_at(s, self.is_obstacle.astype(float), before, after)

    def _spread_at(self, s: Array | float, values: Array, before: float, after: float) -> Array:
        """Values (K) at arc lengths (...), each counting from so many metres before its place to so many after it."""
        step = self.arc_lengths[1] - self.arc_lengths[0]
        ahead, behind = round(before / step), round(after / step)
        padded = np.concatenate([np.zeros(behind), values, np.zeros(ahead)])
        widest = np.lib.stride_tricks.sliding_window_view(padded, ahead + behind + 1).max(axis=-1)
        smooth = scipy.ndimage.gaussian_filter1d(widest, TRANSITION_LENGTH_M / step, mode="nearest")
        return np.asarray(np.interp(s, self.arc_lengths, smooth))


def start_height(ground: Ground, position: Array, start_level: float, scale: float = 1.0) -> float:
    """The height of the ground at a place (2): of the surface a step above ``start_level`` or lower, else of the highest."""
    for above in (start_level + MAX_STEP_UP_M * scale, np.inf):
        point = np.array([[*position, min(above, SKY_HEIGHT_M)]])
        height = float(ground.heights(point)[0])
        if np.isfinite(height):
            return height
    return start_level


SKY_HEIGHT_M: Final = 1e4
"""Metres: over everything."""


def _trace_ground(
    ground: Ground, positions: Array, start_level: float, scale: float
) -> tuple[Array, NDArray[np.bool_]]:
    """The ground's heights (K) at places (K, 2), each looked for a step above the one before; and where it is firm."""
    heights, firm = np.empty(len(positions)), np.ones(len(positions), dtype=bool)
    deep = np.zeros(len(positions), dtype=bool)
    here = start_height(ground, positions[0], start_level, scale)
    index, ahead = 0, MAX_BATCH_SIZE
    while index < len(positions):
        # As long as the height stays the same, many places are looked at together.
        part = positions[index : index + ahead]
        found = ground.heights(np.column_stack([part, np.full(len(part), here + MAX_STEP_UP_M * scale)]))
        same = int(np.argmax(np.append(found != here, True)))
        heights[index : index + same] = here
        index += same
        ahead = min(2 * max(same, 1), MAX_BATCH_SIZE)
        if same < len(part):
            deep[index] = not found[same] - here > -MAX_STEP_DOWN_M * scale
            firm[index] = not deep[index] and found[same] - here <= MAX_STEP_UP_M * scale
            if firm[index]:
                here = float(found[same])
            heights[index] = here
            index += 1
    for start, stop in runs_of(deep):
        across = float(np.linalg.norm(positions[min(stop, len(positions) - 1)] - positions[max(start - 1, 0)]))
        firm[start:stop] = start > 0 and stop < len(positions) and across <= MAX_GAP_WIDTH_M * scale
    return heights, firm
