"""Where a motion is worst: measure by measure how much, at which frame, at which joint, and whether that is a fault.

The measures are those of the report, at every frame instead of over all of them. What a fault is follows from real
motion: walks of people, measured by the same code (see :data:`MEASURE_LIMITS`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import scipy

from ..labelling import label_contacts
from ..labelling.contacts.sensor_tracks import sensor_tracks
from ..labelling.presets import BIPED_PRESET
from ..motion import Clip
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.roles import FOOT_CONTACTS
from ..motion.rotations import Array
from ..terrain.ground import Scene
from . import feet, motion_detail, path_error
from .bending import flexion_angles, hinge_axes
from .footing import RAY_START_ABOVE_M, sole_heights
from .report import SETTLING_S
from .riding import steps_relative_to_ground, undo_ground_motion

Verdict = Literal["GOOD", "DOUBTFUL", "BAD"]

SLIDE_WINDOW_S: Final = 0.1
"""Seconds over which the worst sliding is averaged: a single frame at a contact's edge is none to be seen."""


@dataclass(frozen=True, slots=True)
class MeasureLimits:
    """What is usual and what is a fault, at a motion's worst frame.

    Attributes:
        unit: of all three.
        usual: what half of the real walks do not exceed.
        good: up to which there is nothing to mend.
        bad: beyond which there is.
    """

    unit: str
    typical: float
    good: float
    bad: float


MEASURE_LIMITS: Final = {
    "path": MeasureLimits("cm", 2.3, 9.0, 12.0),
    "slide": MeasureLimits("cm/s", 34.0, 63.0, 126.0),
    "depth": MeasureLimits("mm", 17.0, 17.0, 36.0),
    "float": MeasureLimits("mm", 29.0, 29.0, 76.0),
    "jolt": MeasureLimits("m/s^3", 12500.0, 38000.0, 46000.0),
    "knee": MeasureLimits("deg", 0.0, 0.0, 5.0),
}
"""By the 42 real walks at 1.0 to 1.4 m/s that the benchmarks' mocap rows are of: half of them, 19 in 20 and all of them
keep, at their worst, to 2.3, 3.9 and 9.1 cm off their own course; 34, 63 and 126 cm/s; 17, 36 and 77 mm; 29, 76 and 88
mm; 12500, 38000 and 46000 m/s^3; nobody's knee is ever nearer than 7 degrees to straight.

Sliding and jolts are good up to what 19 in 20 people keep to, and bad beyond what anybody shows. How far soles are in
the ground and above it is only as exact in mocap as the bodies that it is fitted to: half and 19 in 20 it is there. A
path that is drawn has sharper bends than a course: people's farthest is good, and beyond 12 cm, this project's aim for
corners, it is bad. Jolts are those of 60 frames a second.
"""


@dataclass(frozen=True, slots=True)
class MeasureQuality:
    """One measure of a motion.

    Attributes:
        measure: one of :data:`MEASURE_LIMITS`.
        mean, p95: over all frames and joints at which there is something to measure, in the measure's unit.
        worst: the worst of them; never below 0.
        frame: where that is, counted from the motion's first frame.
        joint: at which joint, by its role; heels are ``foot.L`` and ``foot.R``, balls of feet ``toe.L`` and ``toe.R``.
        verdict: whether the worst is a fault.
    """

    measure: str
    mean: float
    p95: float
    worst: float
    frame: int
    joint: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class MeasureTrace:
    """One measure at every frame.

    Attributes:
        measure: one of :data:`MEASURE_LIMITS`.
        joints: the roles (N) of the joints that it is taken at.
        values: (F, N) in the measure's unit, NaN where there is nothing to measure.
        peaks: (F, N) of which the largest is the worst; the values themselves where not given.
        limits: of this body.
    """

    measure: str
    joints: tuple[str, ...]
    values: Array
    limits: MeasureLimits
    peaks: Array | None = None

    def summarise(self, frame_count: int | None = None) -> MeasureQuality | None:
        """What there is to say of the first ``frame_count`` frames, of all where not given; ``None`` where nothing
        is.
        """
        values = self.values[:frame_count]
        known = values[~np.isnan(values)]
        if not known.size:
            return None
        peaks = (self.values if self.peaks is None else self.peaks)[:frame_count]
        frame, column = np.unravel_index(np.nanargmax(peaks), peaks.shape)
        worst = max(float(peaks[frame, column]), 0.0)
        mean, p95 = float(known.mean()), float(np.percentile(known, 95))
        return MeasureQuality(
            self.measure, mean, p95, worst, int(frame), self.joints[column], judge_worst(worst, self.limits)
        )


def judge_worst(worst: float, limits: MeasureLimits) -> Verdict:
    """Whether a measure's worst value is a fault."""
    return "GOOD" if worst <= limits.good else "DOUBTFUL" if worst <= limits.bad else "BAD"


