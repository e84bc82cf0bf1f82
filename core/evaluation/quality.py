"""Quality of a motion: each measure's worst value, its frame and joint, and whether it is a fault.

Every measure is taken at each frame. Limits come from captured walks, measured by the same code (see
:data:`MEASURE_LIMITS`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import scipy

from ..errors import FootfallError
from ..labelling import label_contacts
from ..labelling.contacts.sensor_tracks import sensor_tracks
from ..labelling.presets import preset_of_body
from ..motion import Clip
from ..motion.contacts import CONTACT_THRESHOLD, FootContacts
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.roles import contact_names, is_quadruped
from ..motion.root_frame import root_track
from ..motion.rotations import Array
from ..terrain.ground import Scene
from . import feet, motion_detail, path_error
from .bending import flexion_angles, hinge_axes
from .footing import RAY_START_ABOVE_M, own_and_carried_heights
from .report import SETTLING_S
from .riding import steps_relative_to_ground, undo_ground_motion
from .sliding_pairs import sliding_pair_seconds

Verdict = Literal["GOOD", "DOUBTFUL", "BAD"]
"""Verdicts of a measure."""

FAILING_VERDICTS: Final[dict[str, tuple[Verdict, ...]]] = {"doubtful": ("DOUBTFUL", "BAD"), "bad": ("BAD",)}
"""Verdicts that make a command fail, by the value of its option ``--fail-on``."""

SLIDE_WINDOW_S: Final = 0.1
"""Window over which the worst sliding is averaged, since a single frame at a contact's edge is not visible."""


@dataclass(frozen=True, slots=True)
class MeasureLimits:
    """Limits of a measure at the worst frame of a motion.

    Attributes:
        unit: unit of the limits.
        typical: median of the captured walks' worst values.
        good: largest worst value that is judged ``GOOD``.
        bad: worst value beyond which the verdict is ``BAD``; ``DOUBTFUL`` in between.
    """

    unit: str
    typical: float
    good: float
    bad: float


MEASURE_LIMITS: Final = {
    "path_deviation": MeasureLimits("cm", 2.3, 9.0, 12.0),
    "foot_sliding": MeasureLimits("cm/s", 34.0, 63.0, 126.0),
    "ground_penetration": MeasureLimits("mm", 17.0, 17.0, 36.0),
    "foot_floating": MeasureLimits("mm", 29.0, 29.0, 76.0),
    "jitter": MeasureLimits("m/s^3", 12500.0, 38000.0, 46000.0),
    "knee_hyperextension": MeasureLimits("deg", 0.0, 0.0, 5.0),
    "seat_gap": MeasureLimits("cm", 0.0, 1.5, 3.0),
    "palm_gap": MeasureLimits("cm", 0.0, 1.5, 3.0),
}
"""Limits, from the 42 captured walks at 1.0 to 1.4 m/s that the benchmarks use as mocap rows.

The median, 95th percentile and maximum of their worst frames are: path deviation 2.3, 3.9 and 9.1 cm; sliding 34, 63
and 126 cm/s; depth 17, 36 and 77 mm; float 29, 76 and 88 mm; jolts 12500, 38000 and 46000 m/s^3. No knee comes nearer
than 7 degrees to straight.

Sliding and jolts are good up to the 95th percentile and bad beyond the maximum. Depth and float are only as accurate as
the bodies fitted to the captures, so their limits are the median and the 95th percentile. A drawn path has sharper
bends than a natural one: the largest error of the walks is good, and an error beyond 12 cm, the aim of this project for
corners, is bad. The limits of jolts hold at 60 frames per second.
"""
SEEN_LIMITS: Final = {
    "sliding_pair": MeasureLimits("s", 0.03, 0.1, 0.2),
    "posture": MeasureLimits("deg", 0.0, 5.0, 8.0),
    "sole_tilt": MeasureLimits("deg", 2.0, 6.0, 12.0),
    "sole_gap": MeasureLimits("mm", 8.0, 20.0, 35.0),
    "joint_flip": MeasureLimits("deg", 0.0, 15.0, 30.0),
    "off_plan": MeasureLimits("cm", 0.0, 2.5, 3.5),
    "travel_speed": MeasureLimits("m/s", 0.0, 0.0, 0.0),
}
"""Limits of visible faults, without reference to captured motion.

In the 42 captured walks above, both feet slide for at most 0.03 s (median), 0.10 s (95th percentile), 0.13 s (worst).
A tilt of 2 degrees is invisible, and a tilt of 5 degrees is visible. Limits of the travel speed follow from each plan,
see :mod:`.rig_quality`.
"""
ALL_LIMITS: Final = MEASURE_LIMITS | SEEN_LIMITS


