"""Where a motion is worst: measure by measure how much, at which frame, at which joint, and whether that is a fault.

The measures are those of the report, at every frame instead of over all of them. What a fault is follows from real
motion: walks of people, measured by the same code (see :data:`LIMITS`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import scipy

from ..labelling import contacts_in
from ..labelling.contacts.sensor_tracks import tracks_of
from ..labelling.presets import BIPED
from ..motion import Clip
from ..motion.proportions import ADULT_LEG
from ..motion.roles import JOINTS
from ..motion.rotations import Array
from ..terrain.ground import Scene
from . import feet, motion_detail, path_error
from .bending import flexions, hinge_axes
from .footing import ABOVE, sole_heights
from .report import SETTLING
from .riding import beside_path, steps_on

Verdict = Literal["GOOD", "DOUBTFUL", "BAD"]

SLIDING: Final = 0.1
"""Seconds over which the worst sliding is averaged: a single frame at a contact's edge is none to be seen."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is usual and what is a fault, at a motion's worst frame.

    Attributes:
        unit: of all three.
        usual: what half of the real walks do not exceed.
        good: up to which there is nothing to mend.
        bad: beyond which there is.
    """

    unit: str
    usual: float
    good: float
    bad: float


LIMITS: Final = {
    "path": Limits("cm", 2.3, 9.0, 12.0),
    "slide": Limits("cm/s", 34.0, 63.0, 126.0),
    "depth": Limits("mm", 17.0, 17.0, 36.0),
    "float": Limits("mm", 29.0, 29.0, 76.0),
    "jolt": Limits("m/s^3", 12500.0, 38000.0, 46000.0),
    "knee": Limits("deg", 0.0, 0.0, 5.0),
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
class Quality:
    """One measure of a motion.

    Attributes:
        measure: one of :data:`LIMITS`.
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
class Trace:
    """One measure at every frame.

    Attributes:
        measure: one of :data:`LIMITS`.
        joints: the roles (N) of the joints that it is taken at.
        values: (F, N) in the measure's unit, NaN where there is nothing to measure.
        peaks: (F, N) of which the largest is the worst; the values themselves where not given.
        limits: of this body.
    """

    measure: str
    joints: tuple[str, ...]
    values: Array
    limits: Limits
    peaks: Array | None = None

    def quality(self, frames: int | None = None) -> Quality | None:
        """What there is to say of the first ``frames`` frames, of all where not given; ``None`` where nothing is."""
        values = self.values[:frames]
        known = values[~np.isnan(values)]
        if not known.size:
            return None
        peaks = (self.values if self.peaks is None else self.peaks)[:frames]
        frame, column = np.unravel_index(np.nanargmax(peaks), peaks.shape)
        worst = max(float(peaks[frame, column]), 0.0)
        mean, p95 = float(known.mean()), float(np.percentile(known, 95))
        return Quality(self.measure, mean, p95, worst, int(frame), self.joints[column], verdict(worst, self.limits))


def verdict(worst: float, limits: Limits) -> Verdict:
    """Whether a measure's worst value is a fault."""
    return "GOOD" if worst <= limits.good else "DOUBTFUL" if worst <= limits.bad else "BAD"


def qualities(traces: Iterable[Trace], frames: int | None = None) -> list[Quality]:
    """What there is to say of the first ``frames`` frames of a motion, of all of them where not given."""
    found = (trace.quality(frames) for trace in traces)
    return [quality for quality in found if quality is not None]


def traces(
    clip: Clip, contacts: Array, ground: Scene, path: Array | None = None, standing: Clip | None = None
) -> list[Trace]:
    """All measures of a motion, frame by frame.

    Feet slide where they are seen to be down, whatever the controller says: contacts are found again. On ground that
    moves, where they could not be found, they are the controller's, and feet slide by what they move on that ground.
    They float where the controller has them down.

    Args:
        clip: the motion, metres, world.
        contacts: (F, 4) the controller's own, of heels and balls, in the order of ``labelling.contacts.JOINTS``.
        ground: what it walks on.
        path: points (N, 2), metres, that it was to follow; ground that moves carries it along, and the first second
            does not count.
        standing: the same body on level ground, whose flat feet say where heels are.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    size = clip.skeleton.leg_length / ADULT_LEG
    off = [] if path is None else [_trace("path", ("hips",), _strayed(clip, ground, path), size)]
    seen = contacts_in(clip) if ground.steady else contacts
    speeds = np.where(seen > 0.5, 100 * _speeds(clip, ground, standing, size), np.nan)
    heights = 1000 * sole_heights(clip, ground, standing)
    heights[np.isinf(heights)] = np.nan
    held = np.where(contacts > 0.5, heights, np.nan)
    return [
        *off,
        _trace("slide", JOINTS, speeds, size, _lasting(speeds, clip.rate)),
        _trace("depth", JOINTS, feet.penetration(heights), size),
        _trace("float", JOINTS, np.maximum(held, 0.0), size),
        _trace("jolt", _roles(clip), motion_detail.jerks(clip), size),
        *_knees(clip),
    ]


def _trace(measure: str, joints: tuple[str, ...], values: Array, size: float, peaks: Array | None = None) -> Trace:
    """A measure of lengths, whose limits grow with the body."""
    usual = LIMITS[measure]
    return Trace(
        measure, joints, values, Limits(usual.unit, usual.usual * size, usual.good * size, usual.bad * size), peaks
    )


def _strayed(clip: Clip, ground: Scene, path: Array) -> Array:
    """Centimetres (F, 1) from the path, once the character has set off."""
    roots = beside_path(ground, clip.positions[:, clip.skeleton.role("hips")])
    off = 100 * path_error.cross_track(roots, path)
    off[: min(round(SETTLING * clip.rate), len(off) - 1)] = np.nan
    return off[:, None]


def _speeds(clip: Clip, ground: Scene, standing: Clip | None, size: float) -> Array:
    """How fast (F, 4) heels and balls move along the ground, m/s."""
    points = tracks_of(clip, BIPED, standing)
    if ground.steady or len(clip) < 2:
        return feet.horizontal_speeds(points, clip.rate)
    return feet.around(np.linalg.norm(steps_on(ground, points, ABOVE * size)[..., :2], axis=-1) * clip.rate)


def _lasting(speeds: Array, rate: float) -> Array:
    """Speeds (F, C) averaged over the tenth of a second about each frame; 0 where a foot is up (NaN)."""
    frames = max(round(SLIDING * rate), 1)
    return scipy.ndimage.uniform_filter1d(np.nan_to_num(speeds), frames, axis=0, mode="constant")


def _roles(clip: Clip) -> tuple[str, ...]:
    """The roles of the body's joints, in the order of ``motion_detail.body_joints``."""
    named = {joint: role for role, joint in clip.skeleton.roles.items()}
    return tuple(named[joint] for joint in motion_detail.body_joints(clip))


def _knees(clip: Clip) -> list[Trace]:
    """By how much knees bend the wrong way; where none does, the worst is where one is nearest to straight."""
    bent = flexions(clip, hinge_axes(clip)).get("knee")
    if bent is None:
        return []
    return [Trace("knee", ("shin.L", "shin.R"), np.maximum(-bent, 0.0), LIMITS["knee"], -bent)]
