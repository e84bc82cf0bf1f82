"""All metrics of a clip, the same metrics of captured clips (the mocap row), and the ratios of the two."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..labelling import Labels, label_clip
from ..labelling.contacts.sensor_tracks import sensor_tracks
from ..labelling.presets import BIPED_PRESET, preset_of_body
from ..motion.clip import Clip
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.paws import paw_tracks
from ..motion.roles import PAW_CONTACTS, is_quadruped
from ..motion.root_frame import root_track
from ..motion.rotations import Array
from ..motion.signals import Mask
from . import feet, motion_detail, path_error
from .likeness import measure_likeness
from .response import response_time, sustained_speed
from .speed import moving_frames, travel_speed
from .usual_ranges import LIKENESS_MEASURES

MetricValue = float | int | str | None
"""Value of a metric, ``None`` if it cannot be measured."""
MetricReport = dict[str, MetricValue]
"""Metrics by name; names end in their unit."""

SETTLING_S: Final = 1.0
"""Time at the start that path errors ignore, while the character sets off."""
DETAIL_METRICS: Final = ("joint_rotation_deg_s", "toe_lift_cm", "hip_sway_cm", "jerk_m_s3")
"""Metrics of motion detail for comparison with the mocap row."""
_MAXIMUM_METRICS: Final = ("penetration_max_mm", "cross_track_max_cm", "joint_speed_max_rad_s")
"""Metrics of which a mocap row holds the maximum over all clips instead of the mean."""


def evaluate(
    clip: Clip,
    path: Array | None = None,
    labels: Labels | None = None,
    *,
    speed: float | None = None,
    targets: Array | None = None,
    ground: float | None = None,
    standing_heights: Array | None = None,
    mocap: Mapping[str, MetricValue] | None = None,
) -> MetricReport:
    """Return the metrics of a clip by name, as METRICS.md defines them; names end in the unit.

    The root is the hips joint projected on the ground, unfiltered, or the middle of a quadruped's trunk; heel is the
    foot joint, toe the toe joint. Contacts and skate are measured at points of the foot, see ``motion.heel``, since the
    ankle moves while the foot rolls over its heel.

    Args:
        clip: the motion.
        path: (N, 2) path to follow, meters; adds the cross-track error.
        labels: labels with the contacts to use, the controller's own or a user's; detected in the clip by default.
        speed: commanded speed, m/s, of a walk that starts from standing; adds response time and sustained speed.
        targets: (F, 2) planned root positions, meters; adds the timed error. By default, if path and speed are given,
            those of a walk at constant speed from the first frame on.
        ground: height of the ground, meters; the labels' by default.
        standing_heights: (C) heights, meters, of the contact joints above the ground while they stand, measured in
            other clips; by default measured in this clip, which cannot reveal a body that floats or sinks throughout.
        mocap: metrics from :func:`mocap_row`; adds the ratios to them.

    Raises:
        FootfallError: the clip has fewer than two frames, the skeleton lacks hips or feet, or the labels belong to
            another clip.
    """
    if len(clip) < 2:
        raise FootfallError(
            "'{name}' has fewer than two frames, so there is no motion to measure: choose a longer clip", name=clip.name
        )
    label_source = "re-detected" if labels is None else "given"
    labels = label_clip(clip, preset_of_body(clip.skeleton.roles)) if labels is None else labels
    if len(labels.contacts) != len(clip):
        raise FootfallError(
            "The labels have {labels} frames, but the clip '{name}' has {frames}: use the labels of this clip",
            labels=len(labels.contacts),
            name=clip.name,
            frames=len(clip),
        )
    roots = root_positions(clip)
    report: MetricReport = {"frames": len(clip), "rate_hz": clip.rate, "labels": label_source}
    report |= _speed_metrics(roots, clip.rate, speed)
    if path is not None:
        report |= _path_metrics(roots, clip.rate, path)
    if targets is None and path is not None and speed is not None:
        targets = path_error.constant_speed_positions(path, speed, len(roots), clip.rate)
    if targets is not None:
        report["timed_mean_cm"] = 100 * float(path_error.timed_error(roots, targets).mean())
    report |= _skate_metrics(clip, labels)
    report |= _foot_metrics(clip, labels, labels.ground if ground is None else ground, standing_heights)
    report |= _detail_metrics(clip, roots)
    report |= _likeness_metrics(clip)
    if mocap is not None:
        report |= mocap_ratios(report, mocap)
    return report


def mocap_row(
    clips: Sequence[Clip], *, ground: float | None = None, standing_heights: Array | None = None
) -> MetricReport:
    """Return the metrics of captured clips of one rate together: means weighted by frames, maxima over all clips.

    Captured walks follow no drawn path: their cross-track error is relative to their own smoothed path.

    Args:
        clips: the captured clips.
        ground: height of the ground, meters; the labels' by default.
        standing_heights: (C) heights, meters, of contact joints above the ground while they stand; each clip's own by
            default.

    Raises:
        FootfallError: there are no clips, or their rates differ, which affects jerk and skate.
    """
    if not clips:
        raise FootfallError("The comparison with captured motion needs at least one clip: name one")
    if len({clip.rate for clip in clips}) > 1:
        raise FootfallError(
            "The captured clips for the comparison have different frame rates: resample them to one rate first"
        )
    reports = []
    for clip in clips:
        course = motion_detail.smooth_root_path(root_positions(clip), clip.rate)
        reports.append(evaluate(clip, course, ground=ground, standing_heights=standing_heights))
    frames = np.array([report["frames"] for report in reports], dtype=float)
    row: MetricReport = {
        "frames": int(frames.sum()),
        "rate_hz": clips[0].rate,
        "labels": "re-detected",
        "clips": len(clips),
    }
    for key in reports[0]:
        if key not in row:
            values = np.array([report[key] for report in reports], dtype=float)
            known = ~np.isnan(values)
            if not known.any():
                row[key] = None
            elif key in _MAXIMUM_METRICS:
                row[key] = float(values[known].max())
            else:
                row[key] = float(np.average(values[known], weights=frames[known]))
    return row


def mean_standing_heights(clips: Sequence[Clip], ground: float) -> Array:
    """Return the mean heights (C), meters, of contact joints above the ground while they stand, over several clips.

    Args:
        clips: clips of one skeleton.
        ground: height of the ground, meters.
    """
    labelled = [(clip, label_clip(clip, preset_of_body(clip.skeleton.roles))) for clip in clips]
    rows = [
        feet.standing_heights(_contact_joint_positions(clip, labels), labels.contacts, ground)
        for clip, labels in labelled
    ]
    return np.mean(rows, axis=0)


def mocap_ratios(report: Mapping[str, MetricValue], mocap: Mapping[str, MetricValue]) -> MetricReport:
    """Return a report's joint rotation, toe lift, hip sway and jerk, each divided by its value in the mocap row.

    Raises:
        FootfallError: report and mocap row have different frame rates.
    """
    if report["rate_hz"] != mocap["rate_hz"]:
        raise FootfallError(
            "The clip has {rate} frames per second, but the captured clips have {captured_rate}: resample one "
            "of them, since jerk depends on the frame rate",
            rate=f"{report['rate_hz']:g}",
            captured_rate=f"{mocap['rate_hz']:g}",
        )
    names = ("motion_detail_ratio", "toe_lift_ratio", "hip_sway_ratio", "jerk_ratio")
    return {name: _ratio(report[key], mocap[key]) for name, key in zip(names, DETAIL_METRICS, strict=True)}


def root_positions(clip: Clip) -> Array:
    """Return the root positions (F, 2), meters: below the hips, or below the middle of a quadruped's trunk."""
    if is_quadruped(clip.skeleton.roles):
        return root_track(clip).positions
    return clip.positions[:, clip.skeleton.joint("hips"), :2]


