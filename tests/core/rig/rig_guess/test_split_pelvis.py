"""Rigs in which the pelvis carries the legs alone, beside the spine, as in MMD: roles and the bone that travels."""

from itertools import pairwise

import numpy as np
import pytest

from footfall.benchmarks.rig_maps import without_names
from footfall.benchmarks.rig_types import RigType
from footfall.benchmarks.rig_types.person import person
from footfall.benchmarks.rig_types.rig_type import bones
from footfall.core.rig.rig_guess import RigTree, guess_map
from footfall.core.rig.rig_map import TranslationBone

WORDS = (
    *("all", "center", "groove", "waist", "lower", "upper", "upper2", "neck", "head"),
    *("shoulder", "arm", "elbow", "wrist", "leg", "knee", "ankle", "toe"),
)
JAPANESE = dict(
    zip(
        WORDS,
        (
            *("全ての親", "センター", "グルーブ", "腰", "下半身", "上半身", "上半身2", "首", "頭"),
            *("左肩", "左腕", "左ひじ", "左手首", "左足", "左ひざ", "左足首", "左足先EX"),
        ),
        strict=True,
    )
)
ENGLISH = {word: word if word in WORDS[:4] + WORDS[7:9] else f"{word}_L" for word in WORDS} | {
    "all": "master",
    "lower": "lower body",
    "upper": "upper body",
    "upper2": "upper body 2",
}
SUFFIXES = JAPANESE | {word: f"{name[1:]}.L" for word, name in JAPANESE.items() if name.startswith("左")}
STYLES = {"Japanese": JAPANESE, "English": ENGLISH, "Japanese with suffixes": SUFFIXES}
CARRIERS = ((), ("groove",), ("waist",), ("groove", "waist"))


def mmd(style: str, carriers: tuple[str, ...] = ("groove", "waist"), fixed: str = "") -> RigTree:
    """Return an MMD body with some bones above the pelvis; those that are fixed can only be rotated."""
    above = ["all", "center", *carriers]
    heads = {"center": "pelvis~knee.L~0.8", "groove": "pelvis~knee.L~0.7", "waist": "trunk.1"}
    rows = ["all - toe.L~toe.R~0.5"]
    rows += [f"{bone} {parent} {heads[bone]} head" for parent, bone in pairwise(above)]
    rows.append(f"lower {above[-1]} trunk.1 pelvis")
    text = (
        "\n".join(rows)
        + f"""
upper {above[-1]} trunk.1
upper2 upper trunk.5
neck upper2 neck.0
head neck head crown
leg{{S}} lower hip.S
knee{{S}} leg{{S}} knee.S
ankle{{S}} knee{{S}} ankle.S
toe{{S}} ankle{{S}} ball.S toe.S
shoulder{{S}} upper2 collar.S
arm{{S}} shoulder{{S}} shoulder.S
elbow{{S}} arm{{S}} elbow.S
wrist{{S}} elbow{{S}} wrist.S hand.S
"""
    )
    tree = RigType(style, "", bones(text, ("/L", "/R")), person).tree()
    movable = np.array([name.partition("/")[0] not in fixed.split() for name in tree.names])
    names = tuple(_name(STYLES[style], name) for name in tree.names)
    return RigTree(names, tree.parents, tree.heads, tree.tails, tree.deform, movable)


def _name(style: dict[str, str], bone: str) -> str:
    word, _, side = bone.partition("/")
    name = style[word]
    return name.replace("左", "右").replace("_L", "_R").replace(".L", ".R") if side == "R" else name


