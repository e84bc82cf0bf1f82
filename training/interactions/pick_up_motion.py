"""Bending for something: captured when somebody took a box off the floor or put it down, and brought to any height."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.labelling import label_clip
from ...core.motion import Clip
from ...core.motion.roles import JOINTS
from ...core.motion.rotations import Array, slerp
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from .clip_stitching import Feet, Stretch, with_feet

BENT: Final = 0.12
"""Metres that hands are below where they were or will be, from which they reach down or come up."""
MARGIN: Final = 45
"""Frames before and after the lowest that are not looked at for how high hands usually are."""
BESIDE: Final = 15
"""Frames before the hands go down and after they are up that belong to it, while both feet stand."""
DEEPEST: Final = 1.3
"""How far hands sink at most, as a share of how far they sank when they were captured."""
HIGHER: Final = 0.12
"""Metres by which hands are lifted over what they take before they come to their usual height, at least."""


@dataclass(frozen=True, eq=False)
class Lift:
    """Somebody stands, bends, takes something, and stands with it.

    Attributes:
        stretch: from standing to standing.
        low: the frame at which the hands are lowest.
        free, hold, lowest: heights of the hands' middle before, after, and when lowest, metres.
    """

    stretch: Stretch
    low: int
    free: float
    hold: float
    lowest: float

    def __len__(self) -> int:
        return len(self.stretch)

    @property
    def range(self) -> tuple[float, float]:
        """Heights, metres, at which something can be taken hold of so."""
        return max(self.hold - DEEPEST * (self.hold - self.lowest), 0.05), self.hold - HIGHER

    def sunk(self) -> Array:
        """How far (F) the hands have gone down, of all the way."""
        heights = hands_of(self.stretch.clip).mean(axis=1)[:, 2]
        usual = np.where(np.arange(len(heights)) < self.low, self.free, self.hold)
        return np.clip((usual - heights) / (usual - self.lowest), 0.0, 1.0)

    def at(self, height: float) -> Stretch:
        """The stretch with hands at another height, metres, when lowest: who need not go so deep bends less."""
        clip, share = self.stretch.clip, (self.hold - height) / (self.hold - self.lowest)
        sunk = gaussian_filter1d(self.sunk(), 2.0)
        less = self._upright(sunk * max(1.0 - share, 0.0))
        wanted = hands_of(clip) + np.array([0.0, 0.0, 1.0]) * (sunk * (height - self.lowest))[:, None, None]
        weight = np.clip(sunk / 0.05, 0.0, 1.0)
        hips = less.positions[:, clip.skeleton.role("hips")].copy()
        hips[:, 2] += min(1.0 - share, 0.0) * (self.hold - self.lowest) * sunk
        goals = [
            EffectorGoal("hips", hips, weight),
            *(EffectorGoal(f"hand.{s}", wanted[:, n], weight) for n, s in enumerate("LR")),
        ]
        return Stretch(solve_full_body_ik(less, goals), self.stretch.held)

    def _upright(self, share: Array) -> Clip:
        """The clip as it would be if somebody stood straight instead, by a share (F); their feet stay."""
        clip, t = self.stretch.clip, np.linspace(0.0, 1.0, len(self))
        first, last = (np.repeat(clip.rotations[at][None], len(clip), axis=0) for at in (0, -1))
        straight = slerp(first, last, t[:, None])
        roots = clip.root_positions[0] + t[:, None] * (clip.root_positions[-1] - clip.root_positions[0])
        feet = Feet.of(clip)
        moved = replace(
            clip,
            root_positions=clip.root_positions + share[:, None] * (roots - clip.root_positions),
            rotations=slerp(clip.rotations, straight, share[:, None]),
        )
        return with_feet(moved, feet.ankles, feet.turns)


def hands_of(clip: Clip) -> Array:
    """The wrists (F, 2, 3), left and right."""
    return clip.positions[:, [clip.skeleton.role("hand.L"), clip.skeleton.role("hand.R")]]


def lift_of(clip: Clip) -> Lift | None:
    """The deepest bend of a clip, from before it to after it; played backwards where something is put down. ``None``
    where nobody bends.
    """
    heights = hands_of(clip).mean(axis=1)[:, 2]
    low = int(np.argmin(heights))
    if not MARGIN < low < len(clip) - MARGIN:
        return None
    before, after = float(np.median(heights[: low - MARGIN])), float(np.median(heights[low + MARGIN :]))
    bent = heights < np.where(np.arange(len(clip)) < low, before, after) - BENT
    if not bent[low] or bent[:low].all() or bent[low:].all():
        return None
    held = label_clip(clip).contacts_of(JOINTS) > 0.5
    start, stop = _standing(held, low)
    down, up = low - int(np.argmax(~bent[:low][::-1])), low + int(np.argmax(~bent[low:]))
    start, stop = max(start, down - BESIDE), min(stop, up + BESIDE)
    stretch = Stretch(clip, held).cut(start, stop)
    # Hands that hold something are higher than hands that hang.
    if after >= before:
        return Lift(stretch, low - start, before, after, float(heights[low]))
    return Lift(stretch.backwards(), stop - 1 - low, after, before, float(heights[low]))


def _standing(held: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """The frames about one over which both feet are on the ground."""
    both = held[:, :2].any(axis=1) & held[:, 2:].any(axis=1)
    off = np.flatnonzero(~both)
    before, following = off[off < frame], off[off > frame]
    return int(before[-1]) + 1 if len(before) else 0, int(following[0]) if len(following) else len(held)
