"""Gait analysis of walks and runs on level ground, stride by stride, in the terms of clinical gait laboratories.

A stride runs from a foot's strike to the next strike of the same foot. Its line of travel is the straight line between
the root positions, or footprints, at its ends, so that sway and step width do not depend on a drawn path.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion import Clip
from ..motion.rotations import Array, normalize
from ..motion.signals import Mask, low_pass
from .bending import flexion_angles, hinge_axes
from .gait_events import EVENT_CUTOFF_HZ, FootEvents, find_events, travel_directions
from .posture import across_vectors, arm_vectors, directed_lean, foot_elevation, line_tilt, line_yaw, trunk_vectors
from .speed import travel_speed

GaitReport = dict[str, float | None]
"""Means over the strides of a clip, by measure of :data:`GAIT_MEASURES`; ``None`` if not measured."""

GAIT_MEASURES: Final[Mapping[str, str]] = {
    "strides": "strides",
    "speed_m_s": "speed m/s",
    "cadence_steps_min": "cadence /min",
    "step_length_m": "step m",
    "step_width_cm": "width cm",
    "bounce_cm": "bounce cm",
    "sway_cm": "sway cm",
    "speed_range_m_s": "fore-aft speed range m/s",
    "pelvis_turn_deg": "pelvis turn deg",
    "chest_turn_deg": "chest turn deg",
    "pelvis_drop_deg": "pelvis drop deg",
    "arm_swing_deg": "arm swing deg",
    "elbow_range_deg": "elbow range deg",
    "elbow_mean_deg": "elbow mean deg",
    "foot_pitch_strike_deg": "foot at strike deg",
    "foot_pitch_toe_off_deg": "foot at toe-off deg",
    "knee_strike_deg": "knee at strike deg",
    "knee_yield_deg": "knee yield deg",
    "knee_swing_deg": "knee in swing deg",
    "knee_median_deg": "knee median deg",
    "knee_acceleration_rad_s2": "largest knee acceleration rad/s2",
    "toe_clearance_cm": "toe clearance cm",
    "toe_highest_cm": "toe highest cm",
    "stance_share": "stance share",
    "step_time_asymmetry_percent": "left-right step time %",
    "side_lean_deg": "side lean deg",
    "forward_lean_deg": "forward lean deg",
}
"""Measures of :func:`analyze_gait` with their titles and units.

Ranges are the largest minus the smallest value within a stride. *Width* is the distance of a footprint from the line
through the two footprints of the other foot around it, negative where the feet cross. *Yield* is the knee's largest
flexion after the strike minus that at the strike. *Largest knee acceleration* is that of its flexion within a stride:
knees that pop have several times people's. *Toe clearance* is the toe's lowest height in mid-swing above its height in
stance, *toe highest* its largest. *Left-right step time* is the difference of left and right steps as a share of their
mean. Foot pitch is relative to the foot in mid-stance. *Lean* is the mean lean of the line from hips to neck; side lean
is positive to the right.
"""

SpeedBand = tuple[float, float]
"""Slowest and fastest speed, m/s."""
YIELD_SHARE: Final = 0.4
"""Share of the stance, from its beginning, in which the knee yields."""
MIDDLE_SWING: Final = (0.35, 0.8)
"""Start and end of mid-swing, as shares of the swing, in which the toe's clearance is measured."""
MAX_STRIDE_S: Final = 2.5
"""Longest stride; people stride in 1.6 s at 0.4 m/s."""
MAX_STRIDE_TURN_DEG: Final = 8.0
"""Largest turn of the travel direction within a measured stride; the straight line is then off the path by 2 cm."""
MAX_SPEED_CHANGE: Final = 0.15
"""Largest relative change of speed within a measured stride."""


@dataclass(frozen=True, eq=False)
class Stride:
    """One stride of one foot; times are fractional frames.

    Attributes:
        side: ``"L"`` or ``"R"``.
        start: strike of this foot.
        toe_off: toe-off of this foot.
        other: strike of the other foot within the stride.
        stop: next strike of this foot.
    """

    side: str
    start: float
    toe_off: float
    other: float
    stop: float


