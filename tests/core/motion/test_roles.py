"""Roles are found on every skeleton that people bring."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.roles import (
    LOCOMOTION_ROLES,
    guess_eyes,
    guess_roles,
    is_quadruped,
    split_joint_name,
)

MIXAMO = "Hips Spine Spine1 Spine2 Neck Head HeadTop_End LeftShoulder LeftArm LeftForeArm LeftHand LeftHandThumb1 "
MIXAMO += "RightShoulder RightArm RightForeArm RightHand LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftToe_End RightUpLeg "
MIXAMO += "RightLeg RightFoot RightToeBase"
UNREAL = "root pelvis spine_01 spine_02 spine_03 neck_01 head clavicle_l upperarm_l lowerarm_l hand_l clavicle_r "
UNREAL += "upperarm_r lowerarm_r hand_r thigh_l calf_l foot_l ball_l thigh_r calf_r foot_r ball_r"
XSENS = "Pelvis L5 L3 T12 T8 Neck Head RightShoulder RightUpperArm RightForeArm RightHand LeftShoulder LeftUpperArm "
XSENS += (
    "LeftForeArm LeftHand RightUpperLeg RightLowerLeg RightFoot RightToe LeftUpperLeg LeftLowerLeg LeftFoot LeftToe"
)
BIPED = "Bip01|Bip01 Pelvis|Bip01 Spine|Bip01 Spine1|Bip01 Neck|Bip01 Head|Bip01 L Clavicle|Bip01 L UpperArm|"
BIPED += "Bip01 L Forearm|Bip01 L Hand|Bip01 R Clavicle|Bip01 R UpperArm|Bip01 R Forearm|Bip01 R Hand|Bip01 L Thigh|"
BIPED += "Bip01 L Calf|Bip01 L Foot|Bip01 L Toe0|Bip01 R Thigh|Bip01 R Calf|Bip01 R Foot|Bip01 R Toe0"

EVERY_ROLE = {"hips", "spine", "chest", "neck", "head"} | {
    f"{part}.{side}"
    for part in ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
    for side in "LR"
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LeftUpLeg", ("L", "upleg")),
        ("lfemur", ("L", "femur")),
        ("lowerback", ("", "lowerback")),
        ("RThumb", ("R", "thumb")),
        ("rShldr", ("R", "shldr")),
        ("upperarm.l", ("L", "upperarm")),
        ("CC_Base_R_Thigh", ("R", "thigh")),
        ("CC_Base_Hip", ("", "hip")),
        ("right_hip", ("R", "hip")),
        ("thigh_r", ("R", "thigh")),
        ("neck", ("", "neck")),
        ("root", ("", "root")),
        ("L5", ("", "l5")),
    ],
)
def test_a_name_is_a_side_and_a_word(name: str, expected: tuple[str, str]) -> None:
    assert split_joint_name(name) == expected


def test_joints_named_after_joints_are_bones_that_begin_there() -> None:
    names = [
        "root",
        "chest",
        "neck",
        "right_hip",
        "right_knee",
        "right_ankle",
        "right_shoulder",
        "right_elbow",
        "right_wrist",
    ]
    roles = guess_roles(names)
    bound = {names[joint]: role for role, joint in roles.items()}
    assert bound["right_hip"] == "thigh.R"
    assert bound["right_shoulder"] == "upper_arm.R"
    assert bound["right_wrist"] == "hand.R"
    assert "shoulder.R" not in roles


SOURCES = {
    "accad_male1": EVERY_ROLE,
    "cmu_asfamc": EVERY_ROLE,
    "hdm05_asfamc": EVERY_ROLE,
    "cmu_ccbase": EVERY_ROLE,
    "cmu_daz": EVERY_ROLE - {"toe.L", "toe.R"},
    "cmu_3dsmax": EVERY_ROLE,
    "cmu_expmap": EVERY_ROLE,
    "cmu_deepmimic": EVERY_ROLE - {"toe.L", "toe.R", "spine", "head", "shoulder.L", "shoulder.R"},
    "animated_drawings": EVERY_ROLE,
    "kaykit_cc0": EVERY_ROLE - {"neck", "shoulder.L", "shoulder.R"},
}


@pytest.mark.parametrize("source", SOURCES)
def test_real_skeletons_have_their_roles_in_the_right_places(shared_data: Path, source: str) -> None:
    clip = read_bvh(min((shared_data / "mocap" / source).rglob("*.bvh")))
    skeleton = clip.skeleton
    assert skeleton.roles.keys() == SOURCES[source]
    skeleton.require_roles(LOCOMOTION_ROLES)
    assert skeleton.joint("hips") == 0
    for side in "LR":
        chain = [skeleton.joint(f"{part}.{side}") for part in ("foot", "shin", "thigh")]
        assert [skeleton.parents[joint] for joint in chain[:2]] == chain[1:]
        thigh, shin = (np.linalg.norm(skeleton.offsets[joint]) for joint in (chain[1], chain[0]))
        assert thigh == pytest.approx(shin, rel=0.6)
    assert [skeleton.mirror_pairs[skeleton.joint(f"{part}.L")] for part in ("thigh", "shin", "foot")] == [
        skeleton.joint(f"{part}.R") for part in ("thigh", "shin", "foot")
    ]


FOUR_LEGS = {f"{part}.{side}" for part in ("thigh", "shin", "front_thigh", "front_shin") for side in "LR"}


def test_animals_have_four_legs_and_no_arms(shared_data: Path) -> None:
    for path in sorted((shared_data / "mocap" / "quaternius_animals_cc0").rglob("*_Walk.bvh")):
        skeleton = read_bvh(path).skeleton
        assert skeleton.roles.keys() == FOUR_LEGS | {"front_shoulder.L", "front_shoulder.R", "hips", "neck", "head"}
        assert is_quadruped(skeleton.roles)
        for side in "LR":
            assert skeleton.names[skeleton.joint(f"shin.{side}")] == f"BackLowerLeg.{side}"
            assert skeleton.names[skeleton.joint(f"front_thigh.{side}")] == f"FrontUpperLeg.{side}"
            for part in ("thigh", "front_thigh"):
                joint = skeleton.joint(f"{part}.{side}")
                shin = skeleton.joint(f"{part.replace('thigh', 'shin')}.{side}")
                assert skeleton.parents[shin] == joint
                assert np.linalg.norm(skeleton.tips[shin]) > 0.1  # the paw
                assert skeleton.mirror_pairs[joint] == skeleton.joint(f"{part}.{'R' if side == 'L' else 'L'}")
        with pytest.raises(FootfallError, match=r"foot\.L"):
            skeleton.require_roles(LOCOMOTION_ROLES)


def test_dogs_with_front_and_hind_paws_have_feet() -> None:
    limbs = ["thigh", "shin", "foot", "toe", "front_thigh", "front_shin", "front_foot", "front_toe", "shoulder"]
    names = ["pelvis", "spine", "neck", "head", *(f"{limb}.{side}" for limb in limbs for side in "LR")]
    bound = {role: names[joint] for role, joint in guess_roles(names).items()}
    assert {bound[f"{part}.L"] for part in ("thigh", "shin", "foot", "toe")} == {"thigh.L", "shin.L", "foot.L", "toe.L"}
    assert (bound["front_foot.R"], bound["front_shoulder.R"], bound["hips"]) == ("front_foot.R", "shoulder.R", "pelvis")
    assert not [role for role in bound if role.startswith(("hand", "upper_arm", "forearm"))]

    names = "Hips Left_Hind_UpLeg Left_Hind_LowLeg Left_Hind_Paw Right_Hind_UpLeg Right_Hind_LowLeg Right_Hind_Paw "
    names += "Left_Fore_UpLeg Left_Fore_LowLeg Left_Fore_Paw Right_Fore_UpLeg Right_Fore_LowLeg Right_Fore_Paw"
    bound = {role: names.split()[joint] for role, joint in guess_roles(names.split()).items()}
    assert (bound["foot.L"], bound["front_foot.R"]) == ("Left_Hind_Paw", "Right_Fore_Paw")
    assert (bound["thigh.R"], bound["front_shin.L"]) == ("Right_Hind_UpLeg", "Left_Fore_LowLeg")


@pytest.mark.parametrize(
    "names", [("LeftEye", "RightEye"), ("eye.L", "eye.R"), ("J_Adj_L_FaceEye", "J_Adj_R_FaceEye"), ("Eye_L", "Eye_R")]
)
def test_eyes_are_what_is_called_so_below_the_head(names: tuple[str, str]) -> None:
    bones = ("hips", "eyeTarget.L", "head", "eyelid.L", *names, "eye")
    assert guess_eyes(bones, (-1, 0, 0, 2, 2, 3, 2), 2) == {"eye.L": 4, "eye.R": 5}
    assert guess_eyes(bones, (-1, 0, 0, 2, 0, 0, 2), 2) == {}, "not below it"
