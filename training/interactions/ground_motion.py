"""Captured motion down to the ground and up again, cut into pieces from one rest to the next.

Rests are standing, crouching, sitting on the ground and lying. A clip may show only part of the motion: if it ends in a
crouch, another clip continues.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, gaussian_filter1d

from ...core.control.refine.ground_hands import raise_hands
from ...core.control.refine.kneeling import raise_kneeling
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import Labels, label_clip
from ...core.labelling.presets import find_preset
from ...core.labelling.shown_interactions import action_ranges
from ...core.motion import Clip
from ...core.motion.blending import smooth_step
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.proportions import scale_between
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ...core.scene.body_capsules import BodyCapsules
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...core.tuning import Tuning, tuned
from ..data.clip_cache import labels_beside
from ..data.network_skeleton import NetworkSkeleton
from . import ground_rests
from .captured_goals import NO_TIMES, CapturedGoals, GoalTimes
from .clip_stitching import ContactClip
from .ground_rests import LYING, SITTING, GroundPosture, Level, Rest, find_rests, frames_of, with_cut_rests

CONTACT_PRESET: Final = "interaction"
"""Labelling preset with sensors for hips and hands on the ground."""
TOUCHING: Final = ("hips", "hand.L", "hand.R")
"""Joints whose ground contacts are stored in a piece."""


@dataclass(frozen=True, slots=True)
class GroundMotionTuning(Tuning):
    rest_margin: int = tuned(8, "frames", 0, 120)
    """Frames of rest that a piece keeps before and after its movement; rests on the ground are kept whole."""
    sink_range_ratio: tuple[float, float] = tuned((1.0, 2.0), "1", 0.1, 5.0)
    """Heights of the hips, relative to their height on the ground, at which a body counts as fully down, and as not
    down at all."""
    foot_release: int = tuned(18, "frames", 0, 120)
    """Frames before and after hips or hands touch the ground in which feet are not locked, since they turn on all
    fours."""
    touch_blend: float = tuned(4.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the contacts of hands with the ground."""


TUNING: Final = GroundMotionTuning()

LEGS: Final = ("thigh", "shin", "foot")
"""Parts of the legs that are lowered to the ground."""


@dataclass(frozen=True, slots=True)
class GroundMarks:
    """Times in the labels of a ground piece, in its frames, and the goal that the user has set.

    Attributes:
        action: half-open range of the action.
        phase: frames at which the acyclic phase is 0 and 1.
        goal: displacement of the goal by the user: right and ahead, m, and its turn, rad.
        goal_times: times of the goal set by the user.
    """

    action: tuple[int, int]
    phase: tuple[int, int]
    goal: tuple[float, float, float] = (0.0, 0.0, 0.0)
    goal_times: GoalTimes = NO_TIMES

    def cut(self, start: int, stop: int) -> "GroundMarks":
        """Return the label times for a cut piece, of the frames from ``start`` up to, not including, ``stop``."""
        first, last = ([min(max(frame, start), stop) - start for frame in part] for part in (self.action, self.phase))
        return replace(self, action=(first[0], first[1]), phase=(last[0], last[1]))

    def shifted(self, frames: int) -> "GroundMarks":
        """Return the label times after ``frames`` frames were added to the rest at the piece's start."""
        action, phase = ((first and first + frames, stop + frames) for first, stop in (self.action, self.phase))
        return replace(self, action=action, phase=phase)

    def stretched(self, frames: int) -> "GroundMarks":
        """Return the label times after ``frames`` frames were added to the rest at the piece's end."""
        return replace(self, action=(self.action[0], self.action[1] + frames))

    def mirrored(self) -> "GroundMarks":
        """Return the label times and the goal as in the mirror image of the piece."""
        right, ahead, turn = self.goal
        return replace(self, goal=(-right, ahead, -turn))


