"""Captured motions of sitting, found by a clip's labels or in its motion."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO
from ...core.labelling import Labels
from ...core.labelling.shown_interactions import action_ranges
from ...core.motion import Clip
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array, rotation_about_up, wrap_angle
from ...core.motion.signals import runs_of
from ...core.scene.affordances import Seat
from ...core.scene.collider import Collider
from ...core.scene.seat_detection import find_seat
from ...core.tuning import Tuning, tuned
from . import clip_transitions
from .captured_clip import CapturedClip, CapturedObject
from .captured_goals import NO_TIMES, GoalTimes


@dataclass(frozen=True, slots=True)
class SitMotionTuning(Tuning):
    sink_start_depth: float = tuned(0.08, "m", 0.01, 0.3)
    """Depth of the hips below their standing height at which sitting down begins and standing up ends."""
    settled_speed: float = tuned(0.12, "m/s", 0.01, 1.0)
    """Root speed below which a seated character rests."""
    margin: int = tuned(200, "frames", 1, 1000)
    """Largest number of frames kept before the hips sink and after they have risen."""
    min_seated: int = tuned(45, "frames", 1, 600)
    """Shortest usable sitting."""
    approach_window: tuple[int, int] = tuned((165, 75), "frames", 0, 1000)
    """Earliest and latest transition from a walk to sitting down, in frames before the hips sink."""
    leaving_window: tuple[int, int] = tuned((25, 100), "frames", 0, 1000)
    """Earliest and latest transition from standing up to a walk, in frames after the hips have risen."""
    contact_margin: int = tuned(10, "frames", 0, 120)
    """Frames before and after the rest in which unlabeled hips also touch the seat."""
    action_blend: int = tuned(30, "frames", 1, 240)
    """Frames over which one action blends into another."""
    max_transition_gap: int = tuned(30, "frames", 0, 240)
    """Largest gap, in frames, between a labeled action and sitting down before it, or standing up after it."""


TUNING: Final = SitMotionTuning()


@dataclass(frozen=True, eq=False)
class SeatPlacement:
    """The seat of a captured motion relative to the resting hips.

    Attributes:
        offset: (2) offset from the hips to the seat, right and ahead, m.
        yaw: yaw of the seat relative to the facing of the hips, rad.
        hip_height: height of the hips over the seat, m.
        collider: collider of the object that the user added; ``None`` if there is none.
        seat: seat of the object; ``None`` if there is no object.
        name: name of the object for the user.
    """

    offset: Array
    yaw: float
    hip_height: float
    collider: Collider | None = None
    seat: Seat | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class SitMotion:
    """A captured motion of sitting.

    Attributes:
        clip: the motion; the hips rest over the origin, facing +Y.
        sink_start, rest_start: frames at which the hips begin to sink, and rest.
        rest_end, rise_end: frames at which the rest ends, and the hips have risen; ``rise_end`` is the clip's length if
            it ends seated.
        standing_height, seated_height: heights of the hips, m.
        contact_frames: first frame of the hips' contact with the seat, and the frame after its last.
        phase_frames: first and last frame of the phase of sitting down, and of that of standing up.
        placement: the seat under the hips.
        foot_contacts: (F, 4) labeled contacts; ``None`` if they have to be detected.
        goal_times: times of the goal set by the user.
    """

    clip: Clip
    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    standing_height: float
    seated_height: float
    contact_frames: tuple[int, int]
    phase_frames: tuple[int, int, int, int]
    placement: SeatPlacement
    foot_contacts: NDArray[np.bool_] | None = field(default=None)
    goal_times: GoalTimes = NO_TIMES

    @property
    def shows_arrival(self) -> bool:
        """True if the motion includes the walk up to the seat and sitting down."""
        return self.sink_start > TUNING.approach_window[1] + clip_transitions.TUNING.half_fade

    @property
    def shows_departure(self) -> bool:
        """True if the motion includes standing up and leaving."""
        return self.rise_end + TUNING.leaving_window[0] + clip_transitions.TUNING.half_fade < len(self.clip)


@dataclass(frozen=True, slots=True)
class _SitRange:
    """Frames of a clip: start of sinking, start and end of the rest, end of rising; seat contact; phases."""

    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    contact: tuple[int, int]
    phase: tuple[int, int, int, int]

    @staticmethod
    def detected(start: int, settled: int, rises: int, stop: int) -> "_SitRange":
        """Return the range of detected frames."""
        contact = max(settled - TUNING.contact_margin, 0), rises + TUNING.contact_margin
        return _SitRange(
            start, settled, rises, stop, contact, (max(start - TUNING.action_blend, 0), settled, rises, stop)
        )


def find_sit_motions(captured: CapturedClip) -> list[SitMotion]:
    """Return the motions of sitting in a clip: the labeled ones, or without labels those in which low hips rest."""
    clip = captured.clip
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2]
    standing = float(np.quantile(heights, 0.9))
    labeled = "sit" in captured.labeled_actions
    ranges = (
        _labeled_ranges(captured) if labeled else _detected_ranges(clip, heights < standing - TUNING.sink_start_depth)
    )
    return [_cut_motion(captured, one, standing, labeled) for one in ranges]


def _detected_ranges(clip: Clip, low: NDArray[np.bool_]) -> list[_SitRange]:
    """Return the ranges in which the hips rest while they are low, given a mask (F) of low hips."""
    speed = _root_speed(clip)
    found = []
    for start, stop in runs_of(low):
        rest = _still_range(speed, int(start), int(stop))
        if rest is not None:
            found.append(_SitRange.detected(int(start), *rest, int(stop)))
    return found


def _labeled_ranges(captured: CapturedClip) -> list[_SitRange]:
    """Return the labeled ranges of sitting, except those too short for a rest.

    They include labeled transitions: sitting down may begin before the range of the action, and standing up may end
    after it. The rest lies between both; at an unlabeled transition it is bounded by the motion of the hips.
    """
    labels, speed = captured.labels, _root_speed(captured.clip)
    found = []
    for start, stop in action_ranges(labels, "sit"):
        down, up = _transitions(labels, start, stop)
        still = _still_range(speed, start, stop) or (start, stop - 1)
        settled, rises = down[1] if down else still[0], up[0] if up else still[1]
        if rises - settled < TUNING.min_seated:
            settled, rises = still
        if rises - settled < TUNING.min_seated:
            continue
        sinks, risen = min(start, down[0]) if down else start, max(stop, up[1] + 1) if up else stop
        detected = _SitRange.detected(sinks, settled, rises, risen)
        phase = (*(down or detected.phase[:2]), *(up or detected.phase[2:]))
        contact = _labeled_contact(labels, sinks, risen) or detected.contact
        found.append(_SitRange(sinks, settled, rises, risen, contact, phase))
    return found


def _transitions(labels: Labels, start: int, stop: int) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return the first and last frame of sitting down and of standing up, from the labels' action phase."""
    middle, gap = (start + stop) // 2, TUNING.max_transition_gap
    runs = [(max(int(first) - 1, 0), int(last) - 1) for first, last in runs_of(labels.action_phase > 0)]
    down = [one for one in runs if one[0] < middle and start - gap <= one[1] < stop]
    up = [one for one in runs if one[1] > middle and start < one[0] <= stop + gap and one not in down[:1]]
    return down[0] if down else None, up[-1] if up else None


