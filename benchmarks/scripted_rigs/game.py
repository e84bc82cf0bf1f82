"""Rigs of game characters: one bone per joint, as after an FBX import."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

import math
from typing import Final

import bpy

from .bones import Bone, add, build
from .human import Point, joints, point

MIXAMO: Final = {
    "hips": "Hips",
    "spine": "Spine",
    "spine_2": "Spine1",
    "spine_3": "Spine2",
    "neck": "Neck",
    "head": "Head",
    "shoulder": "Shoulder",
    "upper_arm": "Arm",
    "forearm": "ForeArm",
    "hand": "Hand",
    "thigh": "UpLeg",
    "shin": "Leg",
    "foot": "Foot",
    "toe": "ToeBase",
}
UNREAL: Final = {
    "hips": "pelvis",
    "spine": "spine_01",
    "spine_2": "spine_02",
    "spine_3": "spine_03",
    "neck": "neck_01",
    "head": "head",
    "shoulder": "clavicle",
    "upper_arm": "upperarm",
    "forearm": "lowerarm",
    "hand": "hand",
    "thigh": "thigh",
    "shin": "calf",
    "foot": "foot",
    "toe": "ball",
}
ROLLS: Final = {"arm": math.pi / 2, "leg": math.pi, "": 0.0}


def mixamo() -> bpy.types.Object:
    """Return a Mixamo rig: centimeters, Y up, under an object of scale 0.01, turned by 90 degrees.

    The bones have the roll of Mixamo's bones.
    """

    def name(role: str) -> str:
        part, _, side = role.partition(".")
        return f"mixamorig:{ {'L': 'Left', 'R': 'Right', '': ''}[side] }{MIXAMO[part]}"

    bones = [
        Bone(name(role), above and name(above), point(role), point(end), _roll(role)) for role, above, end in joints()
    ]
    armature = build("Mixamo", bones, lambda at: (100 * at[0], 100 * at[2], -100 * at[1]))
    armature.rotation_euler, armature.scale = (math.pi / 2, 0.0, 0.0), (0.01, 0.01, 0.01)
    bpy.context.view_layer.update()
    return armature


def _roll(role: str) -> float:
    part, _, side = role.partition(".")
    kind = "arm" if part in ("shoulder", "upper_arm", "forearm", "hand") else "leg" if side else ""
    return ROLLS[kind] * (-1 if side == "R" else 1)


def unreal() -> bpy.types.Object:
    """Return Unreal's mannequin, with a root bone, twist bones and IK bones.

    Its bones point along X in its engine, and thus across the limbs in Blender.
    """

    def name(role: str) -> str:
        part, _, side = role.partition(".")
        return UNREAL[part] + (f"_{side.lower()}" if side else "")

    def across(role: str) -> Point:
        away = -0.06 if role.endswith(".R") else 0.06
        return add(point(role), y=away) if "." in role else add(point(role), x=away)

    bones = [Bone("root", None, (0.0, 0.0, 0.0), (0.0, 0.1, 0.0), deform=False)]
    for role, above, _ in joints():
        bones.append(Bone(name(role), name(above) if above else "root", point(role), across(role), 0.4))
    for side in "LR":
        for limb, begin, end in (
            ("upperarm_twist_01", "upper_arm", "forearm"),
            ("lowerarm_twist_01", "forearm", "hand"),
            ("thigh_twist_01", "thigh", "shin"),
            ("calf_twist_01", "shin", "foot"),
        ):
            first, last = point(f"{begin}.{side}"), point(f"{end}.{side}")
            middle = tuple((a + b) / 2 for a, b in zip(first, last, strict=True))
            at = (middle[0], middle[1], middle[2])
            bones.append(Bone(f"{limb}_{side.lower()}", name(f"{begin}.{side}"), at, add(at, y=0.05), 0.2))
    bones.append(Bone("ik_foot_root", "root", (0.0, 0.0, 0.0), (0.0, 0.05, 0.0), deform=False))
    armature = build("Unreal", bones, lambda at: (100 * at[0], 100 * at[1], 100 * at[2]))
    armature.scale = (0.01, 0.01, 0.01)
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ" if bone.name.startswith(("spine", "pelvis")) else "QUATERNION"
    bpy.context.view_layer.update()
    return armature
