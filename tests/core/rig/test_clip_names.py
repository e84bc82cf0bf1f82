"""Roles of the joints of motion files by the names of many programs, kept as they are."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY
from footfall.core.rig.clip_file import read_clip
from footfall.tests.support.bvh_dialects import Dialect, RootAbove
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=1.0, rate=30.0).clip()
WAY = np.linspace(0.0, 1.0, len(WALK))[:, None] * np.array([0.0, 0.0, 50.0])


def sided(left: str, right: str, pattern: str, parts: str) -> list[str]:
    """Names of the parts of both sides."""
    return [pattern.format(side=side, part=part) for side in (left, right) for part in parts.split()]


def order(center: str, legs: list[str], arms: list[str]) -> list[str]:
    """Names in the order of the walker's joints: hips, legs, spine, neck and head, arms."""
    hips, *trunk = center.split("|")
    return [hips, *legs, *trunk, *arms]


NAMES = {
    "MakeHuman": order(
        "Root|Spine1|Spine3|Neck|Head",
        sided("L", "R", "{part}_{side}", "UpLeg LoLeg Foot Toe"),
        sided("L", "R", "{part}_{side}", "Clavicle UpArm LoArm Hand"),
    ),
    "Biped": order(
        "Bip01 Pelvis|Bip01 Spine|Bip01 Spine1|Bip01 Neck|Bip01 Head",
        sided("L", "R", "Bip01 {side} {part}", "Thigh Calf Foot Toe0"),
        sided("L", "R", "Bip01 {side} {part}", "Clavicle UpperArm Forearm Hand"),
    ),
    "Unreal": order(
        "pelvis|spine_01|spine_02|neck_01|head",
        sided("l", "r", "{part}_{side}", "thigh calf foot ball"),
        sided("l", "r", "{part}_{side}", "clavicle upperarm lowerarm hand"),
    ),
    "VRM": order(
        "J_Bip_C_Hips|J_Bip_C_Spine|J_Bip_C_Chest|J_Bip_C_Neck|J_Bip_C_Head",
        sided("L", "R", "J_Bip_{side}_{part}", "UpperLeg LowerLeg Foot ToeBase"),
        sided("L", "R", "J_Bip_{side}_{part}", "Shoulder UpperArm LowerArm Hand"),
    ),
    "SlimeVR": order(
        "HIP|WAIST|CHEST|NECK|HEAD",
        sided("LEFT", "RIGHT", "{side}_{part}", "UPPER_LEG LOWER_LEG FOOT TOES"),
        sided("LEFT", "RIGHT", "{side}_{part}", "SHOULDER UPPER_ARM LOWER_ARM HAND"),
    ),
    "SMPL": order(
        "Pelvis|Spine1|Spine3|Neck|Head",
        sided("L", "R", "{side}_{part}", "Hip Knee Ankle Foot"),
        sided("L", "R", "{side}_{part}", "Collar Shoulder Elbow Wrist"),
    ),
    "MMD": order(
        "腰|上半身|上半身2|首|頭",
        sided("左", "右", "{side}{part}", "足 ひざ 足首 つま先"),
        sided("左", "右", "{side}{part}", "肩 腕 ひじ 手首"),
    ),
}


@pytest.mark.parametrize("above", [(), (RootAbove("root", WAY),)], ids=["hips", "root above"])
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_of_programs_show_the_roles(tmp_path: Path, names: list[str], above: tuple[RootAbove, ...]) -> None:
    path = Dialect(above=above, names=dict(zip(WALK.skeleton.names, names, strict=True))).write(
        tmp_path / "walk.bvh", WALK
    )
    clip = read_clip(path)
    assert clip.skeleton.names == tuple(names)
    found = {role: joint for role, joint in clip.skeleton.roles.items() if role in WALK.skeleton.roles}
    assert found == WALK.skeleton.roles
    np.testing.assert_allclose(clip.positions, WALK.positions, atol=2e-4)


def with_joint_above(clip: Clip, name: str, *children: str) -> Clip:
    """The same motion with another joint at the place of the first of some siblings, which carries them."""
    skeleton = clip.skeleton
    at = skeleton.names.index(children[0])
    parent = skeleton.parents[at]
    own = {skeleton.names.index(child) for child in children}
    parents = [above + (above >= at) for above in skeleton.parents]
    for joint in own:
        parents[joint] = at
    parents.insert(at, parent)
    offsets = np.insert(skeleton.offsets, at, skeleton.offsets[at] * (len(children) == 1), axis=0)
    if len(children) == 1:
        offsets[at + 1] = 0.0
    names = [*skeleton.names[:at], name, *skeleton.names[at:]]
    rotations = np.insert(clip.rotations, at, IDENTITY, axis=1)
    tips = np.insert(skeleton.tips, at, 0.0, axis=0)
    return Clip(Skeleton(tuple(names), tuple(parents), offsets, tips), clip.rate, clip.root_positions, rotations)


def test_helpers_that_carry_a_limb_are_no_part_of_it(tmp_path: Path) -> None:
    """As MakeHuman's: the helper comes first, is of the same name, and never turns."""
    named = dict(zip(WALK.skeleton.names, NAMES["MakeHuman"], strict=True))
    clip = replace(WALK, skeleton=replace(WALK.skeleton, names=tuple(NAMES["MakeHuman"]), roles={}))
    for name in ("UpLeg_L", "UpLeg_R", "Clavicle_L", "Clavicle_R"):
        clip = with_joint_above(clip, f"__{name}", name)
    read = read_clip(Dialect().write(tmp_path / "walk.bvh", clip))
    for role, joint in WALK.skeleton.roles.items():
        assert read.skeleton.names[read.skeleton.roles[role]] == named[WALK.skeleton.names[joint]]
