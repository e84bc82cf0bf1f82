"""What bones' names say: sides and parts, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.rig.rig_guess.words import ParsedName, parse_name


@pytest.mark.parametrize(
    ("name", "side", "word"),
    [
        ("mixamorig:LeftUpLeg", "L", "upleg"),
        ("mixamorig1_RightForeArm", "R", "forearm"),
        ("Bip01 R Calf", "R", "calf"),
        ("ValveBiped.Bip01_L_UpperArm", "L", "upperarm"),
        ("CC_Base_L_Upperarm", "L", "upperarm"),
        ("J_Bip_C_UpperChest", "", "upperchest"),
        ("J_Bip_R_LowerLeg", "R", "lowerleg"),
        ("upperarm_l", "L", "upperarm"),
        ("thigh.R.001", "R", "thigh"),
        ("lThighBend", "L", "thigh"),
        ("rShldr", "R", "shldr"),
        ("lfemur", "L", "femur"),
        ("rfoot", "R", "foot"),
        ("DEF-forearm.L", "L", "forearm"),
        ("left_elbow", "L", "elbow"),
        ("spine_01", "", "spine"),
        ("Spine2", "", "spine"),
        ("Head", "", "head"),
        ("leg", "", "leg"),
        ("左ひざ", "L", "ひざ"),
        ("足首.L", "L", "足首"),
        ("上半身2", "", "上半身"),
    ],
)
def test_parts_and_sides(name: str, side: str, word: str) -> None:
    assert parse_name(name) == ParsedName(side, word)


def test_front_and_hind_legs() -> None:
    assert parse_name("FrontUpperLeg.L") == ParsedName("L", "upperleg", "front")
    assert parse_name("BackLowerLeg.R") == ParsedName("R", "lowerleg", "hind")
    assert parse_name("LeftForeArm") == ParsedName("L", "forearm")
    assert parse_name("Back") == ParsedName("", "back")
    assert parse_name("LowerBack") == ParsedName("", "lowerback")


@pytest.mark.parametrize(
    "name",
    [
        *("Bone", "Bone.001", "", "_", "Armature", "LeftHandIndex1", "HeadTop_End", "LeftToe_End", "hand_ik.L"),
        *("ik_hand_gun", "foot_roll.L", "upperarm_twist_01_l", "eye.L", "MCH-spine", "c_leg_pole.l", "左足ＩＫ"),
        "left_right_hand",
    ],
)
def test_what_is_no_part_of_the_frame(name: str) -> None:
    assert parse_name(name) is None


@given(st.text())
def test_any_name_is_read(name: str) -> None:
    read = parse_name(name)
    assert read is None or (read.side in ("", "L", "R") and read.word)
