"""The guess as a whole: shipped rigs by name, studio rigs by words, doubt that is shown, and what is no body."""

import contextlib

import numpy as np
import pytest

from footfall.benchmarks.rig_maps import without_names
from footfall.benchmarks.rig_types import RigType, Variety, rig_types
from footfall.benchmarks.rig_types.person import person
from footfall.benchmarks.rig_types.rig_type import bones
from footfall.core.errors import FootfallError
from footfall.core.rig.rig_guess import RigTree, guess_map
from footfall.core.rig.rig_map import shipped_rig_maps

TYPES = pytest.mark.parametrize("rig", rig_types(), ids=lambda rig: rig.name)
MIXAMO = next(rig for rig in rig_types() if rig.name == "Mixamo")


@TYPES
def test_a_shipped_rig_is_known_by_its_names(rig: RigType) -> None:
    guess = guess_map(rig.tree())
    assert guess.preset == rig.preset
    assert guess.rig_map.bones == rig.truth.bones
    assert (guess.rig_map.controls, guess.rig_map.ik) == (rig.truth.controls, rig.truth.ik)
    assert set(guess.confidence.values()) == {1.0}


@TYPES
def test_without_names_nearly_every_role_is_found(rig: RigType) -> None:
    tree, names = without_names(rig.tree(), seed=0)
    guess = guess_map(tree)
    assert guess.preset is None
    right = [
        guess.rig_map.bones.get(role) in {names[bone], *(names[other] for other in rig.equals.get(role, ()))}
        for role, bone in rig.truth.bones.items()
    ]
    assert np.mean(right) >= 0.9
    assert set(guess.confidence) == set(guess.rig_map.bones)
    assert all(0.0 <= trust <= 1.0 for trust in guess.confidence.values())


def test_every_shipped_map_has_a_rig_type_but_those_that_are_tried_on_the_real_thing() -> None:
    assert {rig.preset for rig in rig_types()} == set(shipped_rig_maps()) - {
        "quaternius_animals",
        "rigify_quadruped",
        "rigify_horse",
        "rigify_horse_metarig",
        "rigify_cat",
        "rigify_cat_metarig",
        "mesh2motion_fox",
        "mesh2motion_horse",
        "tencent_dog",
    }


@pytest.mark.parametrize("missing", ["Neck", "Head", "Toe", "Shoulder"])
def test_a_shipped_rig_may_lack_some_bones(missing: str) -> None:
    kept, names = [], {"-"}
    for bone in MIXAMO.bones:
        if missing not in bone.name and (bone.parent in names or missing == "Shoulder"):
            kept.append(bone)
            names.add(bone.name)
    guess = guess_map(RigType("less", "mixamo", tuple(kept), person).tree())
    assert guess.preset == "mixamo"
    assert guess.rig_map.bones == {role: bone for role, bone in MIXAMO.truth.bones.items() if bone in names}
    assert 0.8 <= max(guess.confidence.values()) < 1.0


STUDIO = {
    "Unity": ("Left", "Right", "{S}UpperLeg {S}LowerLeg {S}Foot {S}Toes {S}Shoulder {S}UpperArm {S}LowerArm {S}Hand"),
    "3ds Max": (
        *("L", "R"),
        "Bip01_{S}_Thigh Bip01_{S}_Calf Bip01_{S}_Foot Bip01_{S}_Toe0 "
        "Bip01_{S}_Clavicle Bip01_{S}_UpperArm Bip01_{S}_Forearm Bip01_{S}_Hand",
    ),
    "Daz Genesis 8": ("l", "r", "{S}ThighBend {S}Shin {S}Foot {S}Toe {S}Collar {S}ShldrBend {S}ForearmBend {S}Hand"),
    "joints": ("L", "R", "Hip_{S} Knee_{S} Ankle_{S} Ball_{S} Clavicle_{S} Shoulder_{S} Elbow_{S} Wrist_{S}"),
    "legs": ("l", "r", "leg_upper.{S} leg_lower.{S} foot.{S} toe.{S} clav.{S} arm_upper.{S} arm_lower.{S} hand.{S}"),
    "MMD": ("左", "右", "{S}足 {S}ひざ {S}足首 {S}つま先 {S}肩 {S}腕 {S}ひじ {S}手首"),
}