def _labeled_contact(labels: Labels, start: int, stop: int) -> tuple[int, int] | None:
    """Return the labeled contact of the hips within a range; ``None`` if there is none."""
    if "hips" not in labels.contact_joints:
        return None
    touching = np.flatnonzero(labels.contacts_of(["hips"])[start:stop, 0] > CONTACT_THRESHOLD)
    return (start + int(touching[0]), start + int(touching[-1]) + 1) if len(touching) else None


def _root_speed(clip: Clip) -> Array:
    """Return the smoothed speed (F) of the root, m/s."""
    return gaussian_filter1d(np.linalg.norm(np.gradient(root_track(clip).positions, axis=0), axis=1) * clip.rate, 6)


def _still_range(speed: Array, start: int, stop: int) -> tuple[int, int] | None:
    """Return the first and last frame in a range at which the root (F) is still; ``None`` if they are too close."""
    still = np.flatnonzero(speed[start:stop] < TUNING.settled_speed)
    if len(still) == 0 or still[-1] - still[0] < TUNING.min_seated:
        return None
    return start + int(still[0]), start + int(still[-1])


def _cut_motion(captured: CapturedClip, found: _SitRange, standing: float, labeled: bool) -> SitMotion:
    """Return the motion of a sitting range, moved so that the hips rest over the origin and face +Y."""
    clip, rest = captured.clip, slice(found.rest_start, found.rest_end)
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2]
    track = root_track(clip)
    yaw = float(np.median(track.yaws[rest]))
    turned = clip.transformed(rotation_about_up(np.array(-yaw)), np.zeros(3))
    there = np.median(turned.positions[rest, clip.skeleton.joint("hips"), :2], axis=0)
    moved = turned.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(-there, 0.0))
    first = max(found.sink_start - TUNING.margin, 0)
    last = min(found.rise_end + TUNING.margin, len(clip))
    frames = [frame - first for frame in (found.sink_start, found.rest_start, found.rest_end, found.rise_end)]
    contact, phase = ([max(frame - first, 0) for frame in part] for part in (found.contact, found.phase))
    return SitMotion(
        moved.cut(first, last),
        *frames,
        standing_height=standing,
        seated_height=float(np.median(heights[rest])),
        contact_frames=(contact[0], contact[1]),
        phase_frames=(phase[0], phase[1], phase[2], phase[3]),
        placement=_find_placement(captured, rest),
        foot_contacts=captured.labels.foot_contacts.held[first:last] if labeled else None,
        goal_times=NO_TIMES if captured.goals is None else captured.goals.times("sit", _middle(rest)),
    )


def _middle(frames: slice) -> int:
    """Return the middle frame of a slice."""
    return (frames.start + frames.stop) // 2


def _find_placement(captured: CapturedClip, rest: slice) -> SeatPlacement:
    """Return the seat under the hips: on the user's object, else at the user's goal, else where the hips are."""
    usual = SEATED_HIP_HEIGHT_RATIO * captured.clip.skeleton.leg_length
    for one in captured.objects_of("sit"):
        seat = find_seat(one.collider)
        if seat is not None:
            return _placement_on(one, seat, rest)
    if captured.goals is None:
        return SeatPlacement(np.zeros(2), 0.0, usual)
    moved = captured.goals.displacement("sit", _middle(rest))
    return SeatPlacement(moved[:2], float(moved[2]), usual)


def _placement_on(one: CapturedObject, seat: Seat, rest: slice) -> SeatPlacement:
    """Return the placement of an object's seat under the hips, see :class:`SeatPlacement`."""
    turn, place = float(np.median(wrap_angle(one.yaws[rest]))), np.median(one.offsets[rest], axis=0)
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y, z = seat.position
    offset = place[:2] + np.array([cosine * x - sine * y, sine * x + cosine * y])
    facing = turn + float(np.arctan2(-seat.direction[0], seat.direction[1]))
    return SeatPlacement(offset, float(wrap_angle(facing)), -float(place[2] + z), one.collider, seat, one.name)
