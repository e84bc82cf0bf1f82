"""All that a user has in the open file, as plain values that can be compared."""

import hashlib
import math
from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np

KEPT: Final = "User's own"
"""Name of the action that no operator may change or remove."""
POSE: Final = "pose.bones"
"""Data paths of the motion of an action; labels are other curves of it."""

State = dict[str, object]
"""Values by what they are of."""


def read_state() -> State:
    """Read objects, actions and the add-on's settings of characters and scene."""
    found: State = {}
    for thing in bpy.data.objects:
        name = f"object {thing.name_full}"
        place = tuple(round(number, 4) for row in thing.matrix_basis for number in row)
        found[name] = (thing.type, place, getattr(thing.data, "name", ""))
        found.update(_settings(thing.footfall, f"{name}.footfall"))
        if thing.animation_data is not None:
            found[f"{name} action"] = getattr(thing.animation_data.action, "name", "")
    for action in bpy.data.actions:
        found[f"action {action.name_full}"] = action_digest(action)
    for scene in bpy.data.scenes:
        found.update(_settings(scene.footfall, f"scene {scene.name_full}.footfall"))
    return found


def kept_digest() -> str:
    """Return a digest of the motion of the user's own action of this file; empty where it is gone."""
    action = bpy.data.actions.get((KEPT, None))
    return "" if action is None else action_digest(action, POSE)


def action_digest(action: bpy.types.Action, paths: str = "") -> str:
    """Return a digest of all keys of an action whose data paths begin so."""
    digest = hashlib.sha256()
    for curve in _curves(action):
        if not curve.data_path.startswith(paths):
            continue
        digest.update(f"{curve.data_path} {curve.array_index}".encode())
        digest.update(_keys(curve).tobytes())
    return digest.hexdigest()[:12]


def broken_keys() -> Iterator[str]:
    """Yield the curves that have a key which is not finite."""
    for action in bpy.data.actions:
        for curve in _curves(action):
            if not np.isfinite(_keys(curve)).all():
                yield f"{action.name}: {curve.data_path}[{curve.array_index}]"


def differences(first: State, second: State) -> list[str]:
    """Return the differences between two states, one line each."""
    return [
        f"{name}: {first.get(name)} -> {second.get(name)}"
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]


def _curves(action: bpy.types.Action) -> Iterator[bpy.types.FCurve]:
    """Yield the curves of all slots of an action."""
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def _keys(curve: bpy.types.FCurve) -> np.ndarray:
    """Return frames and values (2 K) of the keys of a curve."""
    keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", keys)
    return keys


def _settings(group: bpy.types.PropertyGroup, name: str) -> Iterator[tuple[str, object]]:
    """Yield the values of a group's properties, and of those below it."""
    for prop in group.bl_rna.properties:
        if prop.identifier in {"rna_type", "name"} or prop.is_skip_save:
            continue
        value, path = getattr(group, prop.identifier), f"{name}.{prop.identifier}"
        if prop.type == "COLLECTION":
            for number, item in enumerate(value):
                if isinstance(item, bpy.types.PropertyGroup):
                    yield from _settings(item, f"{path}[{number}]")
        elif isinstance(value, bpy.types.PropertyGroup):
            yield from _settings(value, path)
        elif prop.type == "POINTER":
            yield path, getattr(value, "name", None)
        elif getattr(prop, "is_array", False):
            yield path, tuple(np.ravel(value).tolist())
        else:
            yield path, round(value, 4) if isinstance(value, float) and math.isfinite(value) else value
