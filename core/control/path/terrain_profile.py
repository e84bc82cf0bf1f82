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
from .path import Path, every

# Lengths in metres, of an adult.
STEP: Final = 0.06
"""How far apart the ground is looked at."""
REACH: Final = 0.6
"""How much higher than where one stands the next surface may be that is still a step, ..."""
DROP: Final = 0.9
"""... and how much lower: deeper is a pit, ..."""
CRACK: Final = 0.35
"""... where it is wider than what one steps over."""
ROOM: Final = 0.15
"""Over a surface that is jumped over, from where it is looked for above the ground."""
MANY: Final = 256
"""Places that are looked at together at most."""
TALLEST: Final = 3.0
"""Room over the ground that is as good as none at all overhead."""
HEADROOM: Final = 0.04
"""What is left free over the head, and ..."""
AHEAD: Final = 0.35
"""... how far before and behind a ceiling one ducks, as shares of the upright height."""
EASED: Final = 0.1
"""Metres over which one begins to duck or to jump."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What is along a path, every few centimetres.

    Attributes:
        lengths: arc lengths (K), metres.
        heights: of the ground (K), metres; where there is none, the last there was.
        room: free height over the ground (K), metres; :data:`TALLEST` and more is no ceiling.
        jumps: whether (K) there is something to jump over.
        firm: whether (K) there is ground, and no pit; a crack that one steps over is none.
    """

    lengths: Array
    heights: Array
    room: Array
    jumps: NDArray[np.bool_]
    firm: NDArray[np.bool_]

    @staticmethod
    def along(path: Path, surroundings: Surroundings, level: float, scale: float = 1.0) -> "Profile":
        """The profile of a path.

        Args:
            path: where to walk.
            surroundings: the scene, at the walk's first frame.
            level: about how high the path begins, metres: the surface there is looked for a step above it, and from the
                sky where there is none under that.
            scale: the body's size as a share of an adult's.
        """
        lengths = every(STEP * scale, path.length)
        places = path.point(lengths)
        ground = surroundings.ground
        heights, firm = _followed(ground, places, level, scale)
        at = np.concatenate([places, heights[:, None]], axis=1)
        room = ground.ceilings(at + UP * REACH * scale) - heights
        jumps = np.zeros(len(at), dtype=bool)
        if surroundings.jump_over is not None:
            tops = surroundings.jump_over.heights(at + UP * (REACH + ROOM) * scale)
            jumps = tops > heights - ROOM * scale
        return Profile(lengths, heights, np.minimum(room, TALLEST * scale), jumps, firm)

    def height(self, s: Array | float) -> Array:
        """Heights (...), metres, of the ground at arc lengths (...)."""
        return np.asarray(np.interp(s, self.lengths, self.heights))

    def slope(self, s: Array | float, over: float = 0.6) -> Array:
        """Rise (...) of the ground about arc lengths (...), metres a metre, over so many metres."""
        s = np.asarray(s)
        return (self.height(s + over / 2) - self.height(s - over / 2)) / over

    def low(self, s: Array | float, upright: float) -> Array:
        """How far (...), 0 to 1, one must duck at arc lengths (...) whose head is ``upright`` metres high."""
        missing = np.clip((upright + HEADROOM * upright - self.room) / (DEEPEST * upright), 0.0, 1.0)
        return self._spread(s, missing, AHEAD * upright, AHEAD * upright)

    def jumped(self, s: Array | float, before: float = 0.6, after: float = 0.4) -> Array:
        """Whether (...), 0 to 1, one jumps at arc lengths (...): from ``before`` metres before what is jumped over."""
        return self._spread(s, self.jumps.astype(float), before, after)

    def _spread(self, s: Array | float, values: Array, before: float, after: float) -> Array:
        """Values (K) at arc lengths (...), each counting from so many metres before its place to so many after it."""
        step = self.lengths[1] - self.lengths[0]
        ahead, behind = round(before / step), round(after / step)
        padded = np.concatenate([np.zeros(behind), values, np.zeros(ahead)])
        widest = np.lib.stride_tricks.sliding_window_view(padded, ahead + behind + 1).max(axis=-1)
        smooth = scipy.ndimage.gaussian_filter1d(widest, EASED / step, mode="nearest")
        return np.asarray(np.interp(s, self.lengths, smooth))


def first_height(ground: Ground, place: Array, level: float, scale: float = 1.0) -> float:
    """The height of the ground at a place (2): of the surface a step above ``level`` or lower, else of the highest."""
    for above in (level + REACH * scale, np.inf):
        point = np.array([[*place, min(above, SKY)]])
        height = float(ground.heights(point)[0])
        if np.isfinite(height):
            return height
    return level


SKY: Final = 1e4
"""Metres: over everything."""


def _followed(ground: Ground, places: Array, level: float, scale: float) -> tuple[Array, NDArray[np.bool_]]:
    """The ground's heights (K) at places (K, 2), each looked for a step above the one before; and where it is firm."""
    heights, firm = np.empty(len(places)), np.ones(len(places), dtype=bool)
    deep = np.zeros(len(places), dtype=bool)
    here = first_height(ground, places[0], level, scale)
    index, ahead = 0, MANY
    while index < len(places):
        # As long as the height stays the same, many places are looked at together.
        part = places[index : index + ahead]
        found = ground.heights(np.column_stack([part, np.full(len(part), here + REACH * scale)]))
        same = int(np.argmax(np.append(found != here, True)))
        heights[index : index + same] = here
        index += same
        ahead = min(2 * max(same, 1), MANY)
        if same < len(part):
            deep[index] = not found[same] - here > -DROP * scale
            firm[index] = not deep[index] and found[same] - here <= REACH * scale
            if firm[index]:
                here = float(found[same])
            heights[index] = here
            index += 1
    for start, stop in runs_of(deep):
        across = float(np.linalg.norm(places[min(stop, len(places) - 1)] - places[max(start - 1, 0)]))
        firm[start:stop] = start > 0 and stop < len(places) and across <= CRACK * scale
    return heights, firm
