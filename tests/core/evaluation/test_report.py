from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation import course_points, evaluate, mean_standing_heights, mocap_ratios, mocap_row
from footfall.core.evaluation.motion_detail import smooth_root_path
from footfall.core.evaluation.report import root_positions
from footfall.core.labelling import Labels
from footfall.core.motion import Clip
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, trot

Glide = Callable[..., Clip]
Label = Callable[[int], Labels]


def along(speed: float, frames: int = 300, offset: float = 0.0) -> np.ndarray:
    return np.column_stack([speed * np.arange(frames) / 60, np.full(frames, offset)])


def test_a_stiff_figure_gliding_beside_the_line_has_known_metrics(gliding: Glide, standing_labels: Label) -> None:
    report = evaluate(gliding(along(1.2, offset=0.03)), course_points("straight"), standing_labels(300), speed=1.2)
    expected = {
        "labels": "given",
        "cross_track_mean_cm": 3.0,
        "cross_track_max_cm": 3.0,
        "timed_mean_cm": 3.0,
        "skate_mean_cm_s": 120.0,
        "skate_p95_cm_s": 120.0,
        "drift_cm_s": 120.0,
        "penetration_max_mm": 0.0,
        "float_mean_mm": 0.0,
        "joint_rotation_deg_s": 0.0,
        "toe_lift_cm": 0.0,
        "hip_sway_cm": 0.0,
        "pelvis_lean_deg": 0.0,
        "speed_m_s": 1.2,
    }
    for key, value in expected.items():
        assert report[key] == (value if isinstance(value, str) else pytest.approx(value, abs=1e-4)), key


def test_the_timed_error_is_against_the_given_timing(gliding: Glide, standing_labels: Label) -> None:
    report = evaluate(gliding(along(1.2)), labels=standing_labels(300), targets=along(1.2) - [0.6, 0.0])
    assert report["timed_mean_cm"] == pytest.approx(60.0)


def test_the_first_second_does_not_count_for_the_path(gliding: Glide, standing_labels: Label) -> None:
    roots = along(1.2)
    roots[:60, 1] = 1.0
    report = evaluate(gliding(roots), course_points("straight"), standing_labels(300))
    assert report["cross_track_max_cm"] == pytest.approx(0.0)


def test_clearances_of_a_mocap_row_show_a_figure_that_floats(gliding: Glide, standing_labels: Label) -> None:
    clip = gliding(along(1.2), height=0.95)
    own = evaluate(clip, labels=standing_labels(300))
    beside = evaluate(clip, labels=standing_labels(300), standing_heights=np.array([0.08, 0.02, 0.08, 0.02]))
    assert own["float_mean_mm"] == pytest.approx(0.0)
    assert beside["float_mean_mm"] == pytest.approx(30.0)


def test_labels_of_another_clip_are_refused(gliding: Glide, standing_labels: Label) -> None:
    with pytest.raises(FootfallError, match="299 frames"):
        evaluate(gliding(along(1.2)), labels=standing_labels(299))


def test_a_single_frame_is_refused(gliding: Glide) -> None:
    with pytest.raises(FootfallError, match="fewer than two frames"):
        evaluate(gliding(along(1.2, frames=1)))


def test_a_clip_is_its_own_mocap_row_at_ratio_one(gliding: Glide) -> None:
    roots = along(1.2)
    roots[:, 1] = 0.02 * np.sin(np.arange(300) / 10)
    clip = gliding(roots)
    report = evaluate(clip, mocap=mocap_row([clip]))
    assert report["hip_sway_ratio"] == pytest.approx(1.0)
    assert report["jerk_ratio"] == pytest.approx(1.0)
    assert report["motion_detail_ratio"] is None  # nothing rotates in the row


def test_ratios_between_different_rates_are_refused(gliding: Glide) -> None:
    row = mocap_row([gliding(along(1.2), rate=120.0)])
    with pytest.raises(FootfallError, match="60 frames a second and the mocap row 120"):
        evaluate(gliding(along(1.2)), mocap=row)


def test_a_mocap_row_weighs_its_clips_by_their_frames(gliding: Glide) -> None:
    row = mocap_row([gliding(along(1.0, frames=300)), gliding(along(2.0, frames=100))])
    assert row["speed_m_s"] == pytest.approx(1.25)
    assert (row["clips"], row["frames"]) == (2, 400)


def test_people_stray_from_their_own_smoothed_course(gliding: Glide) -> None:
    time = np.arange(900) / 60
    swaying = gliding(np.column_stack([1.2 * time, 0.03 * np.sin(2 * np.pi * time)]))
    assert mocap_row([swaying])["cross_track_mean_cm"] == pytest.approx(3.0 * 2 / np.pi, rel=0.1)


def test_a_mocap_row_of_nothing_is_refused() -> None:
    with pytest.raises(FootfallError, match="at least one clip"):
        mocap_row([])