def find_strides(events: Mapping[str, FootEvents], max_frames: float = np.inf) -> list[Stride]:
    """Return the complete strides of both feet: those that contain one strike of the other foot and one toe-off.

    Args:
        events: strikes and toe-offs of both feet, by side ``"L"`` and ``"R"``.
        max_frames: longest accepted stride, in frames; longer ones contain a pause.
    """
    strides = []
    for side, opposite in (("L", "R"), ("R", "L")):
        own = events[side]
        for start, stop in zip(own.strikes[:-1], own.strikes[1:], strict=True):
            others = _between(events[opposite].strikes, start, stop)
            offs = _between(own.toe_offs, start, stop)
            if len(others) == 1 and len(offs) == 1 and stop - start <= max_frames:
                strides.append(Stride(side, float(start), float(offs[0]), float(others[0]), float(stop)))
    return strides


def analyze_gait(clip: Clip, speeds: SpeedBand = (0.0, np.inf)) -> GaitReport:
    """Measure the gait of a clip on level ground, as means over its strides, by the keys of :data:`GAIT_MEASURES`.

    Args:
        clip: the motion; its starts, stops, waits and bends are left out.
        speeds: slowest and fastest stride that counts, m/s.

    Raises:
        FootfallError: the skeleton lacks hips, legs or feet.
    """
    return analyze_gaits(clip, [speeds])[speeds]


def analyze_gaits(clip: Clip, bands: Sequence[SpeedBand], frames: Mask | None = None) -> dict[SpeedBand, GaitReport]:
    """Measure the gait of a clip as :func:`analyze_gait` does, by speed band, over strides within the masked frames."""
    strides = even_strides(clip, find_strides(find_events(clip), MAX_STRIDE_S * clip.rate))
    if frames is not None:
        strides = [one for one in strides if frames[round(one.start) : round(one.stop) + 1].all()]
    if not strides:
        return {band: _report([], None, clip.rate) for band in bands}
    tracks = _Tracks.of(clip, _half_stances(strides))
    paces = [tracks.speed(stride) for stride in strides]
    return {
        (low, high): _report(
            [stride for stride, pace in zip(strides, paces, strict=True) if low <= pace <= high], tracks, clip.rate
        )
        for low, high in bands
    }


def _report(strides: Sequence[Stride], tracks: "_Tracks | None", rate: float) -> GaitReport:
    """Return the means of measures over strides; without strides, a report that says so."""
    if not strides or tracks is None:
        return {**dict.fromkeys(GAIT_MEASURES), "strides": 0.0}
    rows = [tracks.measure(stride) for stride in strides]
    means: GaitReport = {key: _known_mean(row.get(key) for row in rows) for key in GAIT_MEASURES}
    return means | {
        "strides": float(len(strides)),
        "cadence_steps_min": 120 * rate / float(np.mean([stride.stop - stride.start for stride in strides])),
        "step_time_asymmetry_percent": step_time_asymmetry(strides),
    }


def even_strides(clip: Clip, strides: Sequence[Stride]) -> list[Stride]:
    """Return those strides in which the character hardly turns and keeps its speed, by the hips at both ends."""
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    headings = travel_directions(roots, clip.rate)
    yaws = np.degrees(np.unwrap(np.arctan2(headings[:, 1], headings[:, 0])))
    tracks = np.stack([yaws, travel_speed(roots, clip.rate)], axis=-1)
    even = []
    for stride in strides:
        (first_yaw, first_speed), (last_yaw, last_speed) = (
            _sample(tracks, time) for time in (stride.start, stride.stop)
        )
        if abs(last_yaw - first_yaw) <= MAX_STRIDE_TURN_DEG and (
            abs(last_speed - first_speed) <= MAX_SPEED_CHANGE * max(first_speed, last_speed)
        ):
            even.append(stride)
    return even


def step_time_asymmetry(strides: Sequence[Stride]) -> float | None:
    """Return the difference of the mean left and right step time, percent of their mean; ``None`` without strides."""
    times: dict[str, list[float]] = {"L": [], "R": []}
    for stride in strides:
        other = "R" if stride.side == "L" else "L"
        times[other].append(stride.other - stride.start)
        times[stride.side].append(stride.stop - stride.other)
    if not strides:
        return None
    left, right = (float(np.mean(times[side])) for side in "LR")
    return 200 * abs(left - right) / (left + right)


def mean_gait(reports: Sequence[GaitReport]) -> GaitReport:
    """Return the mean of the gait reports of several clips, weighted equally; the numbers of strides are summed."""
    means: GaitReport = {key: _known_mean(report[key] for report in reports) for key in GAIT_MEASURES}
    return means | {"strides": float(sum(report["strides"] or 0.0 for report in reports))}


