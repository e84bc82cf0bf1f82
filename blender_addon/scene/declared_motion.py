"""Motion of objects as declared by a Blender scene: keys, drivers, constraints, rigid-body joints and locks."""

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ...core.message import Message
from ...core.scene.declared_motion import (
    MIN_SLIDE_M,
    MIN_TURN_RAD,
    DeclaredMotion,
    kind_of_ranges,
    require_usable_motion,
)
from ...core.scene.object_placement import BOTH_WAYS
from ..animation.fcurve_io.curves import CurveMap, curves_of
from ..animation.layers.bake_record import bake_records, written_actions

WAY_CHANNELS: Final = ("location", "delta_location")
TURN_CHANNELS: Final = {
    "rotation_euler": 1.0,
    "delta_rotation_euler": 1.0,
    "rotation_quaternion": 2.0,
    "delta_rotation_quaternion": 2.0,
    "rotation_axis_angle": 1.0,
}
"""Channels of rotations, with the radians per unit of their values."""
LOOKAHEAD_FRAMES: Final = 240
"""Number of frames after the first in which curves that continue without keys are checked."""
LOOKAHEAD_STEP: Final = 4
FOLLOWING: Final = ("CHILD_OF", "COPY_LOCATION", "COPY_ROTATION", "COPY_TRANSFORMS")
"""Constraints that move an object together with their target."""
SLIDING_JOINTS: Final = ("SLIDER", "PISTON")
MAX_UPRIGHT_COSINE: Final = 0.7
"""Largest cosine of the angle between a hinge and the vertical for objects that swing from it."""


def require_usable(obj: bpy.types.Object, action: str, scene: bpy.types.Scene, first_frame: int) -> None:
    """Raise an error if an object is declared to move in a way its use forbids: a sliding door, a moving seat.

    Raises:
        FootfallError: the object moves; the message names the source of the motion and a remedy.
    """
    motions = [*declared_motions(obj, scene, first_frame), *(_guided(obj) if action == "open" else ())]
    require_usable_motion(obj.name, action, motions, obj.footfall_door_opening != BOTH_WAYS)


def declared_motions(obj: bpy.types.Object, scene: bpy.types.Scene, first_frame: int) -> Iterator[DeclaredMotion]:
    """Yield declarations of an object's motion, the most certain first; motion baked by Footfall does not count."""
    for owner in _movers(obj):
        yield from _keyed(owner, first_frame)
        yield from _driven(owner)
    yield from _joined(obj, scene)
    for one in _active_constraints(obj):
        if one.type == "LIMIT_ROTATION" and any(_limited_room(one, axis) > MIN_TURN_RAD for axis in "xy"):
            yield DeclaredMotion("moves", _constraint_source(one))


