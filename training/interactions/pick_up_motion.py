"""Pick-up motions: captured bending for a box, adapted to any height."""

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
"""Depth of the hands below their usual height from which the character is bent."""
MARGIN_FRAMES: Final = 45
"""Frames before and after the lowest frame that are excluded from the hands' usual height."""
STANDING_MARGIN_FRAMES: Final = 15
"""Frames before the hands sink and after they are up that belong to the motion, if both feet stand."""
MAX_DEPTH_RATIO: Final = 1.3
"""Largest depth of the hands as a ratio of the captured one."""
MIN_LIFT_HEIGHT_M: Final = 0.12
"""Smallest height by which the hands rise from the grasp to their usual height."""


@dataclass(frozen=True, eq=False)
class PickUpMotion:
    """A character that stands, bends, picks something up, and stands with it.

    Attributes:
        motion: from standing to standing.
        lowest_frame: frame at which the hands are lowest.
        free_height, holding_height, lowest_height: heights of the hands' midpoint before, after, and when lowest, m.
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
        """Lowest and highest grasp height, m, that the motion can be adapted to."""
        return max(
            self.holding_height - MAX_DEPTH_RATIO * (self.holding_height - self.lowest_height), 0.05
        ), self.holding_height - MIN_LIFT_HEIGHT_M

    def descent_share(self) -> Array:
        """Return the descent of the hands (F) as a share of the whole descent, 0 to 1."""
        heights = wrist_positions(self.motion.clip).mean(axis=1)[:, 2]
        usual = np.where(np.arange(len(heights)) < self.lowest_frame, self.free_height, self.holding_height)
        return np.clip((usual - heights) / (usual - self.lowest_height), 0.0, 1.0)

    def adapt_to_height(self, height: float) -> ContactClip:
        """Return the motion with the hands at another lowest height, m, by full-body IK.

        Motion warping, compare Witkin and Popovic 1995; for a smaller depth the body bends less.
        """
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
        """Return the clip blended toward straight standing by a share (F); the feet stay."""
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
    """Return the wrist positions (F, 2, 3), left and right, m."""
    return clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]


def find_pick_up(clip: Clip) -> PickUpMotion | None:
    """Return the deepest bend of a clip as a pick-up; reversed in time if something is put down.

    ``None`` if the character never bends.
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
    # Holding hands are higher than hanging hands.
    if after >= before:
        return PickUpMotion(stretch, low - start, before, after, float(heights[low]))
    return PickUpMotion(stretch.reversed_in_time(), stop - 1 - low, after, before, float(heights[low]))


def _double_support_range(contacts: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """Return the range of frames around a frame in which both feet are in contact."""
    both = contacts[:, :2].any(axis=1) & contacts[:, 2:].any(axis=1)
    off = np.flatnonzero(~both)
    before, following = off[off < frame], off[off > frame]
    return int(before[-1]) + 1 if len(before) else 0, int(following[0]) if len(following) else len(contacts)