def _speed_metrics(roots: Array, rate: float, commanded: float | None) -> MetricReport:
    """Return the metrics of speed and of response to the commanded speed."""
    moving = moving_frames(roots, rate)
    result: MetricReport = {"speed_m_s": float(travel_speed(roots, rate)[moving].mean())}
    if commanded is not None:
        result["commanded_m_s"] = commanded
        result["speed_kept_m_s"] = sustained_speed(roots, rate, commanded)
        result["response_s"] = response_time(roots, rate, commanded)
    return result


def _path_metrics(roots: Array, rate: float, points: Array) -> MetricReport:
    """Return the cross-track error after the settling time."""
    settled = min(round(SETTLING_S * rate), len(roots) - 1)
    off = path_error.cross_track_error(roots[settled:], points)
    return {"cross_track_mean_cm": 100 * float(off.mean()), "cross_track_max_cm": 100 * float(off.max())}


def _skate_metrics(clip: Clip, labels: Labels) -> MetricReport:
    """Return the metrics of foot skate."""
    points = (
        sensor_tracks(clip, BIPED_PRESET)
        if tuple(labels.contact_joints) == BIPED_PRESET.sensor_names
        else _contact_joint_positions(clip, labels)
    )
    standing = feet.skate_speeds(points, labels.contacts, clip.rate)
    return {
        "skate_mean_cm_s": 100 * float(standing.mean()) if len(standing) else None,
        "skate_p95_cm_s": 100 * float(np.percentile(standing, 95)) if len(standing) else None,
    }


