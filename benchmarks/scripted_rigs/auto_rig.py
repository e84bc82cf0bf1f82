"""A rig built like those of Auto-Rig Pro: its control names, parents by Child Of, IK and FK chains and a switch."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

import math
from typing import Final

import bpy

from .bones import Bone, add, build
from .human import point

LIMBS: Final = {
    "leg": (("thigh", "shin", "foot"), ("thigh", "leg", "foot")),
    "arm": (("upper_arm", "forearm", "hand"), ("arm", "forearm", "hand")),
}
MODES: Final = {"c_root_master.x": "XYZ", "c_head.x": "ZXY"}


def auto_rig_pro() -> bpy.types.Object:
    """Return the rig at the scene's origin."""
    bones = [
        Bone("c_pos", None, (0.0, 0.0, 0.0), (0.0, 0.4, 0.0), deform=False),
        Bone("c_traj", "c_pos", (0.0, 0.0, 0.0), (0.0, 0.3, 0.0), deform=False),
        Bone("c_root_master.x", "c_traj", point("hips"), add(point("hips"), y=0.2), deform=False),
        Bone("c_root.x", "c_root_master.x", point("hips"), add(point("hips"), y=0.15), deform=False),
        Bone("root.x", "c_root.x", point("hips"), point("spine")),
    ]
    above = "c_root_master.x"
    for name, role, end in (
        ("spine_01.x", "spine", "spine_2"),
        ("spine_02.x", "spine_2", "spine_3"),
        ("spine_03.x", "spine_3", "neck"),
        ("neck.x", "neck", "head"),
        ("head.x", "head", "head_end"),
    ):
        bones.append(Bone(f"c_{name}", above, point(role), add(point(role), y=0.1), deform=False))
        bones.append(Bone(name, f"c_{name}", point(role), point(end)))
        above = name
    for side in "LR":
        bones += _shoulder(side) + _limb("arm", side) + _limb("leg", side) + _toes(side)
    armature = build("AutoRigPro", bones)
    for side in "lr":
        for kind in LIMBS:
            _mechanism(armature, kind, side)
        for chain, influence in (("ik", "1 - switch"), ("fk", "switch")):
            _copy(armature, f"toes_01.{side}", f"c_toes_{chain}.{side}", f"c_foot_ik.{side}", influence)
    for bone in armature.pose.bones:
        bone.rotation_mode = MODES.get(bone.name, "QUATERNION")
    bpy.context.view_layer.update()
    return armature


def _shoulder(side: str) -> list[Bone]:
    s, head, tail = side.lower(), point(f"shoulder.{side}"), point(f"upper_arm.{side}")
    return [
        Bone(f"c_shoulder.{s}", "spine_03.x", head, tail, deform=False),
        Bone(f"shoulder.{s}", f"c_shoulder.{s}", head, tail),
    ]


def _limb(kind: str, side: str) -> list[Bone]:
    """Return the visible bones, the FK controls, the IK chain, its control and its pole."""
    s = side.lower()
    roles, names = LIMBS[kind]
    points = [point(f"{role}.{side}") for role in roles]
    end = point(f"{'toe' if kind == 'leg' else 'hand_end'}.{side}")
    top = "root.x" if kind == "leg" else f"shoulder.{s}"
    result: list[Bone] = []
    above = {"": top, "fk": top, "ik": top}
    roll = math.pi / 2 if kind == "arm" else 0.0  # knees and elbows are hinges about X
    for place, name in enumerate(names):
        head, tail = points[place], points[place + 1] if place < 2 else end
        result.append(Bone(f"{name}.{s}", above[""], head, tail, roll))
        result.append(Bone(f"c_{name}_fk.{s}", above["fk"], head, tail, roll, deform=False))
        above |= {"": f"{name}.{s}", "fk": f"c_{name}_fk.{s}"}
        if place < 2:
            result.append(Bone(f"{name}_ik.{s}", above["ik"], head, tail, roll, bool(place), deform=False))
            above["ik"] = f"{name}_ik.{s}"
    control = f"c_{names[2]}_ik.{s}"
    result.append(Bone(control, None, points[2], add(points[2], y=-0.2), 0.5, deform=False))
    result.append(Bone(f"{names[2]}_ik_target.{s}", control, points[2], end, roll, deform=False))
    pole = add(points[1], y=-0.6 if kind == "leg" else 0.5)
    result.append(Bone(f"{_pole(kind)}.{s}", None, pole, add(pole, z=0.1), deform=False))
    return result


def _toes(side: str) -> list[Bone]:
    s, head, tail = side.lower(), point(f"toe.{side}"), point(f"toe_end.{side}")
    return [
        Bone(f"c_toes_fk.{s}", f"c_foot_fk.{s}", head, tail, deform=False),
        Bone(f"c_toes_ik.{s}", f"c_foot_ik.{s}", head, tail, deform=False),
        Bone(f"toes_01.{s}", f"foot.{s}", head, tail),
    ]


def _pole(kind: str) -> str:
    return "c_leg_pole" if kind == "leg" else "c_arms_pole"


def _mechanism(armature: bpy.types.Object, kind: str, side: str) -> None:
    names = LIMBS[kind][1]
    control, pole = f"c_{names[2]}_ik.{side}", f"{_pole(kind)}.{side}"
    bones = armature.pose.bones
    bones[control]["ik_fk_switch"] = 1.0
    for owner, parents in ((control, ("c_traj", "c_root_master.x")), (pole, ("c_traj", control))):
        for place, parent in enumerate(parents):
            child_of = bones[owner].constraints.new("CHILD_OF")
            child_of.name = f"Child Of_{parent}"
            child_of.target, child_of.subtarget = armature, parent
            child_of.inverse_matrix = armature.data.bones[parent].matrix_local.inverted()
            child_of.influence = 1.0 if (place == 0) == (kind == "leg" or owner == control) else 0.0
    solved = bones[f"{names[1]}_ik.{side}"]
    solved.lock_ik_y = solved.lock_ik_z = True
    ik = solved.constraints.new("IK")
    ik.target, ik.subtarget, ik.chain_count = armature, control, 2
    ik.pole_target, ik.pole_subtarget, ik.pole_angle = armature, pole, 0.7
    for place, name in enumerate(names):
        source = f"{name}_ik_target.{side}" if place == 2 else f"{name}_ik.{side}"
        _copy(armature, f"{name}.{side}", source, control, "1 - switch", place == 2)
        _copy(armature, f"{name}.{side}", f"c_{name}_fk.{side}", control, "switch")


def _copy(
    armature: bpy.types.Object, owner: str, source: str, switch: str, influence: str, turn_only: bool = False
) -> None:
    """Constrain a bone to follow another, with an influence driven by an expression of the switch."""
    constraint = armature.pose.bones[owner].constraints.new("COPY_ROTATION" if turn_only else "COPY_TRANSFORMS")
    constraint.target, constraint.subtarget = armature, source
    driver = constraint.driver_add("influence").driver
    driver.expression = influence
    variable = driver.variables.new()
    variable.name = "switch"
    variable.targets[0].id = armature
    variable.targets[0].data_path = f'pose.bones["{switch}"]["ik_fk_switch"]'
