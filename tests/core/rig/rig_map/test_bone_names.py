"""Bones found by name, whatever their importer put in front of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.rig.rig_map.bone_names import BoneNames, common_prefix, strip_namespace

BONES = ("Hips", "Spine", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg")
FINGERS = ("LeftHandIndex1", "LeftHandIndex2")


@pytest.mark.parametrize("prefix", ["", "mixamorig:", "mixamorig1:", "Armature|mixamorig:", "mixamorig_", "mixamorig"])
def test_a_prefix_does_not_matter(prefix: str) -> None:
    names = [prefix + name for name in (*BONES, *FINGERS)]
    assert BoneNames(names).bind(BONES) == {bone: prefix + bone for bone in BONES}


@pytest.mark.parametrize("own", ["CC_Base_", "mixamorig:", "Bip01_"])
def test_a_map_s_own_prefix_may_be_missing(own: str) -> None:
    bones = [own + bone for bone in BONES]
    assert BoneNames(BONES).bind(bones) == dict(zip(bones, BONES, strict=True))


def test_one_prefix_is_replaced_by_another() -> None:
    bones = [f"CC_Base_{bone}" for bone in BONES]
    names = [f"Game_{bone}" for bone in BONES]
    assert BoneNames(names).bind(bones) == dict(zip(bones, names, strict=True))


def test_names_as_they_stand_win_over_a_prefix() -> None:
    names = [*BONES, *(f"Other_{bone}" for bone in BONES)]
    assert BoneNames(names).bind(BONES) == {bone: bone for bone in BONES}


def test_of_bones_with_one_name_the_first_is_taken() -> None:
    names = [*(f"a:{bone}" for bone in BONES), *(f"b:{bone}" for bone in BONES)]
    assert BoneNames(names).bind(BONES) == {bone: f"a:{bone}" for bone in BONES}


def test_the_prefix_of_the_roles_is_that_of_the_controls() -> None:
    names = [f"rig_{bone}" for bone in (*BONES, "foot_ik")]
    found = BoneNames(names).bind(BONES, ["foot_ik", "hand_ik"])
    assert found["foot_ik"] == "rig_foot_ik" and "hand_ik" not in found


def test_what_is_missing_is_left_out() -> None:
    assert BoneNames(["Hips", "Tail"]).bind(BONES) == {"Hips": "Hips"}
    assert BoneNames([]).bind(BONES) == {}
    assert BoneNames(BONES).bind([]) == {}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("mixamorig:Hips", "Hips"), ("a:b|c:Hips", "Hips"), ("Hips", "Hips"), ("a:", "a:"), (":", ":"), ("", "")],
)
def test_a_name_without_its_namespace(name: str, expected: str) -> None:
    assert strip_namespace(name) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("CC_Base_Hip", "CC_Base_L_Foot"), "CC_Base_"),
        (("LeftArm", "LeftLeg"), ""),
        (("spine.001", "spine.002"), "spine."),
        (("Hips",), ""),
        ((), ""),
        (("a_b", "a_b"), ""),
    ],
)
def test_what_all_names_begin_with(names: tuple[str, ...], expected: str) -> None:
    assert common_prefix(names) == expected


names_of_bones = st.lists(st.text(st.sampled_from("ab:|_.1"), max_size=6), max_size=8)


@given(names_of_bones, names_of_bones)
def test_only_bones_that_are_there_are_found(names: list[str], bones: list[str]) -> None:
    found = BoneNames(names).bind(bones)
    assert set(found) <= set(bones) and set(found.values()) <= set(names)