def _foot_metrics(clip: Clip, labels: Labels, ground: float, standing_heights: Array | None) -> MetricReport:
    """Return the metrics of contact, drift, penetration and float."""
    joints = _contact_joint_positions(clip, labels)
    if standing_heights is None:
        standing_heights = feet.standing_heights(joints, labels.contacts, ground)
    heights = feet.sole_heights(joints, ground, standing_heights)
    depth, above = feet.penetration_depths(heights), feet.floating_heights(heights, labels.contacts)
    return {
        "contact_share": float((labels.contacts > CONTACT_THRESHOLD).mean()),
        "drift_cm_s": 100 * feet.drift_speed(joints, heights, clip.rate),
        "penetration_mean_mm": 1000 * float(depth.mean()),
        "penetration_max_mm": 1000 * float(depth.max()),
        "float_mean_mm": 1000 * float(above.mean()) if len(above) else None,
    }


def _detail_metrics(clip: Clip, roots: Array) -> MetricReport:
    """Return the metrics of motion detail."""
    moving = moving_frames(roots, clip.rate)
    roles = clip.skeleton.roles
    toes = [roles[role] for role in ("toe.L", "toe.R") if role in roles]
    lifted = paw_tracks(clip) if is_quadruped(roles) else clip.positions[:, toes]
    sway = motion_detail.hip_sway(roots, clip.rate, moving)
    return {
        "joint_rotation_deg_s": float(np.degrees(motion_detail.joint_rotation_speed(clip, moving))),
        "toe_lift_cm": 100 * motion_detail.toe_lift(lifted, moving) if lifted.shape[1] else None,
        "hip_sway_cm": None if sway is None else 100 * sway,
        "jerk_m_s3": motion_detail.mean_jerk(clip, moving),
        "pelvis_lean_deg": _lean_degrees(clip, "hips", moving),
        "chest_lean_deg": _lean_degrees(clip, "chest", moving),
    }


def _likeness_metrics(clip: Clip) -> MetricReport:
    """Return the metrics of standing, steps and turns that are compared with people's, see :func:`.find_faults`."""
    figures = measure_likeness(clip)
    return {measure: figures[measure].value if measure in figures else None for measure in LIKENESS_MEASURES}


def _lean_degrees(clip: Clip, role: str, moving: Mask) -> float | None:
    """Return a joint's mean angle from upright while traveling, degrees; walking bodies lean by some degrees."""
    leaning = motion_detail.mean_lean(clip, role, moving)
    return None if leaning is None else float(np.degrees(leaning))


def _contact_joint_positions(clip: Clip, labels: Labels) -> Array:
    """Return the world positions (F, C, 3) of the labels' contact joints; the foot replaces a missing toe."""
    roles = clip.skeleton.roles
    if is_quadruped(roles) and tuple(labels.contact_joints) == PAW_CONTACTS:
        return paw_tracks(clip)
    joints = [roles.get(role, clip.skeleton.joint(role.replace("toe", "foot"))) for role in labels.contact_joints]
    return clip.positions[:, joints]


def _ratio(value: MetricValue, reference: MetricValue) -> float | None:
    """Return the ratio of two values; ``None`` if it is undefined."""
    if not isinstance(value, int | float) or not isinstance(reference, int | float) or reference == 0:
        return None
    return value / reference
