"""Bending for something: captured when somebody took a box off the floor or put it down, and brought to any height."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.labelling import label_clip
from ...core.motion import Clip
from ...core.motion.rotations import Array, slerp
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from .clip_stitching import ContactClip, FootPoses, move_feet_to

BENT_DEPTH_M: Final = 0.12
"""Metres that hands are below where they were or will be, from which they reach down or come up."""
MARGIN_FRAMES: Final = 45
"""Frames before and after the lowest that are not looked at for how high hands usually are."""
STANDING_MARGIN_FRAMES: Final = 15
"""Frames before the hands go down and after they are up that belong to it, while both feet stand."""
MAX_DEPTH_RATIO: Final = 1.3
"""How far hands sink at most, as a share of how far they sank when they were captured."""
MIN_LIFT_HEIGHT_M: Final = 0.12
"""Metres by which hands are lifted over what they take before they come to their usual height, at least."""


@dataclass(frozen=True, eq=False)
class PickUpMotion:
    """Somebody stands, bends, takes something, and stands with it.

    Attributes:
        stretch: from standing to standing.
        low: the frame at which the hands are lowest.
        free, hold, lowest: heights of the hands' middle before, after, and when lowest, metres.
    """

    motion: ContactClip
    lowest_frame: int
    free_height: float
    holding_height: float
    lowest_height: float

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def height_range(self) -> tuple[float, float]:
        """Heights, metres, at which something can be taken hold of so."""
        return max(
            self.holding_height - MAX_DEPTH_RATIO * (self.holding_height - self.lowest_height), 0.05
        ), self.holding_height - MIN_LIFT_HEIGHT_M

    def descent_share(self) -> Array:
        """How far (F) the hands have gone down, of all the way."""
        heights = wrist_positions(self.motion.clip).mean(axis=1)[:, 2]
        usual = np.where(np.arange(len(heights)) < self.lowest_frame, self.free_height, self.holding_height)
        return np.clip((usual - heights) / (usual - self.lowest_height), 0.0, 1.0)

    def adapt_to_height(self, height: float) -> ContactClip:
        """Return the stretch with hands at another height, metres, when lowest: who need not go so deep bends less."""
        clip, share = self.motion.clip, (self.holding_height - height) / (self.holding_height - self.lowest_height)
        sunk = gaussian_filter1d(self.descent_share(), 2.0)
        less = self._straighten(sunk * max(1.0 - share, 0.0))
        wanted = (
            wrist_positions(clip) + np.array([0.0, 0.0, 1.0]) * (sunk * (height - self.lowest_height))[:, None, None]
        )
        weight = np.clip(sunk / 0.05, 0.0, 1.0)
        hips = less.positions[:, clip.skeleton.joint("hips")].copy()
        hips[:, 2] += min(1.0 - share, 0.0) * (self.holding_height - self.lowest_height) * sunk
        goals = [
            EffectorGoal("hips", hips, weight),
            *(EffectorGoal(f"hand.{s}", wanted[:, n], weight) for n, s in enumerate("LR")),
        ]
        return ContactClip(solve_full_body_ik(less, goals), self.motion.contacts)

    def _straighten(self, share: Array) -> Clip:
        """Return the clip as it would be if somebody stood straight instead, by a share (F); their feet stay."""
        clip, t = self.motion.clip, np.linspace(0.0, 1.0, len(self))
        first, last = (np.repeat(clip.rotations[at][None], len(clip), axis=0) for at in (0, -1))
        straight = slerp(first, last, t[:, None])
        roots = clip.root_positions[0] + t[:, None] * (clip.root_positions[-1] - clip.root_positions[0])
        feet = FootPoses.of(clip)
        moved = replace(
            clip,
            root_positions=clip.root_positions + share[:, None] * (roots - clip.root_positions),
            rotations=slerp(clip.rotations, straight, share[:, None]),
        )
        return move_feet_to(moved, feet.ankles, feet.rotations)


def wrist_positions(clip: Clip) -> Array:
    """Return the wrists (F, 2, 3), left and right."""
    return clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]


def find_pick_up(clip: Clip) -> PickUpMotion | None:
    """Return the deepest bend of a clip, from before it to after it; played backwards where something is put down.
    ``None`` where nobody bends.
    """
    heights = wrist_positions(clip).mean(axis=1)[:, 2]
    low = int(np.argmin(heights))
    if not MARGIN_FRAMES < low < len(clip) - MARGIN_FRAMES:
        return None
    before, after = float(np.median(heights[: low - MARGIN_FRAMES])), float(np.median(heights[low + MARGIN_FRAMES :]))
    bent = heights < np.where(np.arange(len(clip)) < low, before, after) - BENT_DEPTH_M
    if not bent[low] or bent[:low].all() or bent[low:].all():
        return None
    held = label_clip(clip).foot_contacts.held
    start, stop = _double_support_range(held, low)
    down, up = low - int(np.argmax(~bent[:low][::-1])), low + int(np.argmax(~bent[low:]))
    start, stop = max(start, down - STANDING_MARGIN_FRAMES), min(stop, up + STANDING_MARGIN_FRAMES)
    stretch = ContactClip(clip, held).cut(start, stop)
    # Hands that hold something are higher than hands that hang.
    if after >= before:
        return PickUpMotion(stretch, low - start, before, after, float(heights[low]))
    return PickUpMotion(stretch.reversed_in_time(), stop - 1 - low, after, before, float(heights[low]))


def _double_support_range(contacts: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """Return the frames about one over which both feet are on the ground."""
    both = contacts[:, :2].any(axis=1) & contacts[:, 2:].any(axis=1)
    off = np.flatnonzero(~both)
    before, following = off[off < frame], off[off > frame]
    return int(before[-1]) + 1 if len(before) else 0, int(following[0]) if len(following) else len(contacts)