def _movers(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return what can move an object: itself, its parents and moving constraint targets, but no characters."""
    found, pending = list[bpy.types.Object](), [obj]
    while pending:
        owner = pending.pop(0)
        if owner.type == "ARMATURE" or owner in found:
            continue
        found.append(owner)
        targets = [one.target for one in _active_constraints(owner) if one.type in FOLLOWING]
        pending += [other for other in (owner.parent, *targets) if other is not None]
    return found


def _keyed(obj: bpy.types.Object, first_frame: int) -> Iterator[DeclaredMotion]:
    """Yield the motion that keys give an object from a frame on."""
    scale = max(map(abs, obj.parent.matrix_world.to_scale())) if obj.parent else 1.0
    for curves in _curve_maps(obj):
        way = scale * max((_range(curves, path, first_frame) for path in WAY_CHANNELS), default=0.0)
        turn = max(unit * _range(curves, path, first_frame) for path, unit in TURN_CHANNELS.items())
        kind = kind_of_ranges(way, turn)
        if kind is not None:
            yield DeclaredMotion(kind, Message("the keyframes of '{name}'", name=obj.name))


def _curve_maps(obj: bpy.types.Object) -> Iterator[CurveMap]:
    """Yield the curves of each action that animates an object and was not written by a bake."""
    data = obj.animation_data
    if data is None:
        return
    own = [action for entry in bake_records(obj) for action in written_actions(entry)]
    pairs = [(data.action, data.action_slot)]
    pairs += [
        (strip.action, strip.action_slot)
        for track in (data.nla_tracks if data.use_nla else ())
        for strip in track.strips
        if not track.mute and not strip.mute
    ]
    for action, slot in pairs:
        if action is not None and slot is not None and action not in own:
            yield curves_of(action, slot)


def _range(curves: CurveMap, path: str, first_frame: int) -> float:
    """Return the largest change of any component of a channel from a frame on."""
    widest = 0.0
    for (curve_path, _), curve in curves.items():
        if curve_path == path:
            frames = [float(key.co[0]) for key in curve.keyframe_points if key.co[0] > first_frame]
            frames += range(first_frame, first_frame + LOOKAHEAD_FRAMES + 1, LOOKAHEAD_STEP)
            widest = max(widest, float(np.ptp([curve.evaluate(frame) for frame in frames])))
    return widest


def _driven(obj: bpy.types.Object) -> Iterator[DeclaredMotion]:
    """Yield the motion that drivers give an object."""
    paths = [curve.data_path for curve in obj.animation_data.drivers if not curve.mute] if obj.animation_data else []
    turned = any(path in TURN_CHANNELS for path in paths)
    if turned or any(path in WAY_CHANNELS for path in paths):
        yield DeclaredMotion("moves" if turned else "slides", Message("the drivers of '{name}'", name=obj.name))


def _joined(obj: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[DeclaredMotion]:
    """Yield the motion that the rigid-body joints of an object allow."""
    for owner in scene.objects:
        joint = owner.rigid_body_constraint
        if joint is None or not joint.enabled or obj not in (joint.object1, joint.object2):
            continue
        source = Message("the rigid body constraint of '{name}'", name=owner.name)
        if joint.type in SLIDING_JOINTS:
            yield DeclaredMotion("slides", source)
        axis = (owner.matrix_world.to_3x3() @ Vector((0.0, 0.0, 1.0))).normalized()
        if joint.type == "HINGE" and abs(axis.z) < MAX_UPRIGHT_COSINE:
            yield DeclaredMotion("moves", source)


def _guided(obj: bpy.types.Object) -> Iterator[DeclaredMotion]:
    """Yield the horizontal motion that location limits (other than a hinge's) and locks leave an object."""
    limits = list(_active_constraints(obj))
    if any(one.type == "LIMIT_ROTATION" and _limited_room(one, "z") > MIN_TURN_RAD for one in limits):
        return
    for one in limits:
        if one.type == "LIMIT_LOCATION" and any(_limited_room(one, axis) > MIN_SLIDE_M for axis in "xy"):
            yield DeclaredMotion("slides", _constraint_source(one))
    if all(obj.lock_rotation) and sum(not locked for locked in obj.lock_location) == 1:
        yield DeclaredMotion("slides", Message("the locked rotation of the object"))


def _limited_room(constraint: bpy.types.Constraint, axis: str) -> float:
    """Return the range that a limiting constraint leaves free along or about an axis; 0 if the axis is not limited."""
    if constraint.type == "LIMIT_ROTATION":
        is_limited = getattr(constraint, f"use_limit_{axis}")
    else:
        is_limited = getattr(constraint, f"use_min_{axis}") and getattr(constraint, f"use_max_{axis}")
    return getattr(constraint, f"max_{axis}") - getattr(constraint, f"min_{axis}") if is_limited else 0.0


def _constraint_source(constraint: bpy.types.Constraint) -> Message:
    return Message("the constraint '{name}'", name=constraint.name)


def _active_constraints(obj: bpy.types.Object) -> Iterator[bpy.types.Constraint]:
    """Yield the constraints of an object that are active."""
    return (one for one in obj.constraints if not one.mute and one.influence > 0.0)
