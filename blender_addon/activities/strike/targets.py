"""Targets of strikes: positions of bones, points of meshes and objects, and reasons against targets."""

from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.rotations import Array
from ...scene.evaluated_mesh import EvaluatedMesh
from ...ui.operator_base import is_in_scene

MAX_FLESH_M: Final = 0.5
"""Radius around the middle of a bone within which the body's surface is sought."""
MAX_PARENTS: Final = 100
"""Longest chain of parents that is followed."""


def why_no_target(strike: bpy.types.PropertyGroup, armature: bpy.types.Object, scene: bpy.types.Scene) -> str | None:
    """Return the reason why the target of a strike cannot be struck; ``None`` if it can."""
    target = strike.target
    if not is_in_scene(target, scene):
        return Message("'{name}', the target of a strike, was deleted: choose another target", name=target.name)
    if hangs_on(target, armature):
        return Message("The target of a strike cannot be on the striking character: choose another object")
    if target.type == "ARMATURE" and strike.bone not in target.data.bones:
        return Message("Choose the bone of '{name}' that the strike should hit", name=target.name)
    return None


def hangs_on(thing: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """Return whether an object is the armature, is deformed by it, or follows it through parents and constraints."""
    holder, steps = thing, 0
    while holder is not None and steps < MAX_PARENTS:
        if armature in (holder, holder.find_armature()):
            return True
        if any(getattr(one, "target", None) == armature and not one.mute for one in holder.constraints):
            return True
        holder, steps = holder.parent, steps + 1
    return False


def target_point(strike: bpy.types.PropertyGroup, seen_from: Array) -> Array:
    """Return the point (3) that a strike is aimed at, meters, world, in the current scene.

    Args:
        strike: the strike; it has a target.
        seen_from: (3) position of the striker, meters: for a bone, the body's surface on that side is struck.

    Raises:
        FootfallError: the mesh has no such vertex, or the point is not at a finite position.
    """
    target = strike.target
    if target.type == "ARMATURE":
        point = _on_surface(target, _middle_of_bone(target, strike.bone), seen_from)
    elif target.type == "MESH" and strike.place != "ORIGIN":
        point = _on_mesh(strike)
    else:
        point = np.array(_evaluated(target).matrix_world.translation[:])
    if not np.isfinite(point).all():
        raise FootfallError("The target of a strike has no valid position: move it")
    return point


def _evaluated(thing: bpy.types.Object) -> bpy.types.Object:
    """Return an object as evaluated by Blender, with its constraints applied."""
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


def _middle_of_bone(target: bpy.types.Object, name: str) -> Array:
    """Return the midpoint (3) of a posed bone, meters, world."""
    seen = _evaluated(target)
    bone = seen.pose.bones[name]
    return np.array((seen.matrix_world @ ((bone.head + bone.tail) / 2))[:])


def _on_mesh(strike: bpy.types.PropertyGroup) -> Array:
    """Return the targeted vertex or surface point (3) of a strike's mesh, meters, world."""
    target = strike.target
    vertices = EvaluatedMesh.of(target).vertices
    corners, shares = (list(strike.corners), list(strike.shares))
    if strike.place == "VERTEX":
        corners, shares = [strike.vertex], [1.0]
    if max(corners) >= len(vertices):
        raise FootfallError(
            "'{name}' no longer has vertex {number}, the target of a strike: pick the target again",
            name=target.name,
            number=max(corners),
        )
    inside = np.array(shares) @ vertices[corners] / sum(shares)
    return np.array((_evaluated(target).matrix_world @ Vector(inside.tolist()))[:])


def _on_surface(armature: bpy.types.Object, middle: Array, seen_from: Array) -> Array:
    """Return where (3) a horizontal line from an inner point (3) to the striker leaves the character's surface.

    As the search starts inside, objects held in front of the body do not matter. Without any hit, the result is the
    point itself.
    """
    way = (seen_from - middle) * np.array([1.0, 1.0, 0.0])
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return middle
    way /= length
    distances = []
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH" or not thing.visible_get() or armature not in (thing.parent, thing.find_armature()):
            continue
        seen = _evaluated(thing)
        inverse = seen.matrix_world.inverted_safe()
        own_way = inverse.to_3x3() @ Vector(way.tolist())
        hit, place, _, _ = seen.ray_cast(
            inverse @ Vector(middle.tolist()), own_way.normalized(), distance=MAX_FLESH_M * own_way.length
        )
        if hit:
            distances.append(float(np.linalg.norm(np.array((seen.matrix_world @ place)[:]) - middle)))
    return middle + min(distances, default=0.0) * way
