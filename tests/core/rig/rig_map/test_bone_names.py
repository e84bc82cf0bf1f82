"""Bones found by name, whatever their importer put in front of them."""

import pytest

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


def test_names_as_they_stand_win_over_a_prefix() -> None:
    names = [*BONES, *(f"Other_{bone}" for bone in BONES)]
    assert BoneNames(names).bind(BONES) == {bone: bone for bone in BONES}


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
def test_common_prefixes(names: tuple[str, ...], expected: str) -> None:
    assert common_prefix(names) == expected
