"""Captured lying down and getting up, as pieces of motion from one rest to the next: standing, crouching, lying.

One clip need not show all of it: where one ends in a crouch, another goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, gaussian_filter1d, maximum_filter1d

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import Labels, label_clip
from ...core.labelling.presets import find_preset
from ...core.labelling.shown_interactions import action_ranges
from ...core.motion import Clip
from ...core.motion.blending import smooth_step
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.proportions import scale_between
from ...core.motion.rotations import Array, multiply, rotate, rotation_between
from ...core.motion.signals import runs_of
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ...core.scene.body_capsules import BodyCapsules
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ..data.clip_cache import labels_beside
from ..data.network_skeleton import NetworkSkeleton
from .captured_goals import NO_TIMES, CapturedGoals, GoalTimes
from .clip_stitching import ContactClip

Level = Literal["stand", "crouch", "lie"]
"""Posture of a resting body."""

ACTION: Final = "lie"
"""Action of the labels, of the takes, and of the goal."""
CONTACT_PRESET: Final = "interaction"
"""Labelling preset whose sensors find hips and hands on the ground."""
TOUCHING: Final = ("hips", "hand.L", "hand.R")
"""Joints whose contacts with the ground a piece keeps."""
STANDING_HIPS_RATIO: Final = 0.95
"""Height of the hips, relative to the leg's length, from which a body stands."""
LYING_HEAD_RATIO: Final = 0.5
"""Height of the head, relative to the leg's length, below which a body lies."""
REST_SPEED_M_S: Final = 0.12
"""Speed of the hips below which a body rests."""
MIN_REST_FRAMES: Final = 20
"""Shortest rest."""
SPEED_SMOOTHING_FRAMES: Final = 6.0
"""Standard deviation of the Gaussian that smooths the speed."""
REST_MARGIN_FRAMES: Final = 8
"""Frames of a rest that a piece keeps before it moves and after it has; of lying it keeps all."""
TRUNK, LEGS = ("hips", "spine", "chest"), ("thigh", "shin", "foot")
"""Parts of the body that come down to the ground."""
SINK_RANGE_RATIO: Final = (1.0, 2.0)
"""Heights of the hips, relative to that in lying, at which a body is wholly on the ground, and not at all."""
HAND_HEIGHT_M: Final = 0.03
"""Height of wrist and fingertips of a hand that lies on the ground."""
FOOT_RELEASE_FRAMES: Final = 18
"""Frames before hips or hands touch the ground, and after, in which feet are not held: on all fours they turn."""
TOUCH_BLEND_FRAMES: Final = 4.0
"""Standard deviation of the Gaussian over which hands come to the ground and leave it."""


@dataclass(frozen=True, slots=True)
class LieMarks:
    """Frames of a piece by the labels of its clip.

    Attributes:
        action: half-open range of the action.
        phase: first frame of the acyclic phase, and the frame at which it ends.
        goal: displacement of the goal that the user set: to the right and ahead, m, and its turn, rad.
        goal_times: times of the goal that the user set.
    """

    action: tuple[int, int]
    phase: tuple[int, int]
    goal: tuple[float, float, float] = (0.0, 0.0, 0.0)
    goal_times: GoalTimes = NO_TIMES

    def cut(self, start: int, stop: int) -> "LieMarks":
        """Return the marks of the frames from ``start`` up to, not including, ``stop``."""
        first, last = ([min(max(frame, start), stop) - start for frame in part] for part in (self.action, self.phase))
        return replace(self, action=(first[0], first[1]), phase=(last[0], last[1]))

    def mirrored(self) -> "LieMarks":
        """Return the marks of the mirror image."""
        right, ahead, turn = self.goal
        return replace(self, goal=(-right, ahead, -turn))


@dataclass(frozen=True, eq=False)
class LiePiece:
    """A captured motion from one rest to the next.

    Attributes:
        start, end: posture of the body at its start and at its end.
        motion: F frames.
        touches: (F, 3), whether hips, left and right hand touch the ground.
        lying_frames: frames of lying at its start or at its end; 0 if it does neither.
        marks: frames of its labels; those of the whole piece where nothing is labeled.
    """

    start: Level
    end: Level
    motion: ContactClip
    touches: NDArray[np.bool_]
    lying_frames: int
    marks: LieMarks

    def __len__(self) -> int:
        return len(self.motion)

    def with_lying(self, count: int) -> "LiePiece":
        """Return the piece with at most some of its frames of lying."""
        cut = max(self.lying_frames - count, 0)
        start, stop = (cut, len(self)) if self.start == "lie" else (0, len(self) - cut)
        return replace(
            self,
            motion=self.motion.cut(start, stop),
            touches=self.touches[start:stop],
            lying_frames=self.lying_frames - cut,
            marks=self.marks.cut(start, stop),
        )

    def mirrored(self) -> "LiePiece":
        """Return the mirror image."""
        touches, marks = self.touches[:, [0, 2, 1]], self.marks.mirrored()
        return replace(self, motion=self.motion.mirrored(), touches=touches, marks=marks)