def test_a_row_takes_the_largest_of_maxima_and_leaves_out_what_is_unknown(gliding: Glide) -> None:
    still, moving = gliding(along(0.0, frames=100)), gliding(along(1.0, frames=300))
    reports = [evaluate(clip, smooth_root_path(clip.positions[:, 0, :2], 60.0)) for clip in (still, moving)]
    row = mocap_row([still, moving])
    for key in ("penetration_max_mm", "cross_track_max_cm"):
        assert row[key] == pytest.approx(max(float(report[key] or 0.0) for report in reports))
    assert row["labels"] == "re-detected" and row["rate_hz"] == 60.0
    known = [(float(report["skate_mean_cm_s"]), report["frames"]) for report in reports
             if report["skate_mean_cm_s"] is not None]  # fmt: skip
    assert row["skate_mean_cm_s"] == pytest.approx(
        np.average([value for value, _ in known], weights=[count for _, count in known])
    )
    assert row["arm_swing_deg"] is None


def test_clips_of_a_row_have_one_rate(gliding: Glide) -> None:
    with pytest.raises(FootfallError, match="need one frame rate"):
        mocap_row([gliding(along(1.2)), gliding(along(1.2), rate=120.0)])


def test_ratios_are_those_of_rotation_lift_sway_and_jerk() -> None:
    mine = {"rate_hz": 60.0, "joint_rotation_deg_s": 3.0, "toe_lift_cm": 8.0, "hip_sway_cm": None, "jerk_m_s3": 5.0}
    row = {"rate_hz": 60.0, "joint_rotation_deg_s": 6.0, "toe_lift_cm": 2.0, "hip_sway_cm": 4.0, "jerk_m_s3": 0.0}
    assert mocap_ratios(mine, row) == {
        "motion_detail_ratio": 0.5, "toe_lift_ratio": 4.0, "hip_sway_ratio": None, "jerk_ratio": None,
    }  # fmt: skip


def test_without_contacts_there_is_no_skate_and_no_float(gliding: Glide, standing_labels: Label) -> None:
    labels = standing_labels(300)
    up = replace(labels, contacts=np.zeros_like(labels.contacts))
    report = evaluate(gliding(along(1.2)), labels=up)
    assert report["skate_mean_cm_s"] is report["skate_p95_cm_s"] is report["float_mean_mm"] is None
    assert report["contact_share"] == 0.0
    half = replace(labels, contacts=labels.contacts * np.array([1.0, 0.5, 0.51, 0.0]))
    assert evaluate(gliding(along(1.2)), labels=half)["contact_share"] == 0.5


def test_depth_is_in_millimeters_below_the_given_ground(gliding: Glide, standing_labels: Label) -> None:
    clip, heights = gliding(along(1.2)), np.array([0.08, 0.02, 0.08, 0.02])
    report = evaluate(clip, labels=standing_labels(300), ground=0.01, standing_heights=heights)
    assert report["penetration_mean_mm"] == report["penetration_max_mm"] == pytest.approx(10.0)
    assert report["float_mean_mm"] == 0.0
    assert evaluate(clip, labels=standing_labels(300), ground=-0.02, standing_heights=heights)[
        "float_mean_mm"
    ] == pytest.approx(20.0)


def test_standing_heights_are_the_means_over_clips(gliding: Glide) -> None:
    heights = mean_standing_heights([gliding(np.zeros((60, 2)), height=height) for height in (0.92, 0.94)], 0.01)
    np.testing.assert_allclose(heights, [0.08, 0.02, 0.08, 0.02], atol=1e-9)


def test_a_dog_is_measured_by_the_middle_of_its_trunk_and_its_paws() -> None:
    clip, _ = trot(dog(), 241, travels=True)
    report = evaluate(clip)
    np.testing.assert_array_equal(root_positions(clip), root_track(clip).positions)
    assert report["speed_m_s"] == pytest.approx(2 * BEAT_HZ * STRIDE_M, rel=0.01)
    tracks = paw_tracks(clip)[..., 2]
    low, high = np.percentile(tracks, [5.0, 98.0], axis=0)
    assert report["toe_lift_cm"] == pytest.approx(100 * (high - low).mean(), rel=0.02)
    assert report["standing_knee_deg"] is None


def test_speed_metrics_are_told_of_a_commanded_speed_alone(gliding: Glide, standing_labels: Label) -> None:
    without = evaluate(gliding(along(1.2)), labels=standing_labels(300))
    assert not {"commanded_m_s", "speed_kept_m_s", "response_s", "cross_track_mean_cm", "timed_mean_cm"} & set(without)
    told = evaluate(gliding(along(1.2)), labels=standing_labels(300), speed=1.2)
    assert told["commanded_m_s"] == 1.2 and told["speed_kept_m_s"] == pytest.approx(1.2)
    assert told["response_s"] == pytest.approx(0.45, abs=0.02)