@dataclass(frozen=True, eq=False)
class GroundPiece:
    """A captured motion from one rest to the next.

    Attributes:
        start, end: level of the body at the start and at the end of the piece.
        motion: the motion of F frames.
        touches: (F, 3) whether hips, left and right hand touch the ground.
        rest_frames: duration of the rest on the ground at the start or end, frames; 0 without such a rest.
        marks: label times; those of an action that fills the whole piece if there are no labels.
        posture: the posture on the ground that the clip shows.
    """

    start: Level
    end: Level
    motion: ContactClip
    touches: NDArray[np.bool_]
    rest_frames: int
    marks: GroundMarks
    posture: GroundPosture = LYING

    def __len__(self) -> int:
        return len(self.motion)

    def with_rest(self, count: int) -> "GroundPiece":
        """Return the piece with its rest on the ground cut to at most `count` frames."""
        cut = max(self.rest_frames - count, 0)
        start, stop = (cut, len(self)) if self.start == self.posture.level else (0, len(self) - cut)
        return replace(
            self,
            motion=self.motion.cut(start, stop),
            touches=self.touches[start:stop],
            rest_frames=self.rest_frames - cut,
            marks=self.marks.cut(start, stop),
        )

    def resting_for(self, count: int) -> "GroundPiece":
        """Return the piece with a rest on the ground of `count` frames; a shorter rest is extended by a hold.

        Captured people sit on the ground for a second or less before they lie down or get up. To extend the rest, time
        slows down after its third next to the movement, and stops before the third farthest from it.
        """
        rest = self.rest_frames
        if rest < ground_rests.TUNING.min_rest or count <= rest:
            return self.with_rest(count)
        third = rest // 3
        held = third * (2.0 - np.exp(-np.arange(1, count - third) / third))
        own = np.concatenate([np.arange(third + 1, dtype=float), held])
        moving = len(self) - rest
        if self.start == self.posture.level:
            times = np.concatenate([(rest - 1) - own[::-1], rest + np.arange(moving)])
        else:
            times = np.concatenate([np.arange(moving), moving + own])
        times = np.clip(times, 0.0, len(self) - 1.0)
        nearest, added = np.rint(times).astype(int), len(times) - len(self)
        return replace(
            self,
            motion=ContactClip(self.motion.clip.at(times), self.motion.contacts[nearest]),
            touches=self.touches[nearest],
            rest_frames=rest + added,
            marks=self.marks.shifted(added) if self.start == self.posture.level else self.marks.stretched(added),
        )

    def mirrored(self) -> "GroundPiece":
        """Return the mirror image of the piece, left and right exchanged."""
        touches, marks = self.touches[:, [0, 2, 1]], self.marks.mirrored()
        return replace(self, motion=self.motion.mirrored(), touches=touches, marks=marks)


def load_ground_pieces(
    paths: Sequence[Path], network_skeleton: NetworkSkeleton, posture: GroundPosture = LYING
) -> dict[Path, tuple[GroundPiece, ...]]:
    """Return the ground pieces of clips, by path of the clip, on a network skeleton at 60 Hz.

    A clip of crouching and lying may not show standing: its standing pose is taken from all clips of the same skeleton.

    Raises:
        FootfallError: a clip or a file beside it cannot be used.
    """
    originals = {path: read_clip(path) for path in paths}
    sources = {path: clip.resampled(FEATURE_RATE_HZ) for path, clip in originals.items()}
    result = {}
    for path, source in sources.items():
        actor = [standing_scatter(one) for one in sources.values() if one.skeleton.matches(source.skeleton)]
        own = labels_beside(path, originals[path], source)
        labels = own or label_clip(source, find_preset(CONTACT_PRESET))
        calibration = replace(
            calibrate(
                source.skeleton,
                network_skeleton.skeleton,
                source_stance=standing_pose(actor),
                target_stance=network_skeleton.standing,
                controller="TARGET",
            ),
            hinges=network_skeleton.hinges,
        )
        clip = fit_clip(source, calibration, labels=labels)
        scale = scale_between(source.skeleton, clip.skeleton)
        goals = None if own is None else CapturedGoals.of(source, own, scale)
        said = _GroundLabels(posture, action_ranges(own, posture.action) if own else [], labels.action_phase, goals)
        result[path] = tuple(_find_pieces(clip, labels, said))
    return result


