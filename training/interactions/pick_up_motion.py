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
from ...core.tuning import Tuning, tuned
from .captured_goals import NO_TIMES, GoalTimes
from .clip_stitching import ContactClip, FootPoses, move_feet_to


@dataclass(frozen=True, slots=True)
class PickUpMotionTuning(Tuning):
    bent_depth: float = tuned(0.12, "m", 0.01, 0.5)
    """Depth of the hands below their usual height beyond which the character counts as bending."""
    margin: int = tuned(45, "frames", 1, 300)
    """Frames before and after the lowest frame that are excluded from the hands' usual height."""
    standing_margin: int = tuned(15, "frames", 0, 120)
    """Frames of standing on both feet that the motion keeps before the hands sink and after they are up again."""
    half_action_blend: int = tuned(15, "frames", 1, 120)
    """Frames before and after the start or end of a labeled action in which its weight changes."""
    max_depth_ratio: float = tuned(1.3, "1", 1.0, 3.0)
    """Largest depth of the hands relative to the captured one."""
    min_lift_height: float = tuned(0.12, "m", 0.0, 0.5)
    """Smallest rise of the hands from the grasp to their usual height."""


TUNING: Final = PickUpMotionTuning()


@dataclass(frozen=True, slots=True)
class PickUpMarks:
    """Label times of a pick-up or put-down, in frames of its clip; ``None`` without a label.

    Attributes:
        grasp: first frame at which both hands hold the object; the last one for putting down.
        action_edge: frame at which the action *carry* begins (for putting down, ends).
        phase: first and last frame of the acyclic phase.
        object_offset: (2) offset from the hands' midpoint to the object at the grasp: right and ahead, m.
        goal_times: times of the goal set by the user.
    """

    grasp: int | None = None
    action_edge: int | None = None
    phase: tuple[int, int] | None = None
    object_offset: tuple[float, float] = (0.0, 0.0)
    goal_times: GoalTimes = NO_TIMES