def load_lie_pieces(paths: Sequence[Path], network_skeleton: NetworkSkeleton) -> dict[Path, tuple[LiePiece, ...]]:
    """Load the pieces of clips, on a network skeleton at 60 Hz.

    In a clip of crouching and lying the actor may not stand: standing is found in all clips of the same skeleton.

    Raises:
        FootfallError: a clip, or what lies beside it, cannot be used.
    """
    originals = {path: read_clip(path) for path in paths}
    sources = {path: clip.resampled(FEATURE_RATE_HZ) for path, clip in originals.items()}
    result = {}
    for path, source in sources.items():
        actor = [standing_scatter(one) for one in sources.values() if one.skeleton.matches(source.skeleton)]
        own = labels_beside(path, originals[path], source)
        labels = own or label_clip(source, find_preset(CONTACT_PRESET))
        calibration = replace(
            calibrate(source.skeleton, network_skeleton.skeleton, source_stance=standing_pose(actor)),
            hinges=network_skeleton.hinges,
        )
        clip = fit_clip(source, calibration, labels=labels)
        scale = scale_between(source.skeleton, clip.skeleton)
        goals = None if own is None else CapturedGoals.of(source, own, scale)
        said = _LieLabels(action_ranges(own, ACTION) if own else [], labels.action_phase, goals)
        result[path] = tuple(_find_pieces(clip, labels, said))
    return result


