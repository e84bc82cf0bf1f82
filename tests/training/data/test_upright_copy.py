"""Crouched takes that stand up."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation.posture import directed_lean, trunk_vectors
from footfall.core.features.crouch import crouch_depth
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.training.data.upright_copy import stand_up


@pytest.fixture(scope="module")
def crouched(shared_data: Path) -> Clip:
    """A walk ahead, then backward and aside in a crouch, of 15 seconds."""
    return read_bvh(shared_data / "mocap/o3de_rin/crouch/Crouching1.bvh").cut(0, 900)


@pytest.fixture(scope="module")
def contacts(crouched: Clip) -> FootContacts:
    return label_clip(crouched).foot_contacts


@pytest.fixture(scope="module")
def upright(crouched: Clip, contacts: FootContacts) -> Clip:
    return stand_up(crouched, contacts)


def test_the_crouched_frames_stand_as_the_upright_ones(crouched: Clip, upright: Clip) -> None:
    stood = crouch_depth(crouched) < 0.05
    hips = crouched.skeleton.joint("hips")
    crouch = crouch_depth(crouched) > 0.3
    assert crouched.positions[crouch, hips, 2].mean() < crouched.positions[stood, hips, 2].mean() - 0.12
    assert upright.positions[crouch, hips, 2].mean() > crouched.positions[stood, hips, 2].mean() - 0.04
    lean = [
        directed_lean(trunk_vectors(clip), facing_direction(root_track(clip).yaws))[0] for clip in (crouched, upright)
    ]
    assert lean[1][crouch].mean() == pytest.approx(lean[0][stood].mean(), abs=6)


def test_feet_step_where_they_stepped(crouched: Clip, upright: Clip) -> None:
    ankles = [crouched.skeleton.joint(f"foot.{side}") for side in "LR"]
    np.testing.assert_allclose(upright.positions[:, ankles], crouched.positions[:, ankles], atol=0.002)


def test_the_hips_are_over_the_feet(crouched: Clip, upright: Clip) -> None:
    hips, feet = (
        upright.positions[:, [upright.skeleton.joint(name) for name in names], :2].mean(axis=1)
        for names in (("hips",), ("foot.L", "foot.R"))
    )
    ahead = np.sum((hips - feet) * facing_direction(root_track(upright).yaws), axis=-1)
    assert abs(float(ahead[crouch_depth(crouched) > 0.3].mean())) < 0.08


def test_upright_frames_stay_as_they_are(crouched: Clip, upright: Clip) -> None:
    first = slice(0, 60)
    assert crouch_depth(crouched)[:120].max() < 0.05
    np.testing.assert_allclose(upright.positions[first], crouched.positions[first], atol=0.005)


def test_a_take_without_upright_frames_is_refused(crouched: Clip, contacts: FootContacts) -> None:
    deep = slice(*np.flatnonzero(crouch_depth(crouched) > 0.15)[[0, -1]])
    low = replace(crouched, root_positions=crouched.root_positions[deep], rotations=crouched.rotations[deep])
    always = crouch_depth(low) > 0.06
    low = replace(low, root_positions=low.root_positions[always], rotations=low.rotations[always])
    with pytest.raises(FootfallError, match="no upright frames"):
        stand_up(low, FootContacts(contacts.probabilities[deep][always]))