@dataclass(frozen=True, eq=False)
class _GroundLabels:
    """Labels of a posture on the ground beside a clip of F frames.

    Attributes:
        ranges: half-open ranges of its action; without any, the whole clip counts.
        action_phase: (F).
    """

    posture: GroundPosture
    ranges: Sequence[tuple[int, int]]
    action_phase: Array
    goals: CapturedGoals | None

    def marks(self, frames: range, before: Rest, after: Rest) -> GroundMarks | None:
        """Return the label times of a piece; ``None`` if its labels do not contain the posture's action."""
        count = len(frames)
        phase = (
            before.stop - before.start if before.level == self.posture.level else 0,
            count - (after.stop - after.start if after.level == self.posture.level else 0),
        )
        if not self.ranges:
            return GroundMarks((0, count), phase)
        moving = range(before.stop, max(after.start, before.stop + 1))
        named = _most_within(self.ranges, moving)
        if named is None:
            return None
        transition = _most_within([(int(a) - 1, int(b)) for a, b in runs_of(self.action_phase > 0)], moving)
        first, stop = (frames.start + part for part in phase) if transition is None else transition
        begins = named[0] if before.level == "stand" else frames.start
        ends = named[1] if after.level == "stand" else frames.stop
        marks = GroundMarks((begins, ends), (first, stop)).cut(frames.start, frames.stop)
        return marks if self.goals is None else replace(marks, **self._goal(self.goals, moving, before, after))

    def _goal(self, goals: CapturedGoals, moving: range, before: Rest, after: Rest) -> dict[str, Any]:
        """Return the place and times of the goal, as keyword arguments for marks, see :meth:`marks`."""
        times = goals.times(self.posture.action, (moving.start + moving.stop) // 2)
        lead = times.lead if before.level == "stand" else None
        right, ahead, turn = map(float, goals.displacement(self.posture.action, (after.start + after.stop) // 2))
        return {
            "goal": (right, ahead, turn),
            "goal_times": GoalTimes(lead, times.tail if after.level == "stand" else None),
        }


def _most_within(ranges: Sequence[tuple[int, int]], frames: range) -> tuple[int, int] | None:
    """Return the half-open range that contains most of the frames; ``None`` if no range contains any."""
    shares = [min(stop, frames.stop) - max(start, frames.start) for start, stop in ranges]
    return ranges[int(np.argmax(shares))] if shares and max(shares) > 0 else None


def _find_pieces(clip: Clip, labels: Labels, said: _GroundLabels) -> list[GroundPiece]:
    """Return the motions of a clip between its rests at different levels."""
    posture = said.posture
    rests = with_cut_rests(find_rests(clip, posture), clip, labels.foot_contacts.held)
    touches = labels.contacts_of(TOUCHING) > CONTACT_THRESHOLD
    clip = _settle_on_ground(clip, rests, touches, posture)
    if posture == SITTING:
        clip = raise_kneeling(clip, np.ones(len(clip)))
    low = np.asarray(binary_dilation(touches.any(axis=1), iterations=TUNING.foot_release), dtype=bool)
    held = labels.foot_contacts.held
    feet = held & ~low[:, None]
    for one in rests:
        if one.level == "sit":
            # A seated body bears on its hips and does not roll over its toes: feet stand throughout, or never.
            touches[one.start : one.stop, 0] = True
            feet[one.start : one.stop] = held[one.start : one.stop].mean(axis=0) > 0.5
    pieces = []
    for before, after in pairwise(rests):
        if before.level == after.level:
            continue
        start = before.start if before.level == posture.level else max(before.stop - TUNING.rest_margin, before.start)
        stop = after.stop if after.level == posture.level else min(after.start + TUNING.rest_margin, after.stop)
        marks = said.marks(range(start, stop), before, after)
        if marks is None:
            continue
        motion = ContactClip(clip, feet).cut(start, stop)
        resting = sum(one.stop - one.start for one in (before, after) if one.level == posture.level)
        pieces.append(GroundPiece(before.level, after.level, motion, touches[start:stop], resting, marks, posture))
    return pieces


def _settle_on_ground(clip: Clip, rests: Sequence[Rest], touches: NDArray[np.bool_], posture: GroundPosture) -> Clip:
    """Return a clip with trunk and legs lowered to the ground where it lies or sits, by full-body IK.

    Only the feet of a captured body are put on the ground; lying on its toes, a body of other proportions would float.

    Args:
        clip: F frames.
        rests: the clip's rests.
        touches: (F, 3) contacts with the ground, of :data:`TOUCHING`; hands in contact stay where they are.
        posture: the posture on the ground.
    """
    low = frames_of(rests, posture.level)
    if not len(low):
        return clip
    trunk, legs = (_ground_gap(clip, low, part) for part in (posture.trunk, LEGS))
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    high = hips[:, 2] / float(np.median(hips[low, 2]))
    sunk = 1.0 - smooth_step(
        (high - TUNING.sink_range_ratio[0]) / (TUNING.sink_range_ratio[1] - TUNING.sink_range_ratio[0])
    )
    down = np.array([0.0, 0.0, -1.0]) * sunk[:, None]
    weights = gaussian_filter1d(touches.astype(float), TUNING.touch_blend, axis=0)
    hands = [
        EffectorGoal(role, clip.positions[:, clip.skeleton.joint(role)], weights[:, number])
        for number, role in enumerate(TOUCHING)
        if number
    ]
    lowered = replace(clip, root_positions=clip.root_positions + legs * down)
    return raise_hands(
        solve_full_body_ik(lowered, [EffectorGoal("hips", hips + trunk * down, np.ones(len(clip))), *hands])
    )


def _ground_gap(clip: Clip, frames: NDArray[np.intp], roles: Sequence[str]) -> float:
    """Return the median height, m, above the ground of the lowest points of given body parts in given frames."""
    body, chosen = BodyCapsules.from_skeleton(clip.skeleton), clip.cut(int(frames[0]), int(frames[-1]) + 1)
    spheres = body.sphere_indices(roles)
    bottoms = body.sphere_centres(chosen)[:, spheres, 2] - body.radii[spheres]
    return float(np.median(bottoms[frames - frames[0]].min(axis=1)))


def leads_down_and_up(pieces: Sequence[GroundPiece], posture: GroundPosture) -> bool:
    """Return whether pieces, one after the other, lead from standing to a posture on the ground and back up."""
    own = [one for one in pieces if one.posture == posture]
    return bool(find_ways(own, "stand", posture.level) and find_ways(own, posture.level, "stand"))


def find_ways(pieces: Sequence[GroundPiece], start: Level, end: Level) -> list[tuple[GroundPiece, ...]]:
    """Return the sequences of pieces that lead from one level to another, directly or through a crouch."""
    direct: list[tuple[GroundPiece, ...]] = [(one,) for one in pieces if (one.start, one.end) == (start, end)]
    first, second = (
        [one for one in pieces if (one.start, one.end) == level] for level in ((start, "crouch"), ("crouch", end))
    )
    return direct + [(one, other) for one in first for other in second]