@dataclass(frozen=True, slots=True)
class MeasureQuality:
    """The quality of a motion by one measure.

    Attributes:
        measure: one of :data:`MEASURE_LIMITS`.
        mean: mean over all measured frames and joints, in the measure's unit.
        p95: 95th percentile over all measured frames and joints.
        worst: the worst value, at least 0.
        frame: frame of the worst value, counted from the motion's first frame.
        joint: role of the joint of the worst value; heels are ``foot.L`` and ``foot.R``, balls of feet ``toe.L`` and
            ``toe.R``.
        verdict: verdict on the worst value.
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
        joints: (N) roles of the measured joints.
        values: (F, N) values in the measure's unit, NaN if not measured.
        limits: limits for a body of this size.
        peaks: (F, N) smoothed values; the largest is the worst value; ``values`` by default.
    """

    measure: str
    joints: tuple[str, ...]
    values: Array
    limits: MeasureLimits
    peaks: Array | None = None

    def summarise(self, frame_count: int | None = None) -> MeasureQuality | None:
        """Return mean, worst value and verdict in the first ``frame_count`` frames (all by default).

        ``None`` if the measure has no values in these frames.
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
    """Return ``GOOD`` up to the limit ``good``, ``DOUBTFUL`` up to the limit ``bad``, else ``BAD``."""
    return "GOOD" if worst <= limits.good else "DOUBTFUL" if worst <= limits.bad else "BAD"


def require_verdicts(verdicts: Mapping[str, str], fail_on: str | None) -> None:
    """Raise an error if a measure of a motion has a bad verdict.

    Args:
        verdicts: verdict by measure.
        fail_on: least bad verdict that fails, ``"doubtful"`` or ``"bad"``; ``None`` passes all.

    Raises:
        FootfallError: a measure has this verdict, or a worse one.
    """
    failing = FAILING_VERDICTS[fail_on] if fail_on else ()
    found = [f"{measure.replace('_', ' ')} is {verdict}" for measure, verdict in verdicts.items() if verdict in failing]
    if found:
        raise FootfallError("The quality of the bake is not good enough: {measures}", measures=", ".join(found))


def summarise_traces(traces: Iterable[MeasureTrace], frame_count: int | None = None) -> list[MeasureQuality]:
    """Return the quality by each measure that has values in the first ``frame_count`` frames (all by default)."""
    found = (trace.summarise(frame_count) for trace in traces)
    return [quality for quality in found if quality is not None]


def measure_traces(
    clip: Clip, contacts: FootContacts, ground: Scene, path: Array | None = None, level_ground_clip: Clip | None = None
) -> list[MeasureTrace]:
    """Return the values of all measures of a motion at each frame.

    Sliding is measured in contacts that are detected in the clip. On moving ground, where they cannot be detected, it
    is measured in the controller's contacts, relative to the ground. Float is measured in the controller's contacts.

    Args:
        clip: the motion, world.
        contacts: the controller's contacts of heels and balls.
        ground: the scene of the walk.
        path: (N, 2) path to follow, meters, carried along by moving ground; the first second is ignored.
        level_ground_clip: clip of the same body on level ground, by which heels and paws are located; ``clip`` by
            default.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    off = (
        [] if path is None else [_scaled_trace("path_deviation", ("hips",), _path_errors_cm(clip, ground, path), size)]
    )
    preset = preset_of_body(clip.skeleton.roles)
    ends = contact_names(clip.skeleton.roles)
    seen = label_contacts(clip, preset) if ground.is_static else contacts.probabilities
    along = _foot_speeds(clip, ground, level_ground_clip, size)
    speeds = np.where(seen > CONTACT_THRESHOLD, 100 * along, np.nan)
    both = own_and_carried_heights(clip, ground, level_ground_clip)
    heights, carried = (np.where(np.isinf(one), np.nan, 1000 * one) for one in both)
    held = np.where(contacts.held, carried, np.nan)
    return [
        *off,
        _scaled_trace("foot_sliding", ends, speeds, size, _average_slide_speeds(speeds, clip.rate)),
        _scaled_trace("ground_penetration", ends, feet.penetration_depths(heights), size),
        _scaled_trace("foot_floating", ends, np.maximum(held, 0.0), size),
        _scaled_trace("jitter", _joint_roles(clip), motion_detail.joint_jerks(clip), size),
        *_knee_traces(clip),
        *_sliding_pair_traces(clip, along, both[0]),
    ]


