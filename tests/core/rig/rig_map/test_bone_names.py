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


@pytest.mark.parametrize(("exact", "wins"), [(3, True), (2, False)])
def test_names_as_they_stand_win_if_half_of_them_match_even_if_a_prefix_finds_more(exact: int, wins: bool) -> None:
    names = [*BONES[:exact], *(f"Other_{bone}" for bone in BONES)]
    expected = {bone: bone for bone in BONES[:exact]} if wins else {bone: f"Other_{bone}" for bone in BONES}
    assert BoneNames(names).bind(BONES) == expected


def test_a_prefix_must_find_more_than_the_names_as_they_stand() -> None:
    # One of six either way.
    assert BoneNames(["Hips", "Other_Spine"]).bind(BONES) == {"Hips": "Hips"}


def test_the_most_frequent_prefix_is_taken_and_of_equally_frequent_ones_the_shortest() -> None:
    few, many = [f"a_{bone}" for bone in BONES[:3]], [f"long_{bone}" for bone in BONES[:4]]
    assert BoneNames([*few, *many]).bind(BONES) == {bone: f"long_{bone}" for bone in BONES[:4]}
    assert BoneNames([*few, *many[:3]]).bind(BONES) == {bone: f"a_{bone}" for bone in BONES[:3]}


def test_a_bone_that_a_map_names_twice_counts_once() -> None:
    # Two of four bones match, though four of six entries do not.
    bones = ("Hips", "Spine", "Neck", "Head", "Neck", "Head")
    names = ["Hips", "Spine", *(f"x_{bone}" for bone in set(bones))]
    assert BoneNames(names).bind(bones) == {"Hips": "Hips", "Spine": "Spine"}


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
        (("DEF-spine", "DEF-spine.001"), "DEF-"),
        (("DEF-", "DEF-spine"), "DEF-"),
        (("x:DEF-hips", "y:DEF-spine"), "DEF-"),
        (("x:DEF-hips", "y:DEF-hips"), ""),
        (("a_1", "b_1"), ""),
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


def test_a_chain_s_own_prefix_may_be_missing_though_one_name_begins_with_another() -> None:
    chain = ("DEF-spine", "DEF-spine.001", "DEF-spine.002")
    assert BoneNames(["spine", "spine.001", "spine.002"]).bind(chain) == {
        name: name.removeprefix("DEF-") for name in chain
    }