@pytest.mark.parametrize("style", STUDIO)
def test_words_are_understood_and_agree_with_the_shape(style: str) -> None:
    left, right, sided = STUDIO[style]
    thigh, shin, foot, toe, shoulder, upper, fore, hand = sided.split()
    hips, spine, head = ("センター", "上半身", "頭") if style == "MMD" else ("Pelvis", "Spine1", "Head")
    text = f"""
{hips} - pelvis
{spine} {hips} trunk.2
Thing {spine} trunk.7
{head} Thing neck.10 crown
{thigh} {hips} hip.S
{shin} {thigh} knee.S
{foot} {shin} ankle.S
{toe} {foot} ball.S toe.S
{shoulder} Thing collar.S
{upper} {shoulder} shoulder.S
{fore} {upper} elbow.S
{hand} {fore} wrist.S hand.S
"""
    tree = RigType(style, "", bones(text, (left, right)), person).tree(Variety(arms=40.0))
    guess = guess_map(tree)
    expected = {"hips": hips, "spine": spine, "spine_2": "Thing", "head": head}
    for part, name in zip(
        ("thigh", "shin", "foot", "toe", "shoulder", "upper_arm", "forearm", "hand"), sided.split(), strict=True
    ):
        expected |= {f"{part}.L": name.replace("{S}", left), f"{part}.R": name.replace("{S}", right)}
    assert guess.rig_map.bones == expected
    assert min(guess.confidence.values()) > 0.9


def line(count: int) -> RigTree:
    heads = np.arange(count)[:, None] * np.array([0.0, 0.1, 0.0])
    return RigTree(
        tuple(f"Bone.{n:03}" for n in range(count)),
        tuple(range(-1, count - 1)),
        heads,
        heads + np.array([0.0, 0.1, 0.0]),
        np.ones(count, dtype=bool),
    )


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_armatures_without_a_body_are_refused_in_one_sentence(count: int) -> None:
    with pytest.raises(FootfallError, match="No body with hips and two legs") as caught:
        guess_map(line(count))
    assert "." not in str(caught.value)


def test_a_hand_is_no_body_that_one_may_trust() -> None:
    text = "wrist - wrist.L hand.L\n" + "\n".join(
        f"{finger}{joint} {f'{finger}{joint - 1}' if joint > 1 else 'wrist'} {finger}.{joint}.L {finger}.{joint + 1}.L"
        for finger in ("thumb", "index", "middle", "ring", "pinky")
        for joint in (1, 2, 3)
    )
    tree, _ = without_names(RigType("hand", "", bones(text), person).tree(), seed=0)
    with contextlib.suppress(FootfallError):
        assert max(guess_map(tree).confidence.values()) < 0.6


def test_a_dog_with_a_person_s_names_is_no_person() -> None:
    dog = next(rig for rig in rig_types() if rig.name == "Dog of MANN")
    guess = guess_map(dog.tree(), {"mixamo": shipped_rig_maps()["mixamo"]})
    assert guess.preset is None
    assert guess.rig_map.bones == dog.truth.bones


def test_shoulders_may_hang_on_the_neck() -> None:
    text = """
Bip01 - pelvis
Bip01_Pelvis Bip01 pelvis trunk.1
Bip01_Spine Bip01_Pelvis trunk.1
Bip01_Spine1 Bip01_Spine trunk.5
Bip01_Neck Bip01_Spine1 neck.0
Bip01_Head Bip01_Neck head crown
Bip01_{S}_Clavicle Bip01_Neck collar.S
Bip01_{S}_UpperArm Bip01_{S}_Clavicle shoulder.S
Bip01_{S}_Forearm Bip01_{S}_UpperArm elbow.S
Bip01_{S}_Hand Bip01_{S}_Forearm wrist.S hand.S
Bip01_{S}_Thigh Bip01_Spine hip.S
Bip01_{S}_Calf Bip01_{S}_Thigh knee.S
Bip01_{S}_Foot Bip01_{S}_Calf ankle.S
Bip01_{S}_Toe0 Bip01_{S}_Foot ball.S toe.S
"""
    guess = guess_map(RigType("Biped", "", bones(text), person).tree())
    found = guess.rig_map.bones
    assert min(guess.confidence.values()) >= 0.6, "legs on the first bone of the spine are usual there"
    assert (found["hips"], found["spine"], found["spine_2"]) == ("Bip01_Pelvis", "Bip01_Spine", "Bip01_Spine1")
    assert (found["neck"], found["head"], "spine_3" in found) == ("Bip01_Neck", "Bip01_Head", False)
