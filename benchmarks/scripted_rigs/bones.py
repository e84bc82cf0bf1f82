"""Armatures from lists of bones."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import bpy
from mathutils import Vector

from .human import Point


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone at rest.

    Attributes:
        name: its name.
        parent: name of its parent.
        head, tail: places, meters, world.
        roll: radians.
        connected: whether it starts at its parent's tail.
        deform: whether it moves a mesh.
    """

    name: str
    parent: str | None
    head: Point
    tail: Point
    roll: float = 0.0
    connected: bool = False
    deform: bool = True


def build(name: str, bones: Iterable[Bone], place: Callable[[Point], Point] = lambda point: point) -> bpy.types.Object:
    """Return an armature object in the context's collection, active, in object mode.

    Args:
        name: its name.
        bones: parents before children.
        place: transform from the world into the armature's own space.
    """
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    made = armature.data.edit_bones
    for bone in bones:
        one = made.new(bone.name)
        one.head, one.tail, one.roll = Vector(place(bone.head)), Vector(place(bone.tail)), bone.roll
        one.parent = made[bone.parent] if bone.parent else None
        one.use_connect, one.use_deform = bone.connected, bone.deform
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def add(point: Point, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Point:
    """Return a point plus an offset."""
    return (point[0] + x, point[1] + y, point[2] + z)