@dataclass(frozen=True, eq=False)
class PickUpMotion:
    """Motion of a standing character that bends, picks up an object, and stands with it.

    Attributes:
        motion: the motion, from standing to standing.
        lowest_frame: frame of the lowest hands.
        free_height, holding_height, lowest_height: heights of the hands' midpoint before the bend, after it, and at its
            lowest, m.
        grasp_frame: frame from which the hands hold the object.
        action_ramp: frames between which the weight of the action *carry* rises from 0 to 1.
        phase_range: half-open frame range of the acyclic phase.
        object_offset: (2) offset from the hands' midpoint to the object: right and ahead, m.
        goal_times: times of the goal set by the user.
    """

    motion: ContactClip
    lowest_frame: int
    free_height: float
    holding_height: float
    lowest_height: float
    grasp_frame: int
    action_ramp: tuple[int, int]
    phase_range: tuple[int, int]
    object_offset: tuple[float, float] = (0.0, 0.0)
    goal_times: GoalTimes = NO_TIMES

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def release_frame(self) -> int:
        """Last frame at which the hands hold the object when the motion is played in reverse."""
        return len(self) - 1 - self.grasp_frame

    @property
    def reversed_action_ramp(self) -> tuple[int, int]:
        """Frames between which the weight of *carry* falls from 1 to 0 when the motion is played in reverse."""
        return len(self) - 1 - self.action_ramp[1], len(self) - self.action_ramp[0]

    @property
    def reversed_phase_range(self) -> tuple[int, int]:
        """Half-open frame range of the acyclic phase when the motion is played in reverse."""
        return len(self) - self.phase_range[1], len(self) - self.phase_range[0]

    @property
    def height_range(self) -> tuple[float, float]:
        """Lowest and highest grasp height, m, to which the motion can be adapted."""
        return max(
            self.holding_height - TUNING.max_depth_ratio * (self.holding_height - self.lowest_height), 0.05
        ), self.holding_height - TUNING.min_lift_height

    def descent_share(self) -> Array:
        """Return the share (F) of the hands' descent at each frame: 0 at their usual height, 1 at the lowest."""
        heights = wrist_positions(self.motion.clip).mean(axis=1)[:, 2]
        usual = np.where(np.arange(len(heights)) < self.lowest_frame, self.free_height, self.holding_height)
        return np.clip((usual - heights) / (usual - self.lowest_height), 0.0, 1.0)

    def adapt_to_height(self, height: float) -> ContactClip:
        """Return the motion adapted by full-body IK so that the hands' lowest height is ``height``, m.

        For a higher grasp the body bends less (motion warping, cf. Witkin and Popovic 1995).
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
        """Return the clip blended toward upright standing by a share (F); the feet stay in place."""
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
    """Return the positions (F, 2, 3) of the left and the right wrist, m, world."""
    return clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]


def find_pick_up(clip: Clip) -> PickUpMotion | None:
    """Return the deepest bend of a clip as a pick-up; a put-down is reversed in time to make a pick-up.

    The result is ``None`` if the character never bends.
    """
    heights = wrist_positions(clip).mean(axis=1)[:, 2]
    low = int(np.argmin(heights))
    if not TUNING.margin < low < len(clip) - TUNING.margin:
        return None
    before, after = float(np.median(heights[: low - TUNING.margin])), float(np.median(heights[low + TUNING.margin :]))
    # Holding hands are higher than hanging hands.
    held = label_clip(clip).foot_contacts.held
    return pick_up_at(ContactClip(clip, held), low, before, after, puts_down=after < before)


def pick_up_at(
    captured: ContactClip, low: int, before: float, after: float, puts_down: bool, marks: PickUpMarks | None = None
) -> PickUpMotion | None:
    """Return the bend around a frame as a pick-up; a put-down is reversed in time to make a pick-up.

    Args:
        captured: the motion.
        low: frame at which the hands are lowest.
        before: usual height of the hands' midpoint before the bend, m.
        after: usual height of the hands' midpoint after the bend, m.
        puts_down: whether the bend is a put-down.
        marks: label times of the bend, if any.

    Returns:
        The pick-up, or ``None`` if the character does not bend there.
    """
    heights = wrist_positions(captured.clip).mean(axis=1)[:, 2]
    bent = heights < np.where(np.arange(len(captured)) < low, before, after) - TUNING.bent_depth
    if not bent[low] or bent[:low].all() or bent[low:].all():
        return None
    start, stop = _double_support_range(captured.contacts, low)
    down, up = low - int(np.argmax(~bent[:low][::-1])), low + int(np.argmax(~bent[low:]))
    start, stop = max(start, down - TUNING.standing_margin), min(stop, up + TUNING.standing_margin)
    stretch, frames = captured.cut(start, stop), np.arange(len(captured))
    own, usual = frames - start, (before, after)
    if puts_down:
        stretch, own, usual = stretch.reversed_in_time(), stop - 1 - frames, (after, before)
    marks = marks or PickUpMarks()
    marked = _MarkedFrames.of(marks, own, low, len(stretch))
    return PickUpMotion(
        stretch,
        int(own[low]),
        *usual,
        float(heights[low]),
        marked.grasp,
        marked.action_ramp,
        marked.phase_range,
        marks.object_offset,
        marks.goal_times,
    )


@dataclass(frozen=True, slots=True)
class _MarkedFrames:
    """The labeled frames of a pick-up in its own motion, see :class:`PickUpMotion`."""

    grasp: int
    action_ramp: tuple[int, int]
    phase_range: tuple[int, int]

    @staticmethod
    def of(marks: PickUpMarks, own: NDArray[np.intp], low: int, count: int) -> "_MarkedFrames":
        """Return the labeled frames of a clip, converted to frames of the motion.

        Args:
            marks: the clip's labeled frames.
            own: (F) frame of the motion for each frame of the clip.
            low: the clip's frame at which the hands are lowest.
            count: frames of the motion.
        """
        grasp = int(own[low if marks.grasp is None else marks.grasp])
        grasp = grasp if 0 < grasp < count - 1 else int(own[low])
        ramp, phase = (0, grasp), (0, count)
        if marks.action_edge is not None:
            edge = int(own[marks.action_edge])
            ramp = (edge - TUNING.half_action_blend, edge + TUNING.half_action_blend)
        if marks.phase is not None:
            first, last = sorted(int(np.clip(own[frame], 0, count - 1)) for frame in marks.phase)
            phase = (first, last + 1) if last > first else phase
        return _MarkedFrames(grasp, ramp, phase)


def _double_support_range(contacts: NDArray[np.bool_], frame: int) -> tuple[int, int]:
    """Return the range around a frame in which both feet are in contact."""
    both = contacts[:, :2].any(axis=1) & contacts[:, 2:].any(axis=1)
    off = np.flatnonzero(~both)
    before, following = off[off < frame], off[off > frame]
    return int(before[-1]) + 1 if len(before) else 0, int(following[0]) if len(following) else len(contacts)
