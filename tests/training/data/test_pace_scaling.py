"""Walks with shorter and longer steps."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.evaluation.gait_analysis import analyze_gait
from footfall.core.labelling import label_clip
from footfall.core.labelling.contacts.sensor_tracks import sensor_tracks
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.root_frame import root_track
from footfall.core.retarget.fit import fit_clip
from footfall.training.data.pace_scaling import scale_steps


@pytest.fixture(scope="module")
def walk(shared_data: Path) -> Clip:
    clip = read_bvh(shared_data / "mocap/cmu_asfamc/walk/35_01.bvh").resampled(60.0)
    return fit_clip(clip, clip.skeleton, labels=label_clip(clip))


@pytest.mark.parametrize("factor", [0.6, 0.8, 1.15])
def test_steps_are_scaled_and_their_width_stays(walk: Clip, factor: float) -> None:
    before = analyze_gait(walk)
    after = analyze_gait(scale_steps(walk, label_clip(walk).foot_contacts, factor))
    assert after["speed_m_s"] == pytest.approx(factor * before["speed_m_s"], rel=0.04)
    assert after["cadence_steps_min"] == pytest.approx(before["cadence_steps_min"], rel=0.03)
    assert after["step_width_cm"] == pytest.approx(before["step_width_cm"], abs=1.5)


def test_legs_that_stand_stay_as_straight(walk: Clip) -> None:
    """Hips rise over shorter steps: a person who steps shorter does not squat."""
    contacts = label_clip(walk).foot_contacts
    short = scale_steps(walk, contacts, 0.6)
    thigh, foot = (walk.skeleton.joint(name) for name in ("thigh.L", "foot.L"))
    stands = contacts.held[:, :2].any(axis=1)
    reach = [
        np.linalg.norm(clip.positions[stands, thigh] - clip.positions[stands, foot], axis=-1) for clip in (walk, short)
    ]
    assert abs(reach[1].mean() - reach[0].mean()) < 0.016


def test_planted_feet_stay_about_as_planted_as_they_were(walk: Clip) -> None:
    contacts = label_clip(walk).foot_contacts
    held = contacts.held[1:] & contacts.held[:-1]
    slides = []
    for clip in (walk, scale_steps(walk, contacts, 0.7)):
        soles = sensor_tracks(clip, BIPED_PRESET)[..., :2]
        slides.append(float((np.linalg.norm(np.diff(soles, axis=0), axis=-1) * clip.rate)[held].mean()))
    assert slides[1] < slides[0] + 0.03


def test_slanted_steps_go_aside_while_the_body_faces_ahead(walk: Clip) -> None:
    contacts = label_clip(walk).foot_contacts
    slanted = scale_steps(walk, contacts, 0.7, slant=0.8)
    ways = [clip.root_positions[-1, :2] - clip.root_positions[0, :2] for clip in (walk, slanted)]
    right = (ways[1] @ [ways[0][1], -ways[0][0]]) / np.linalg.norm(ways[0])
    assert right == pytest.approx(0.7 * 0.8 * np.linalg.norm(ways[0]), rel=0.02)
    assert np.abs(root_track(slanted).yaws - root_track(walk).yaws).max() < 0.15


def test_planted_feet_stay_about_as_planted_in_slanted_steps(walk: Clip) -> None:
    contacts = label_clip(walk).foot_contacts
    held = contacts.held[1:] & contacts.held[:-1]
    slides = []
    for clip in (walk, scale_steps(walk, contacts, 0.7, slant=-0.8)):
        soles = sensor_tracks(clip, BIPED_PRESET)[..., :2]
        slides.append(float((np.linalg.norm(np.diff(soles, axis=0), axis=-1) * clip.rate)[held].mean()))
    assert slides[1] < slides[0] + 0.06
