"""Clips bent along curves."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.contacts.sensor_tracks import sensor_tracks
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.root_frame import root_track
from footfall.core.retarget.fit import fit_clip
from footfall.training.data.curve_bending import bend_clip


@pytest.fixture(scope="module")
def walk(shared_data: Path) -> Clip:
    clip = read_bvh(shared_data / "mocap/cmu_asfamc/walk/35_01.bvh").resampled(60.0)
    return fit_clip(clip, clip.skeleton)


@pytest.mark.parametrize("curvature", [-0.5, 0.5])
def test_a_straight_walk_becomes_an_arc_of_the_curvature(walk: Clip, curvature: float) -> None:
    bent = bend_clip(walk, label_clip(walk).foot_contacts, curvature)
    before, after = root_track(walk), root_track(bent)
    inner = slice(30, -30)  # facing is smoothed, and nobody knows what came before the clip
    way = np.linalg.norm(np.diff(before.positions[inner], axis=0), axis=-1).sum()
    turns = (after.yaws - before.yaws)[inner]
    assert turns[-1] - turns[0] == pytest.approx(curvature * way, rel=0.05)
    length = np.linalg.norm(np.diff(after.positions[inner], axis=0), axis=-1).sum()
    assert length == pytest.approx(way, rel=0.01)


def test_planted_feet_stay_planted(walk: Clip) -> None:
    contacts = label_clip(walk).foot_contacts
    held = contacts.held
    bent = bend_clip(walk, contacts, 0.5)
    soles = sensor_tracks(bent, BIPED_PRESET)[..., :2]
    speeds = np.linalg.norm(np.diff(soles, axis=0), axis=-1) * bent.rate
    assert speeds[held[1:] & held[:-1]].mean() < 0.01