@dataclass(frozen=True, eq=False)
class _Tracks:
    """Low-passed signals of a clip from which strides are measured.

    Attributes:
        rate: frames per second.
        roots: (F, 3) hips, meters.
        velocities: (F, 2) horizontal velocity of the hips, m/s.
        feet: (F, 3) foot joints by side, meters.
        toes: (F) heights of the toes by side, meters.
        trunk: (F, 3) from the hips to the neck, meters.
        ranges: (F) signals, degrees, of which the range in a stride is measured, by measure.
        arms: (F, 3) upper arms by side.
        elbows: (F) flexion by side, degrees.
        knees: (F) flexion by side, degrees.
        elevations: (F) elevation of toes over ankles by side, degrees.
        half_stances: frames from a foot's strike to the middle of its stance, by side.
    """

    rate: float
    roots: Array
    velocities: Array
    feet: Mapping[str, Array]
    toes: Mapping[str, Array]
    trunk: Array
    ranges: Mapping[str, Array]
    arms: Mapping[str, Array]
    elbows: Mapping[str, Array]
    knees: Mapping[str, Array]
    elevations: Mapping[str, Array]
    half_stances: Mapping[str, float]

    @staticmethod
    def of(clip: Clip, half_stances: Mapping[str, float]) -> "_Tracks":
        """Create the signals of a clip; movement faster than gait is filtered out."""

        def smooth(values: Array) -> Array:
            return low_pass(values, clip.rate, EVENT_CUTOFF_HZ)

        roles = clip.skeleton.roles
        roots = smooth(clip.positions[:, clip.skeleton.joint("hips")])
        pelvis, chest = across_vectors(clip, "thigh"), across_vectors(clip, "upper_arm")
        ranges = {}
        if pelvis is not None:
            ranges = {"pelvis_turn_deg": smooth(line_yaw(pelvis)), "pelvis_drop_deg": smooth(line_tilt(pelvis))}
        if chest is not None:
            ranges["chest_turn_deg"] = smooth(line_yaw(chest))
        bends = flexion_angles(clip, hinge_axes(clip))
        arms = {side: arm_vectors(clip, side) for side in "LR"}
        elevations = {side: foot_elevation(clip, side) for side in "LR"}
        return _Tracks(
            clip.rate,
            roots,
            np.gradient(roots[:, :2], 1 / clip.rate, axis=0),
            {side: clip.positions[:, roles[f"foot.{side}"]] for side in "LR"},
            {side: smooth(clip.positions[:, roles[f"toe.{side}"], 2]) for side in "LR" if f"toe.{side}" in roles},
            trunk_vectors(clip),
            ranges,
            {side: smooth(arm) for side, arm in arms.items() if arm is not None},
            _by_side(bends.get("elbow")),
            _by_side(bends.get("knee")),
            {side: smooth(rise) for side, rise in elevations.items() if rise is not None},
            half_stances,
        )

    def speed(self, stride: Stride) -> float:
        """Return the speed of a stride along the straight line from its start to its end, m/s."""
        chord = _sample(self.roots, stride.stop)[:2] - _sample(self.roots, stride.start)[:2]
        return float(np.linalg.norm(chord)) * self.rate / (stride.stop - stride.start)

    def measure(self, stride: Stride) -> GaitReport:
        """Return the measures of one stride, keyed as in :data:`GAIT_MEASURES`."""
        frames = slice(round(stride.start), round(stride.stop) + 1)
        start, stop = (_sample(self.roots, time)[:2] for time in (stride.start, stride.stop))
        line = normalize(stop - start)
        forward, side = directed_lean(self.trunk[frames], line)
        report: GaitReport = {
            "speed_m_s": self.speed(stride),
            "bounce_cm": 100 * float(np.ptp(self.roots[frames, 2])),
            "sway_cm": 100 * _drift_free_range(self.roots[frames, :2] @ [line[1], -line[0]]),
            "speed_range_m_s": float(np.ptp(self.velocities[frames] @ line)),
            "side_lean_deg": float(side.mean()),
            "forward_lean_deg": float(forward.mean()),
            "stance_share": (stride.toe_off - stride.start) / (stride.stop - stride.start),
        }
        report |= {key: _drift_free_range(values[frames]) for key, values in self.ranges.items()}
        # Arms point upward, so that hanging arms lean by zero.
        swings = [
            np.ptp(directed_lean(-arm[frames], line)[0]) for arm in self.arms.values()
        ]  # hanging arms lean by zero
        report["arm_swing_deg"] = _known_mean(float(swing) for swing in swings)
        report["elbow_range_deg"] = _known_mean(float(np.ptp(bend[frames])) for bend in self.elbows.values())
        report["elbow_mean_deg"] = _known_mean(float(bend[frames].mean()) for bend in self.elbows.values())
        return report | self._footprints(stride) | self._leg(stride)

    def _footprints(self, stride: Stride) -> GaitReport:
        """Return step length and width from a stride's three footprints: the ankles in the middle of their stances.

        They are measured as by walkways: along and across the line through the two prints of one foot (GAITRite).
        """
        other = "R" if stride.side == "L" else "L"
        first, last = self._footprint(stride.side, stride.start), self._footprint(stride.side, stride.stop)
        line = normalize(last - first)
        right = (self._footprint(other, stride.other) - first) @ np.array([line[1], -line[0]])
        return {
            "step_length_m": float(np.linalg.norm(last - first)) / 2,
            "step_width_cm": 100 * float(right if stride.side == "L" else -right),
        }

    def _footprint(self, side: str, strike: float) -> Array:
        """Return the position (2), meters, where a foot stands after the strike at ``strike``, frames."""
        return _sample(self.feet[side], strike + self.half_stances[side])[:2]

    def _leg(self, stride: Stride) -> GaitReport:
        """Return the measures of the leg to which a stride belongs."""
        report: GaitReport = {}
        side = stride.side
        if side in self.knees:
            knee = self.knees[side]
            at_strike = float(_sample(knee, stride.start))
            loaded = stride.start + YIELD_SHARE * (stride.toe_off - stride.start)
            yielding = knee[round(stride.start) : round(loaded) + 1]
            report["knee_strike_deg"] = at_strike
            report["knee_yield_deg"] = max(float(yielding.max()) - at_strike, 0.0)
            report["knee_swing_deg"] = float(knee[round(stride.toe_off) : round(stride.stop) + 1].max())
            report["knee_median_deg"] = float(np.median(knee[round(stride.start) : round(stride.stop)]))
            whole = np.radians(knee[round(stride.start) : round(stride.stop) + 1])
            report["knee_acceleration_rad_s2"] = float(np.abs(np.diff(whole, n=2)).max()) * self.rate**2
        if side in self.elevations:
            rise = self.elevations[side]
            flat = _sample(rise, stride.start + self.half_stances[side])
            report["foot_pitch_strike_deg"] = float(_sample(rise, stride.start) - flat)
            report["foot_pitch_toe_off_deg"] = float(_sample(rise, stride.toe_off) - flat)
        if side in self.toes:
            height = self.toes[side]
            standing = float(np.median(height[round(stride.start) : round(stride.toe_off)]))
            first, last = (stride.toe_off + share * (stride.stop - stride.toe_off) for share in MIDDLE_SWING)
            report["toe_clearance_cm"] = 100 * (float(height[round(first) : round(last) + 1].min()) - standing)
            swing = height[round(stride.toe_off) : round(stride.stop) + 1]
            report["toe_highest_cm"] = 100 * (float(swing.max()) - standing)
        return report


