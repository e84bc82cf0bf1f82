"""What bones' names say: sides and parts, and what is none."""

import pytest

from footfall.core.rig.rig_guess.words import ParsedName, parse_name, read_names
from footfall.tests.support.small_rigs import body_tree, bone


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
def test_names_that_are_no_part_of_the_frame(name: str) -> None:
    assert parse_name(name) is None


def named(*bones: tuple[str, str], shape: dict[str, str] | None = None) -> dict[str, str]:
    """Return the names of bones by the roles that they show; bones are given by name and parent, one above another."""
    tree = body_tree([(name, parent, (0, 0, n), (0, 0, n + 1)) for n, (name, parent) in enumerate(bones)])
    found = read_names(tree, {role: bone(tree, name) for role, name in (shape or {}).items()})
    return {role: tree.rig.names[one] for role, one in found.items()}


LEGS = tuple(
    (f"{side}{part}", f"{side}{above}" if above else "Hips")
    for side in ("Left", "Right")
    for part, above in (("UpLeg", ""), ("Leg", "UpLeg"), ("Foot", "Leg"), ("Toe", "Foot"))
)
ARMS = tuple(
    (f"{side}{part}", f"{side}{above}" if above else "Chest")
    for side in ("Left", "Right")
    for part, above in (("Shoulder", ""), ("Arm", "Shoulder"), ("ForeArm", "Arm"), ("Hand", "ForeArm"))
)
TRUNK = (("Hips", ""), ("Spine", "Hips"), ("Chest", "Spine"), ("Neck", "Chest"), ("Head", "Neck"))


def test_a_persons_names_show_all_roles() -> None:
    sided = {
        f"{part}.{side[0]}": f"{side}{word}"
        for side in ("Left", "Right")
        for part, word in (
            *(("thigh", "UpLeg"), ("shin", "Leg"), ("foot", "Foot"), ("toe", "Toe")),
            *(("shoulder", "Shoulder"), ("upper_arm", "Arm"), ("forearm", "ForeArm"), ("hand", "Hand")),
        )
    }
    central = {"hips": "Hips", "spine": "Spine", "spine_2": "Chest", "neck": "Neck", "head": "Head"}
    assert named(*TRUNK, *LEGS, *ARMS) == sided | central


def test_without_a_word_for_thighs_legs_are_thighs_and_knees_shins() -> None:
    found = named(("Hips", ""), ("LeftLeg", "Hips"), ("LeftShin", "LeftLeg"), ("RightLeg", "Hips"))
    assert found == {"hips": "Hips", "thigh.L": "LeftLeg", "shin.L": "LeftShin", "thigh.R": "RightLeg"}


def test_where_elbows_and_knees_are_named_shoulders_and_hips_are_joints() -> None:
    joints = (("L_Hip", "Pelvis"), ("L_Knee", "L_Hip"), ("L_Collar", "Pelvis"), ("L_Shoulder", "L_Collar"))
    found = named(("Pelvis", ""), *joints, ("L_Elbow", "L_Shoulder"))
    assert found == {
        "hips": "Pelvis",
        "thigh.L": "L_Hip",
        "shin.L": "L_Knee",
        "shoulder.L": "L_Collar",
        "upper_arm.L": "L_Shoulder",
        "forearm.L": "L_Elbow",
    }


def test_of_several_bones_with_a_part_s_name_the_clearest_counts_unless_the_shape_shows_another() -> None:
    feet = (("Hips", ""), ("LeftAnkle", "Hips"), ("LeftFoot", "LeftAnkle"))
    assert named(*feet)["foot.L"] == "LeftFoot"
    assert named(*feet, shape={"foot.L": "LeftAnkle"})["foot.L"] == "LeftAnkle"
    assert named(*feet, shape={"foot.L": "Hips"})["foot.L"] == "LeftFoot"


def test_hips_carry_both_legs_and_the_head() -> None:
    beside = (("Root", ""), ("Pelvis", "Root"), ("Body", "Root"), ("Head", "Body"), ("LeftThigh", "Pelvis"))
    assert "hips" not in named(*beside)
    assert named(*beside, shape={"hips": "Root"})["hips"] == "Root", "as the shape shows"
    assert "hips" not in named(*beside, shape={"hips": "Head"}), "but no bone is two"


def test_arms_of_a_body_whose_shape_stands_on_four_legs_are_front_legs() -> None:
    found = named(*TRUNK, *LEGS, *ARMS, shape={"front_thigh.L": "LeftArm"})
    for side in "LR":
        name = {"L": "Left", "R": "Right"}[side]
        for part, word in (("shoulder", "Shoulder"), ("thigh", "Arm"), ("shin", "ForeArm"), ("foot", "Hand")):
            assert found[f"front_{part}.{side}"] == f"{name}{word}"
    assert "upper_arm.L" not in found and found["thigh.L"] == "LeftUpLeg"
