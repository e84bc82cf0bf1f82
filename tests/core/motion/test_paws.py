"""Paws and the legs that lead to them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.paws import (
    LegChain,
    ancestors,
    chest_joint,
    lowest_joint,
    paw_tracks,
    require_four_legs,
    require_whole_legs,
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


def test_the_legs_that_are_not_mapped_are_named() -> None:
    roles = {role: joint for role, joint in dog().roles.items() if role != "front_shin.R"}
    with pytest.raises(FootfallError, match="the right front leg is not mapped"):
        require_four_legs(replace(dog(), roles=roles))
    require_four_legs(dog())


def test_a_paw_is_the_end_of_the_lowest_bone_that_has_one() -> None:
    skeleton = dog()
    assert lowest_joint(skeleton, "foot.L") == (skeleton.roles["toe.L"],) * 2
    roles = {role: joint for role, joint in skeleton.roles.items() if not role.startswith(("toe", "front_toe"))}
    ankles = replace(skeleton, roles=roles)
    assert lowest_joint(ankles, "front_foot.R") == (roles["front_foot.R"], None), "its tip is the paw"
    offsets = skeleton.offsets.copy()
    offsets[skeleton.roles["toe.R"]] = 0.0
    short = replace(ankles, offsets=offsets)
    assert lowest_joint(short, "foot.R") == (roles["foot.R"],) * 2, "a bone of no length has none"
    with pytest.raises(FootfallError, match=r"shin\.L"):
        lowest_joint(replace(skeleton, roles={"hips": 0}), "foot.L")


def test_a_toe_is_the_paw_also_if_it_has_a_tip() -> None:
    skeleton = dog()
    tips = skeleton.tips.copy()
    tips[skeleton.roles["toe.L"]] = [0.0, -0.05, 0.0]
    assert lowest_joint(replace(skeleton, tips=tips), "foot.L") == (skeleton.roles["toe.L"],) * 2


def test_joints_above_a_joint_are_its_parent_first() -> None:
    skeleton = dog()
    names = [skeleton.names[joint] for joint in ancestors(skeleton, skeleton.roles["front_shin.L"])]
    assert names == ["front_thigh.L", "chest", "spine", "hips"]
    assert ancestors(skeleton, 0) == []


def test_paws_are_where_the_joints_of_toes_are_and_in_their_order() -> None:
    clip, _ = trot(dog(), travels=True)
    roles = [clip.skeleton.roles[role] for role in ("toe.L", "front_toe.L", "toe.R", "front_toe.R")]
    np.testing.assert_allclose(paw_tracks(clip), clip.positions[:, roles], atol=1e-9)


@pytest.mark.parametrize(("lost", "named"), [("thigh.R", "right hind"), ("front_thigh.L", "left front")])
def test_a_body_with_one_front_leg_needs_all_four(lost: str, named: str) -> None:
    skeleton = dog()
    roles = {role: joint for role, joint in skeleton.roles.items() if role != lost}
    with pytest.raises(FootfallError, match=f"the {named} leg is not mapped"):
        require_whole_legs(replace(skeleton, roles=roles))
    require_whole_legs(skeleton)


def test_a_body_without_a_whole_front_leg_is_a_biped() -> None:
    roles = {role: joint for role, joint in dog().roles.items() if not role.startswith("front_shin")}
    require_whole_legs(replace(dog(), roles=roles))
