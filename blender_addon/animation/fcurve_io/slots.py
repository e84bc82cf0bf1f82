"""The slot of an action that moves an armature."""

import re

import bpy

from .curves import CurveMap, curves_of
from .rig import Rig

BONE_PATH = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.')


def bone_of_path(path: str) -> str | None:
    """Return the bone animated by a data path such as ``pose.bones["Hips"].location``."""
    match = BONE_PATH.match(path)
    return re.sub(r"\\(.)", r"\1", match.group(1)) if match else None


def count_animated_bones(curves: CurveMap, rig: Rig) -> int:
    """Return the number of the rig's bones that the curves animate."""
    return len({bone_of_path(path) for path, _ in curves} & set(rig.names))


def slot_for(armature: bpy.types.Object, action: bpy.types.Action) -> bpy.types.ActionSlot | None:
    """Return an action's slot for an armature: the assigned one, the one with its name, or the best match by bones."""
    data = armature.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    named = action.slots.get(f"OB{armature.name}")
    if named is not None:
        return named
    bones = {bone.name for bone in armature.data.bones}
    counts = [
        (len({bone_of_path(path) for path, _ in curves_of(action, slot)} & bones), -number)
        for number, slot in enumerate(action.slots)
    ]
    best = max(counts, default=(0, 0))
    return action.slots[-best[1]] if best[0] else None


def animates(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Return whether at least half of the bones that an action animates belong to the armature."""
    slot = slot_for(armature, action)
    if slot is None:
        return False
    moved = {name for name in (bone_of_path(path) for path, _ in curves_of(action, slot)) if name}
    known = sum(name in armature.data.bones for name in moved)
    return known > 0 and 2 * known >= len(moved)