def summarise_traces(traces: Iterable[MeasureTrace], frame_count: int | None = None) -> list[MeasureQuality]:
    """What there is to say of the first ``frame_count`` frames of a motion, of all of them where not given."""
    found = (trace.summarise(frame_count) for trace in traces)
    return [quality for quality in found if quality is not None]


def measure_traces(
    clip: Clip, contacts: Array, ground: Scene, path: Array | None = None, level_ground_clip: Clip | None = None
) -> list[MeasureTrace]:
    """All measures of a motion, frame by frame.

    Feet slide where they are seen to be down, whatever the controller says: contacts are found again. On ground that
    moves, where they could not be found, they are the controller's, and feet slide by what they move on that ground.
    They float where the controller has them down.

    Args:
        clip: the motion, metres, world.
        contacts: (F, 4) the controller's own, of heels and balls, in the order of ``labelling.contacts.FOOT_CONTACTS``.
        ground: what it walks on.
        path: points (N, 2), metres, that it was to follow; ground that moves carries it along, and the first second
            does not count.
        level_ground_clip: the same body on level ground, whose flat feet say where heels are.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    off = [] if path is None else [_scaled_trace("path", ("hips",), _path_errors_cm(clip, ground, path), size)]
    seen = label_contacts(clip) if ground.is_static else contacts
    speeds = np.where(seen > CONTACT_THRESHOLD, 100 * _foot_speeds(clip, ground, level_ground_clip, size), np.nan)
    heights = 1000 * sole_heights(clip, ground, level_ground_clip)
    heights[np.isinf(heights)] = np.nan
    held = np.where(contacts > CONTACT_THRESHOLD, heights, np.nan)
    return [
        *off,
        _scaled_trace("slide", FOOT_CONTACTS, speeds, size, _average_slide_speeds(speeds, clip.rate)),
        _scaled_trace("depth", FOOT_CONTACTS, feet.penetration_depths(heights), size),
        _scaled_trace("float", FOOT_CONTACTS, np.maximum(held, 0.0), size),
        _scaled_trace("jolt", _joint_roles(clip), motion_detail.joint_jerks(clip), size),
        *_knee_traces(clip),
    ]


def _scaled_trace(
    measure: str, joints: tuple[str, ...], values: Array, body_size: float, peaks: Array | None = None
) -> MeasureTrace:
    """Return a measure of lengths, whose limits grow with the body."""
    usual = MEASURE_LIMITS[measure]
    return MeasureTrace(
        measure,
        joints,
        values,
        MeasureLimits(usual.unit, usual.typical * body_size, usual.good * body_size, usual.bad * body_size),
        peaks,
    )


def _path_errors_cm(clip: Clip, ground: Scene, path: Array) -> Array:
    """Centimetres (F, 1) from the path, once the character has set off."""
    roots = undo_ground_motion(ground, clip.positions[:, clip.skeleton.joint("hips")])
    off = 100 * path_error.cross_track_error(roots, path)
    off[: min(round(SETTLING_S * clip.rate), len(off) - 1)] = np.nan
    return off[:, None]


def _foot_speeds(clip: Clip, ground: Scene, level_ground_clip: Clip | None, body_size: float) -> Array:
    """How fast (F, 4) heels and balls move along the ground, m/s."""
    points = sensor_tracks(clip, BIPED_PRESET, level_ground_clip)
    if ground.is_static or len(clip) < 2:
        return feet.horizontal_speeds(points, clip.rate)
    return feet.average_adjacent_steps(
        np.linalg.norm(steps_relative_to_ground(ground, points, RAY_START_ABOVE_M * body_size)[..., :2], axis=-1)
        * clip.rate
    )


def _average_slide_speeds(speeds: Array, rate: float) -> Array:
    """Speeds (F, C) averaged over the tenth of a second about each frame; 0 where a foot is up (NaN)."""
    frames = max(round(SLIDE_WINDOW_S * rate), 1)
    return scipy.ndimage.uniform_filter1d(np.nan_to_num(speeds), frames, axis=0, mode="constant")


def _joint_roles(clip: Clip) -> tuple[str, ...]:
    """Return the roles of the body's joints, in the order of ``motion_detail.body_joints``."""
    named = {joint: role for role, joint in clip.skeleton.roles.items()}
    return tuple(named[joint] for joint in motion_detail.body_joints(clip))


def _knee_traces(clip: Clip) -> list[MeasureTrace]:
    """By how much knees bend the wrong way; where none does, the worst is where one is nearest to straight."""
    bent = flexion_angles(clip, hinge_axes(clip)).get("knee")
    if bent is None:
        return []
    return [MeasureTrace("knee", ("shin.L", "shin.R"), np.maximum(-bent, 0.0), MEASURE_LIMITS["knee"], -bent)]