@dataclass(frozen=True, slots=True)
class _Rest:
    """Frames of a clip, from ``start`` up to, not including, ``stop``, in which the body rests."""

    level: Level
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class _LieLabels:
    """Labels of lying beside a clip of F frames.

    Attributes:
        ranges: half-open ranges of the action; all of the clip is lying if there are none.
        action_phase: (F).
        goals: the goals.
    """

    ranges: Sequence[tuple[int, int]]
    action_phase: Array
    goals: CapturedGoals | None

    def marks(self, frames: range, before: _Rest, after: _Rest) -> LieMarks | None:
        """Return the marks of a piece; ``None`` if it is not labeled as lying.

        Args:
            frames: frames of the piece.
            before: the rest at its start.
            after: the rest at its end.
        """
        count = len(frames)
        phase = (
            before.stop - before.start if before.level == "lie" else 0,
            count - (after.stop - after.start if after.level == "lie" else 0),
        )
        if not self.ranges:
            return LieMarks((0, count), phase)
        moving = range(before.stop, max(after.start, before.stop + 1))
        named = _most_within(self.ranges, moving)
        if named is None:
            return None
        transition = _most_within([(int(a) - 1, int(b)) for a, b in runs_of(self.action_phase > 0)], moving)
        first, stop = (frames.start + part for part in phase) if transition is None else transition
        begins = named[0] if before.level == "stand" else frames.start
        ends = named[1] if after.level == "stand" else frames.stop
        marks = LieMarks((begins, ends), (first, stop)).cut(frames.start, frames.stop)
        return marks if self.goals is None else replace(marks, **self._goal(self.goals, moving, before, after))

    def _goal(self, goals: CapturedGoals, moving: range, before: _Rest, after: _Rest) -> dict[str, Any]:
        """Return the place and the times of the goal, as attributes of marks, see :meth:`marks`."""
        times = goals.times(ACTION, (moving.start + moving.stop) // 2)
        lead = times.lead if before.level == "stand" else None
        right, ahead, turn = map(float, goals.displacement(ACTION, (after.start + after.stop) // 2))
        return {
            "goal": (right, ahead, turn),
            "goal_times": GoalTimes(lead, times.tail if after.level == "stand" else None),
        }


def _most_within(ranges: Sequence[tuple[int, int]], frames: range) -> tuple[int, int] | None:
    """Return which of some half-open ranges has most of the frames; ``None`` if none has any."""
    shares = [min(stop, frames.stop) - max(start, frames.start) for start, stop in ranges]
    return ranges[int(np.argmax(shares))] if shares and max(shares) > 0 else None


def _find_pieces(clip: Clip, labels: Labels, said: _LieLabels) -> list[LiePiece]:
    """Return the motions of a clip between rests at different levels."""
    rests, touches = _find_rests(clip), labels.contacts_of(TOUCHING) > CONTACT_THRESHOLD
    clip = _settle_on_ground(clip, rests, touches)
    low = np.asarray(binary_dilation(touches.any(axis=1), iterations=FOOT_RELEASE_FRAMES), dtype=bool)
    feet = labels.foot_contacts.held & ~low[:, None]
    pieces = []
    for before, after in pairwise(rests):
        if before.level == after.level:
            continue
        start = before.start if before.level == "lie" else max(before.stop - REST_MARGIN_FRAMES, before.start)
        stop = after.stop if after.level == "lie" else min(after.start + REST_MARGIN_FRAMES, after.stop)
        marks = said.marks(range(start, stop), before, after)
        if marks is None:
            continue
        motion = ContactClip(clip, feet).cut(start, stop)
        lying = sum(one.stop - one.start for one in (before, after) if one.level == "lie")
        pieces.append(LiePiece(before.level, after.level, motion, touches[start:stop], lying, marks))
    return pieces


def _find_rests(clip: Clip) -> list[_Rest]:
    """Return where the hips of a clip rest, and at what level."""
    leg, positions = clip.skeleton.leg_length, clip.positions
    hips, heads = (positions[:, clip.skeleton.joint(role)] for role in ("hips", "head"))
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(hips, axis=0), axis=1) * clip.rate, SPEED_SMOOTHING_FRAMES)
    rests = []
    for start, stop in runs_of(speed < REST_SPEED_M_S):
        if stop - start < MIN_REST_FRAMES:
            continue
        low = float(np.median(heads[start:stop, 2])) < LYING_HEAD_RATIO * leg
        high = float(np.median(hips[start:stop, 2])) > STANDING_HIPS_RATIO * leg
        rests.append(_Rest("lie" if low else "stand" if high else "crouch", int(start), int(stop)))
    return rests


def _settle_on_ground(clip: Clip, rests: Sequence[_Rest], touches: NDArray[np.bool_]) -> Clip:
    """Return a clip whose trunk and legs come down to the ground where it lies, by full-body IK.

    The feet of a captured body are put on the ground; where it lies on its toes, a body of other proportions floats.

    Args:
        clip: F frames.
        rests: its rests.
        touches: (F, 3) contacts with the ground, of :data:`TOUCHING`; hands in contact stay where they are.
    """
    rows = [np.arange(one.start, one.stop) for one in rests if one.level == "lie"]
    if not rows:
        return clip
    lying = np.concatenate(rows)
    trunk, legs = (_ground_gap(clip, lying, part) for part in (TRUNK, LEGS))
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    high = hips[:, 2] / float(np.median(hips[lying, 2]))
    sunk = 1.0 - smooth_step((high - SINK_RANGE_RATIO[0]) / (SINK_RANGE_RATIO[1] - SINK_RANGE_RATIO[0]))
    down = np.array([0.0, 0.0, -1.0]) * sunk[:, None]
    weights = gaussian_filter1d(touches.astype(float), TOUCH_BLEND_FRAMES, axis=0)
    hands = [
        EffectorGoal(role, clip.positions[:, clip.skeleton.joint(role)], weights[:, number])
        for number, role in enumerate(TOUCHING)
        if number
    ]
    lowered = replace(clip, root_positions=clip.root_positions + legs * down)
    return raise_hands(
        solve_full_body_ik(lowered, [EffectorGoal("hips", hips + trunk * down, np.ones(len(clip))), *hands])
    )


def raise_hands(clip: Clip) -> Clip:
    """Return a clip with no wrist or finger below the height of a hand that lies on the ground."""
    goals = []
    for role in TOUCHING[1:]:
        joint = clip.skeleton.joint(role)
        wrist, own = clip.positions[:, joint].copy(), clip.world[1][:, joint]
        wrist[:, 2] += _smooth_lift(HAND_HEIGHT_M - wrist[:, 2])
        hand = rotate(own, np.tile(clip.skeleton.bone_vectors[joint], (len(clip), 1)))
        raised = hand + np.array([0.0, 0.0, 1.0]) * _smooth_lift(HAND_HEIGHT_M - wrist[:, 2] - hand[:, 2])[:, None]
        goals.append(EffectorGoal(role, wrist, np.ones(len(clip)), multiply(rotation_between(hand, raised), own)))
    return solve_full_body_ik(clip, goals)


def _smooth_lift(missing: Array) -> Array:
    """Return a smooth lift (F), m, that is at least what is missing (F) to the ground, and 0 away from there."""
    held = maximum_filter1d(np.maximum(missing, 0.0), 4 * round(2 * TOUCH_BLEND_FRAMES) + 1)
    return gaussian_filter1d(held, TOUCH_BLEND_FRAMES)


def _ground_gap(clip: Clip, frames: NDArray[np.intp], roles: Sequence[str]) -> float:
    """Return the usual height, m, over the ground of the lowest points of some parts of the body in some frames."""
    body, chosen = BodyCapsules.from_skeleton(clip.skeleton), clip.cut(int(frames[0]), int(frames[-1]) + 1)
    spheres = body.sphere_indices(roles)
    bottoms = body.sphere_centres(chosen)[:, spheres, 2] - body.radii[spheres]
    return float(np.median(bottoms[frames - frames[0]].min(axis=1)))


def find_ways(pieces: Sequence[LiePiece], start: Level, end: Level) -> list[tuple[LiePiece, ...]]:
    """Return the sequences of pieces from one level to another: direct ones, and those with a crouch between."""
    direct: list[tuple[LiePiece, ...]] = [(one,) for one in pieces if (one.start, one.end) == (start, end)]
    first, second = (
        [one for one in pieces if (one.start, one.end) == level] for level in ((start, "crouch"), ("crouch", end))
    )
    return direct + [(one, other) for one in first for other in second]
