"""Paws and the legs that lead to them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.paws import (
    LegChain,
    chest_joint,
    paw_tracks,
)
from footfall.core.motion.roles import FOOT_CONTACTS, PAW_CONTACTS, contact_names, contact_roles
from footfall.core.motion.root_frame import root_track
from footfall.tests.support.dog import dog, standing, trot


def test_a_leg_leads_from_the_hip_over_the_hock_to_the_paw() -> None:
    skeleton = dog()
    leg = LegChain.of(skeleton, "foot.L")
    assert [skeleton.names[joint] for joint in leg.joints] == ["thigh.L", "shin.L", "foot.L"]
    assert leg.paw == skeleton.roles["toe.L"]
    bones = [np.linalg.norm(skeleton.offsets[skeleton.roles[f"{part}.L"]]) for part in ("shin", "foot", "toe")]
    assert leg.length(skeleton) == pytest.approx(sum(bones))
    assert skeleton.names[chest_joint(skeleton)] == "chest"


def test_a_leg_without_a_paw_s_joint_ends_at_the_tip_of_its_last_bone() -> None:
    skeleton = dog()
    roles = {role: joint for role, joint in skeleton.roles.items() if not role.endswith(("toe.L", "toe.R"))}
    leg = LegChain.of(replace(skeleton, roles=roles), "front_foot.R")
    assert leg.paw is None
    assert np.allclose(leg.tip, skeleton.offsets[skeleton.roles["front_toe.R"]])
    same = paw_tracks(replace(standing(skeleton), skeleton=replace(skeleton, roles=roles)))
    assert np.allclose(same, paw_tracks(standing(skeleton)))


def test_contacts_are_those_of_the_body() -> None:
    assert contact_names(dog().roles) == PAW_CONTACTS
    assert contact_roles(dog().roles) == ("toe.L", "front_toe.L", "toe.R", "front_toe.R")
    assert contact_roles({"foot.L", "toe.L", "thigh.L"}) == FOOT_CONTACTS


def test_the_root_is_below_the_middle_of_the_trunk_and_faces_the_chest() -> None:
    clip, _ = trot(dog(), travels=True)
    track = root_track(clip)
    assert np.allclose(np.abs(track.yaws), np.pi), "it faces -Y"
    hips = clip.positions[:, 0, :2]
    assert np.allclose(track.positions - hips, [0.0, -0.225])
