"""A person as a user brings one: a plain armature, standing, 1.72 m tall, with any names, size and extra bones."""

from collections.abc import Callable, Mapping

import bpy
import numpy as np
from mathutils import Vector

from footfall.tests.addon.support.armatures import posed_heads

HEIGHT_M = 1.72
SOLE_TO_ANKLE_M, SOLE_TO_BALL_M = 0.08, 0.025
_CENTRAL = {
    "hips": ("", (0.0, 0.0, 0.96)),
    "spine": ("hips", (0.0, 0.0, 1.08)),
    "chest": ("spine", (0.0, 0.01, 1.24)),
    "neck": ("chest", (0.0, 0.02, 1.46)),
    "head": ("neck", (0.0, 0.0, 1.55)),
}
_LEFT = {
    "shoulder": ("chest", (0.03, 0.01, 1.42)),
    "upper_arm": ("shoulder", (0.17, 0.02, 1.42)),
    "forearm": ("upper_arm", (0.36, 0.03, 1.22)),
    "hand": ("forearm", (0.53, 0.01, 1.04)),
    "thigh": ("hips", (0.09, 0.0, 0.90)),
    "shin": ("thigh", (0.10, -0.005, 0.49)),
    "foot": ("shin", (0.10, 0.02, SOLE_TO_ANKLE_M)),
    "toe": ("foot", (0.11, -0.11, SOLE_TO_BALL_M)),
}
_TIPS = {"head": (0.0, 0.0, HEIGHT_M), "hand": (0.60, 0.0, 0.97), "toe": (0.11, -0.19, 0.015)}
PARTS = (*_CENTRAL, *(f"{part}.{side}" for part in _LEFT for side in "LR"))
"""The bones by role, parents first; two bones of a spine are `spine` and `chest`."""

EditBones = Mapping[str, bpy.types.EditBone]


def make_person(
    names: Mapping[str, str] | None = None,
    unit: float = 1.0,
    legs: float = 1.0,
    extra: Callable[[bpy.types.ArmatureEditBones, EditBones], None] | None = None,
) -> bpy.types.Object:
    """Return an armature that stands on the origin, facing -Y.

    Args:
        names: the bones' names, where they are other ones than their roles.
        unit: units of its bones per meter; the object is not scaled.
        legs: length of its legs, against a usual person's.
        extra: adds and changes bones, given all and those of the body by role.
    """
    armature = bpy.data.objects.new("Person", bpy.data.armatures.new("Person"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    places = {role: _stretched(at, legs) for role, at in _places().items()}
    made: dict[str, bpy.types.EditBone] = {}
    for role in PARTS:
        part, dot, side = role.partition(".")
        above = (_CENTRAL | _LEFT)[part][0]
        parent = f"{above}{dot}{side}" if above in _LEFT else above
        bone = armature.data.edit_bones.new((names or {}).get(role, role))
        bone.head, bone.tail = unit * places[role], unit * _end(role, places, legs)
        bone.parent = made.get(parent)
        made[role] = bone
    if extra:
        extra(armature.data.edit_bones, made)
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _places() -> dict[str, np.ndarray]:
    sided = {f"{part}.{side}": (x, at) for part, (_, at) in _LEFT.items() for side, x in (("L", 1), ("R", -1))}
    return {part: np.array(at) for part, (_, at) in _CENTRAL.items()} | {
        role: np.array(at) * (x, 1.0, 1.0) for role, (x, at) in sided.items()
    }


def _end(role: str, places: Mapping[str, np.ndarray], legs: float) -> Vector:
    part, _, side = role.partition(".")
    if part in _TIPS:
        return Vector(_stretched(np.array(_TIPS[part]) * (-1.0 if side == "R" else 1.0, 1.0, 1.0), legs))
    below = {"hips": "spine", "spine": "chest", "chest": "neck", "neck": "head"}
    parts = list(_LEFT)
    return Vector(places[below.get(part) or f"{parts[parts.index(part) + 1]}.{side}"])


def _stretched(at: np.ndarray, legs: float) -> np.ndarray:
    """Return a place (3) in a body whose legs, from ankle to hip, are longer by a factor."""
    hip, ankle = _LEFT["thigh"][1][2], SOLE_TO_ANKLE_M
    height = np.interp(
        at[2], [0.0, ankle, hip, 9.0], [0.0, ankle, ankle + legs * (hip - ankle), 9.0 + (legs - 1) * (hip - ankle)]
    )
    return np.array([at[0], at[1], height])


def path_along(*points: tuple[float, float]) -> bpy.types.Object:
    """Return a curve through points on the ground."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, at in zip(spline.bezier_points, points, strict=True):
        point.co = (*at, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def lowest(armature: bpy.types.Object, bones: list[str], frames: range) -> float:
    """Return the height of the lowest of some bones' heads over some frames, world."""
    return float(min(posed_heads(armature, bones, frame)[:, 2].min() for frame in frames))