@pytest.mark.parametrize("carriers", CARRIERS)
@pytest.mark.parametrize("style", STYLES)
def test_the_hips_are_the_bone_that_carries_the_thighs(style: str, carriers: tuple[str, ...]) -> None:
    found, named = guess_map(mmd(style, carriers)), STYLES[style]
    wanted = {"hips": "lower", "spine": "upper", "spine_2": "upper2", "neck": "neck", "head": "head"}
    wanted |= {"thigh.L": "leg", "shin.L": "knee", "foot.L": "ankle", "toe.L": "toe"}
    wanted |= {"shoulder.L": "shoulder", "upper_arm.L": "arm", "forearm.L": "elbow", "hand.L": "wrist"}
    for role, word in wanted.items():
        assert found.rig_map.bones[role] == named[word], role
    assert "spine_3" not in found.rig_map.bones
    assert found.rig_map.translation_bone == TranslationBone(named[(carriers or ("center",))[-1]], "spine")
    assert found.confidence["hips"] >= 0.6


def test_the_body_travels_by_the_nearest_bone_that_can() -> None:
    locked = "lower upper upper2 waist"
    carrier = guess_map(mmd("Japanese", fixed=locked)).rig_map.translation_bone
    assert carrier == TranslationBone("グルーブ", "spine")
    carrier = guess_map(mmd("Japanese", fixed=f"{locked} groove")).rig_map.translation_bone
    assert carrier == TranslationBone("センター", "spine")
    assert guess_map(mmd("Japanese", fixed=f"{locked} groove center")).rig_map.translation_bone is None


def test_hips_that_only_rotate_are_moved_by_the_bone_above() -> None:
    text = """
Root - toe.L~toe.R~0.5
COG Root pelvis
Hips COG pelvis trunk.1
Spine Hips trunk.1
Chest Spine trunk.5
Head Chest head crown
{S}Thigh Hips hip.S
{S}Shin {S}Thigh knee.S
{S}Foot {S}Shin ankle.S toe.S
{S}UpperArm Chest shoulder.S
{S}Forearm {S}UpperArm elbow.S
{S}Hand {S}Forearm wrist.S hand.S
"""
    tree = RigType("", "", bones(text, ("Left", "Right")), person).tree()
    assert guess_map(tree).rig_map.translation_bone is None
    movable = np.array([name != "Hips" for name in tree.names])
    fixed = RigTree(tree.names, tree.parents, tree.heads, tree.tails, tree.deform, movable)
    assert guess_map(fixed).rig_map.translation_bone == TranslationBone("COG", "hips")


@pytest.mark.parametrize("carriers", CARRIERS)
def test_without_names_the_legs_have_a_carrier_near_them(carriers: tuple[str, ...]) -> None:
    tree, names = without_names(mmd("Japanese", carriers), seed=0)
    found = guess_map(tree).rig_map.bones
    assert found["hips"] in {names["下半身"], names.get("腰")}
    assert (found["spine"], found["thigh.L"], found["toe.R"]) == (names["上半身"], names["左足"], names["右足先EX"])


def test_names_of_a_tracker_are_understood() -> None:
    text = """
HIP - pelvis
WAIST HIP trunk.1
CHEST WAIST trunk.4
UPPER_CHEST CHEST trunk.7
NECK UPPER_CHEST neck.0
HEAD NECK head crown
{S}_HIP HIP pelvis hip.S
{S}_UPPER_LEG {S}_HIP hip.S
{S}_LOWER_LEG {S}_UPPER_LEG knee.S
{S}_FOOT {S}_LOWER_LEG ankle.S toe.S
{S}_SHOULDER UPPER_CHEST collar.S
{S}_UPPER_ARM {S}_SHOULDER shoulder.S
{S}_LOWER_ARM {S}_UPPER_ARM elbow.S
{S}_HAND {S}_LOWER_ARM wrist.S hand.S
"""
    found = guess_map(RigType("", "", bones(text, ("LEFT", "RIGHT")), person).tree()).rig_map.bones
    parts = {"thigh": "UPPER_LEG", "shin": "LOWER_LEG", "foot": "FOOT", "upper_arm": "UPPER_ARM", "hand": "HAND"}
    assert all(
        found[f"{part}.{side[0]}"] == f"{side}_{word}" for part, word in parts.items() for side in ("LEFT", "RIGHT")
    )
    assert [found[role] for role in ("hips", "spine", "spine_2", "spine_3")] == ["HIP", "WAIST", "CHEST", "UPPER_CHEST"]
