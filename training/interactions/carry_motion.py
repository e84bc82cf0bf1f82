"""Captured carrying: pick-ups and walks with a box, found by a clip's labels or in its motion."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.labelling import Labels
from ...core.labelling.shown_interactions import action_ranges
from ...core.motion import Clip
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of
from ...core.tuning import Tuning, tuned
from . import pick_up_motion
from .captured_clip import CapturedClip
from .captured_goals import NO_TIMES, GoalTimes
from .clip_stitching import ContactClip
from .pick_up_motion import PickUpMarks, PickUpMotion, find_pick_up, pick_up_at, wrist_positions


@dataclass(frozen=True, slots=True)
class CarryMotionTuning(Tuning):
    search: int = tuned(90, "frames", 1, 600)
    """Frames before and after the start or end of a labeled action in which the grasp or release is searched."""
    min_carried: int = tuned(60, "frames", 1, 600)
    """Shortest usable walk with a box."""
    grasp_height_tolerance: float = tuned(0.05, "m", 0.0, 0.3)
    """Largest height of the hands at a labeled grasp over their lowest height."""
    phase_tolerance: int = tuned(10, "frames", 0, 120)
    """Largest gap between a labeled phase and the bend, or the start or end of its action."""


TUNING: Final = CarryMotionTuning()

HAND_CONTACTS: Final = ("hand.L", "hand.R")


@dataclass(frozen=True, eq=False)
class CarryMotions:
    """The carrying motions in a clip: pick-ups, put-downs reversed in time, and walks with a box."""

    pick_ups: tuple[PickUpMotion, ...] = ()
    walks: tuple[Clip, ...] = ()


def find_carry_motions(captured: CapturedClip) -> CarryMotions:
    """Return the carrying motions in a clip: the labeled ones, or without labels those around the deepest bend.

    A clip without labels or bend counts as a walk with a box as a whole.
    """
    if "carry" not in captured.labeled_actions:
        lift = find_pick_up(captured.clip)
        if lift is None:
            return CarryMotions(walks=(captured.clip,))
        return CarryMotions((lift,) if lift.lowest_frame > pick_up_motion.TUNING.standing_margin else ())
    ranges = action_ranges(captured.labels, "carry")
    lifts, walks = list[PickUpMotion](), list[Clip]()
    for number, (start, stop) in enumerate(ranges):
        earliest = ranges[number - 1][1] if number else 0
        latest = ranges[number + 1][0] if number + 1 < len(ranges) else len(captured.clip)
        found = _LabeledCarry(captured, start, stop)
        taken, put = found.lowest_frame(earliest, puts_down=False), found.lowest_frame(latest, puts_down=True)
        lift, drop = found.pick_up(taken, earliest, put), found.put_down(put, latest, taken)
        lifts += [
            one for one in (lift, drop) if one is not None and one.lowest_frame > pick_up_motion.TUNING.standing_margin
        ]
        first = start if lift is None or taken is None else taken + pick_up_motion.TUNING.margin
        last = stop if drop is None or put is None else put - pick_up_motion.TUNING.margin
        if last - first >= TUNING.min_carried:
            walks.append(captured.clip.cut(first, last))
    return CarryMotions(tuple(lifts), tuple(walks))


class _LabeledCarry:
    """A labeled range of carrying, from ``start`` up to, not including, ``stop``."""

    def __init__(self, captured: CapturedClip, start: int, stop: int) -> None:
        self.clip, self.labels, self.start, self.stop = captured.clip, captured.labels, start, stop
        self.goals = captured.goals
        self.heights: Array = wrist_positions(captured.clip).mean(axis=1)[:, 2]

    def lowest_frame(self, limit: int, puts_down: bool) -> int | None:
        """Return the frame at which the hands are lowest, near the start or end of the range.

        Args:
            limit: end of the previous carrying for picking up, start of the next one for putting down.
            puts_down: whether the edge is the end of the range.

        Returns:
            The frame, or ``None`` if the clip begins or ends while the object is carried.
        """
        edge, middle = (self.stop if puts_down else self.start), (self.start + self.stop) // 2
        first, last = max(edge - TUNING.search, 0), min(edge + TUNING.search, len(self.clip))
        first, last = (max(first, middle), min(last, limit)) if puts_down else (max(first, limit), min(last, middle))
        outside = len(self.clip) - self.stop if puts_down else self.start
        if outside == 0 or last <= first:
            return None
        low = first + int(np.argmin(self.heights[first:last]))
        return low if pick_up_motion.TUNING.margin < low < len(self.clip) - pick_up_motion.TUNING.margin else None

    def pick_up(self, low: int | None, earliest: int, following_low: int | None) -> PickUpMotion | None:
        """Return the motion of picking up at the start of the range; ``None`` if the character does not bend.

        Args:
            low: frame of the lowest hands.
            earliest: frame from which the hands are free.
            following_low: frame of the lowest hands when the object is put down.
        """
        if low is None or low - pick_up_motion.TUNING.margin <= earliest:
            return None
        before = float(np.median(self.heights[earliest : low - pick_up_motion.TUNING.margin]))
        after = self._holding_height(low, following_low)
        return self._bend(low, before, after, puts_down=False)

    def put_down(self, low: int | None, latest: int, previous_low: int | None) -> PickUpMotion | None:
        """Return the motion of putting down at the end of the range, reversed in time, see :meth:`pick_up`."""
        if low is None or low + pick_up_motion.TUNING.margin >= latest:
            return None
        after = float(np.median(self.heights[low + pick_up_motion.TUNING.margin : latest]))
        before = self._holding_height(previous_low, low)
        return self._bend(low, before, after, puts_down=True)

    def _holding_height(self, taken: int | None, put: int | None) -> float:
        """Return the usual height of the hands while they hold the object, m."""
        first = self.start if taken is None else taken + pick_up_motion.TUNING.margin
        last = self.stop if put is None else put - pick_up_motion.TUNING.margin
        return float(np.median(self.heights[first:last] if last > first else self.heights[self.start : self.stop]))

    def _bend(self, low: int, before: float, after: float, puts_down: bool) -> PickUpMotion | None:
        """Return the bend around a frame, with its labels."""
        edge = self.stop - 1 if puts_down else self.start
        grasp, phase = self._grasp(low, puts_down), _phase_about(self.labels, low, edge)
        marks = PickUpMarks(grasp, edge, phase, *self._goal(low, puts_down))
        captured = ContactClip(self.clip, self.labels.foot_contacts.held)
        return pick_up_at(captured, low, before, after, puts_down, marks)

    def _goal(self, low: int, puts_down: bool) -> tuple[tuple[float, float], GoalTimes]:
        """Return the goal that the user has set: its displacement, right and ahead, m, and its times.

        The goal of carrying is the place from which an object is taken.
        """
        if self.goals is None:
            return (0.0, 0.0), NO_TIMES
        times = self.goals.times("carry", (self.start + self.stop) // 2)
        if puts_down:
            return (0.0, 0.0), GoalTimes(tail=times.tail)
        right, ahead, _ = map(float, self.goals.displacement("carry", low))
        return (right, ahead), GoalTimes(lead=times.lead)

    def _grasp(self, low: int, puts_down: bool) -> int | None:
        """Return the labeled first (or last) frame with both hands on the object; ``None`` without such a label."""
        if not set(HAND_CONTACTS) <= set(self.labels.contact_joints):
            return None
        first = max(low - TUNING.search, 0)
        weaker = self.labels.contacts_of(HAND_CONTACTS).min(axis=1)[first : low + TUNING.search]
        near = first + np.flatnonzero(weaker > CONTACT_THRESHOLD)
        if len(near) == 0:
            return None
        frame = int(near[-1] if puts_down else near[0])
        return frame if self.heights[frame] - self.heights[low] < TUNING.grasp_height_tolerance else None


def _phase_about(labels: Labels, low: int, edge: int) -> tuple[int, int] | None:
    """Return the first and last frame of a bend's labeled action phase; ``None`` if there is none."""
    for first, stop in runs_of(labels.action_phase > 0):
        begins, ends = int(first) - TUNING.phase_tolerance, int(stop) + TUNING.phase_tolerance
        if begins <= low < ends and begins <= edge < ends:
            return max(int(first) - 1, 0), int(stop) - 1
    return None
