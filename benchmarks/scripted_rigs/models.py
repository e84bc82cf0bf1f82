"""Rigs of character models: MikuMikuDance's, VRoid's, and the mannequin of Unreal Engine 5."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from typing import Final

import bpy

from .bones import Bone, add, build
from .game import UNREAL
from .human import Point, joints, point

VROID: Final = {
    "hips": "Hips",
    "spine": "Spine",
    "spine_2": "Chest",
    "spine_3": "UpperChest",
    "neck": "Neck",
    "head": "Head",
    "shoulder": "Shoulder",
    "upper_arm": "UpperArm",
    "forearm": "LowerArm",
    "hand": "Hand",
    "thigh": "UpperLeg",
    "shin": "LowerLeg",
    "foot": "Foot",
    "toe": "ToeBase",
}
MMD: Final = {
    "hips": "下半身",
    "spine": "上半身",
    "spine_2": "上半身2",
    "spine_3": "上半身3",
    "neck": "首",
    "head": "頭",
    "shoulder": "肩",
    "upper_arm": "腕",
    "forearm": "ひじ",
    "hand": "手首",
    "thigh": "足",
    "shin": "ひざ",
    "foot": "足首",
    "toe": "足先EX",
}
UNREAL_5_TRUNK: Final[tuple[tuple[str, Point], ...]] = (
    ("pelvis", point("hips")),
    ("spine_01", point("spine")),
    ("spine_02", (0.0, 0.015, 1.12)),
    ("spine_03", point("spine_2")),
    ("spine_04", (0.0, 0.015, 1.26)),
    ("spine_05", point("spine_3")),
    ("neck_01", point("neck")),
    ("neck_02", (0.0, 0.02, 1.55)),
    ("head", point("head")),
)


def vroid() -> bpy.types.Object:
    """Return a VRM character of VRoid Studio under its root, as the VRM add-on imports it."""

    def name(role: str) -> str:
        part, _, side = role.partition(".")
        return f"J_Bip_{side or 'C'}_{VROID[part]}"

    bones = [Bone("Root", None, (0.0, 0.0, 0.0), (0.0, 0.0, 0.1))]
    for role, above, end in joints():
        bones.append(Bone(name(role), name(above) if above else "Root", point(role), point(end)))
    return build("VRM", bones)


def mmd() -> bpy.types.Object:
    """Return a MikuMikuDance model: trunk and pelvis begin at the waist, and feet have IK targets."""

    def name(role: str) -> str:
        part, _, side = role.partition(".")
        return {"L": "左", "R": "右", "": ""}[side] + MMD[part]

    waist = point("spine")
    bones = [
        Bone("全ての親", None, (0.0, 0.0, 0.0), (0.0, 0.0, 0.1), deform=False),
        Bone("センター", "全ての親", (0.0, 0.0, 0.7), (0.0, 0.0, 0.8), deform=False),
        Bone("グルーブ", "センター", (0.0, 0.0, 0.75), (0.0, 0.0, 0.85), deform=False),
        Bone("腰", "グルーブ", waist, add(waist, z=0.1), deform=False),
        Bone(MMD["hips"], "腰", waist, add(point("hips"), z=-0.05)),
    ]
    for role, above, end in joints():
        if role != "hips":
            parent = "腰" if role == "spine" else name(above or "hips")
            bones.append(Bone(name(role), parent, point(role), point(end)))
    for side, letter in (("左", "L"), ("右", "R")):
        ankle = point(f"foot.{letter}")
        ground = (ankle[0], ankle[1], 0.0)
        bones.append(Bone(f"{side}足IK親", "全ての親", ground, ankle, deform=False))
        bones.append(Bone(f"{side}足ＩＫ", f"{side}足IK親", ankle, add(ankle, y=0.1), deform=False))
    armature = build("MMD", bones)
    for side in "左右":
        solver = armature.pose.bones[f"{side}ひざ"].constraints.new("IK")
        solver.target, solver.subtarget, solver.chain_count = armature, f"{side}足ＩＫ", 2
    return armature


def unreal_5() -> bpy.types.Object:
    """Return Unreal Engine 5's mannequin: five bones of the spine, two of the neck, bones across the limbs."""

    def name(role: str) -> str:
        part, _, side = role.partition(".")
        return f"{UNREAL[part]}_{side.lower()}"

    def across(role: str) -> Point:
        return add(point(role), y=-0.06 if role.endswith(".R") else 0.06)

    bones = [Bone("root", None, (0.0, 0.0, 0.0), (0.0, 0.1, 0.0), deform=False)]
    for bone, at in UNREAL_5_TRUNK:
        bones.append(Bone(bone, bones[-1].name, at, add(at, x=0.06), 0.4))
    limbs = [(role, above) for role, above, _ in joints() if "." in role]
    for role, above in limbs:
        parent = {"spine_3": "spine_05", "hips": "pelvis"}.get(above or "") or name(above or "")
        bones.append(Bone(name(role), parent, point(role), across(role), 0.4))
    armature = build("Unreal 5", bones, lambda at: (100 * at[0], 100 * at[1], 100 * at[2]))
    armature.scale = (0.01, 0.01, 0.01)
    bpy.context.view_layer.update()
    return armature