def _scaled_trace(
    measure: str, joints: tuple[str, ...], values: Array, body_size: float, peaks: Array | None = None
) -> MeasureTrace:
    """Return the trace of a length, whose limits scale with the body."""
    usual = MEASURE_LIMITS[measure]
    return MeasureTrace(
        measure,
        joints,
        values,
        MeasureLimits(usual.unit, usual.typical * body_size, usual.good * body_size, usual.bad * body_size),
        peaks,
    )


def _path_errors_cm(clip: Clip, ground: Scene, path: Array) -> Array:
    """Return the root's distances (F, 1) from the path, cm, after the settling time."""
    roots = clip.positions[:, clip.skeleton.joint("hips")]
    if is_quadruped(clip.skeleton.roles):
        roots = np.column_stack([root_track(clip).positions, roots[:, 2]])
    roots = undo_ground_motion(ground, roots)
    off = 100 * path_error.cross_track_error(roots, path)
    off[: min(round(SETTLING_S * clip.rate), len(off) - 1)] = np.nan
    return off[:, None]


def _foot_speeds(clip: Clip, ground: Scene, level_ground_clip: Clip | None, body_size: float) -> Array:
    """Return the speeds (F, 4) of heels and balls along the ground, m/s."""
    points = sensor_tracks(clip, preset_of_body(clip.skeleton.roles), level_ground_clip)
    if ground.is_static or len(clip) < 2:
        return feet.horizontal_speeds(points, clip.rate)
    return feet.average_adjacent_steps(
        np.linalg.norm(steps_relative_to_ground(ground, points, RAY_START_ABOVE_M * body_size)[..., :2], axis=-1)
        * clip.rate
    )


def _average_slide_speeds(speeds: Array, rate: float) -> Array:
    """Average speeds (F, C) over a window around each frame; a raised foot (NaN) has speed 0."""
    frames = max(round(SLIDE_WINDOW_S * rate), 1)
    return scipy.ndimage.uniform_filter1d(np.nan_to_num(speeds), frames, axis=0, mode="constant")


def _joint_roles(clip: Clip) -> tuple[str, ...]:
    """Return the roles of the body's joints, in the order of ``motion_detail.body_joints``."""
    named = {joint: role for role, joint in clip.skeleton.roles.items()}
    return tuple(named[joint] for joint in motion_detail.body_joints(clip))


def _knee_traces(clip: Clip) -> list[MeasureTrace]:
    """Return the traces of the knees' hyperextension; without any, the worst frame has the straightest knee."""
    bent = flexion_angles(clip, hinge_axes(clip)).get("knee")
    if bent is None:
        return []
    return [
        MeasureTrace(
            "knee_hyperextension",
            ("shin.L", "shin.R"),
            np.maximum(-bent, 0.0),
            MEASURE_LIMITS["knee_hyperextension"],
            -bent,
        )
    ]


def _sliding_pair_traces(clip: Clip, speeds: Array, heights: Array) -> list[MeasureTrace]:
    """Return the trace of how long both feet of a biped slide at the same time, given (F, 4) speeds and heights."""
    if is_quadruped(clip.skeleton.roles):
        return []
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    seconds = sliding_pair_seconds(speeds, heights, clip.rate, size)
    return [MeasureTrace("sliding_pair", ("hips",), seconds[:, None], SEEN_LIMITS["sliding_pair"])]
