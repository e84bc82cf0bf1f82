from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation import course_points, evaluate, mocap_row
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


def test_clearances_of_a_mocap_row_show_a_figure_that_floats(gliding: Glide, standing_labels: Label) -> None:
    clip = gliding(along(1.2), height=0.95)
    own = evaluate(clip, labels=standing_labels(300))
    beside = evaluate(clip, labels=standing_labels(300), standing_heights=np.array([0.08, 0.02, 0.08, 0.02]))
    assert own["float_mean_mm"] == pytest.approx(0.0)
    assert beside["float_mean_mm"] == pytest.approx(30.0)


def test_labels_of_another_clip_are_refused(gliding: Glide, standing_labels: Label) -> None:
    with pytest.raises(FootfallError, match="299 frames"):
        evaluate(gliding(along(1.2)), labels=standing_labels(299))


def test_a_clip_is_its_own_mocap_row_at_ratio_one(gliding: Glide) -> None:
    roots = along(1.2)
    roots[:, 1] = 0.02 * np.sin(np.arange(300) / 10)
    clip = gliding(roots)
    report = evaluate(clip, mocap=mocap_row([clip]))
    assert report["hip_sway_ratio"] == pytest.approx(1.0)
    assert report["jerk_ratio"] == pytest.approx(1.0)
    assert report["motion_detail_ratio"] is None  # nothing rotates in the row


def test_a_mocap_row_weighs_its_clips_by_their_frames(gliding: Glide) -> None:
    row = mocap_row([gliding(along(1.0, frames=300)), gliding(along(2.0, frames=100))])
    assert row["speed_m_s"] == pytest.approx(1.25)
    assert (row["clips"], row["frames"]) == (2, 400)


def test_people_stray_from_their_own_smoothed_course(gliding: Glide) -> None:
    time = np.arange(900) / 60
    swaying = gliding(np.column_stack([1.2 * time, 0.03 * np.sin(2 * np.pi * time)]))
    assert mocap_row([swaying])["cross_track_mean_cm"] == pytest.approx(3.0 * 2 / np.pi, rel=0.1)


def test_a_dog_is_measured_by_the_middle_of_its_trunk_and_its_paws() -> None:
    clip, _ = trot(dog(), 241, travels=True)
    report = evaluate(clip)
    np.testing.assert_array_equal(root_positions(clip), root_track(clip).positions)
    assert report["speed_m_s"] == pytest.approx(2 * BEAT_HZ * STRIDE_M, rel=0.01)
    tracks = paw_tracks(clip)[..., 2]
    low, high = np.percentile(tracks, [5.0, 98.0], axis=0)
    assert report["toe_lift_cm"] == pytest.approx(100 * (high - low).mean(), rel=0.02)
    assert report["standing_knee_deg"] is None