def _half_stances(strides: Sequence[Stride]) -> dict[str, float]:
    """Return half of each foot's usual stance, frames, by side; of the other foot if one has no complete stride."""
    found = {side: [(stride.toe_off - stride.start) / 2 for stride in strides if stride.side == side] for side in "LR"}
    every = [half for halves in found.values() for half in halves]
    return {side: float(np.median(halves or every)) for side, halves in found.items()}


def _between(times: Array, start: float, stop: float) -> Array:
    """Return those of ``times`` that are between ``start`` and ``stop``."""
    return times[(times > start) & (times < stop)]


def _sample(values: Array, time: float) -> Array:
    """Return the values (...) of signals (F, ...) at a time, frames, interpolated linearly; after the end, the last."""
    before = min(int(time), len(values) - 2)
    share = min(time - before, 1.0)
    return values[before] * (1 - share) + values[before + 1] * share


def _drift_free_range(values: Array) -> float:
    """Return the range of values (N) around the line from the first to the last, which have the same phase."""
    return float(np.ptp(values - np.linspace(values[0], values[-1], len(values))))


def _by_side(values: Array | None) -> dict[str, Array]:
    """Return the columns (F) of values (F, 2) by side; an empty dictionary if there are no values."""
    return {} if values is None else {"L": values[:, 0], "R": values[:, 1]}


def _known_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not ``None``; ``None`` if there are none."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
