"""Objects that bakes animate beside armatures, such as a ball, which several characters may play one after another."""

from typing import Final

import bpy

from ....core.message import Message
from .bake_record import bake_records, last_record
from .revert import revert, why_not_revertible

MADE_PROPERTY: Final = "footfall_made_by_bake"
"""Custom property of an object that a bake made."""


def keep_with_record(armature: bpy.types.Object, companion: bpy.types.Object, is_new: bool) -> None:
    """Note that the last bake of an armature animated another object, too, which goes when it is taken back.

    Args:
        armature: the armature.
        companion: the other object, whose last record is of this bake.
        is_new: whether it was made by the bake, and is to be deleted with its last animation.
    """
    entry = bake_records(armature)[-1]
    entry.companion = "\n".join([*_names(entry), companion.name_full])
    bake_records(companion)[-1].companion = armature.name_full
    if is_new:
        companion[MADE_PROPERTY] = True


def companions_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects that the last bake of an armature animated, too, and that are still there."""
    entry = last_record(armature)
    found = map(bpy.data.objects.get, _names(entry) if entry is not None else [])
    return [companion for companion in found if companion is not None]


def _names(entry: bpy.types.PropertyGroup) -> list[str]:
    """Return the full names of the objects that go with the record of a bake."""
    return entry.companion.split("\n") if entry.companion else []


def is_last_of(armature: bpy.types.Object, companion: bpy.types.Object) -> bool:
    """Return whether the last animation of an object is an armature's, or no armature's bake made it."""
    entry = last_record(companion)
    return entry is not None and entry.companion in ("", armature.name_full)


def uncover(armature: bpy.types.Object, companion: bpy.types.Object) -> None:
    """Take animations of an object back that other armatures have laid over that of one armature, if it has one."""
    while armature.name_full in [entry.companion for entry in bake_records(companion)]:
        if is_last_of(armature, companion) or why_not_revertible(companion) is not None:
            return
        revert(companion)


def revert_companion(armature: bpy.types.Object, companion: bpy.types.Object) -> str:
    """Take the animation of an object back that an armature's bake made, and the object if that made it."""
    name = companion.name
    uncover(armature, companion)
    if is_last_of(armature, companion) and why_not_revertible(companion) is None:
        revert(companion)
    if not companion.get(MADE_PROPERTY) or last_record(companion) is not None or has_action(companion):
        return Message("'{name}' is as it was before", name=name)
    data = companion.data
    bpy.data.objects.remove(companion)
    if isinstance(data, bpy.types.Mesh) and not data.users:
        bpy.data.meshes.remove(data)
    return Message("'{name}' was removed", name=name)


def revert_with_companions(armature: bpy.types.Object) -> str:
    """Revert an armature's last bake, and the animations of other objects that it made; return what was done.

    Raises:
        FootfallError: there is no bake to take back, or it is not what the armature plays.
    """
    companions, said = companions_of(armature), revert(armature)
    return Message.joined("; ", [said, *(revert_companion(armature, companion) for companion in companions)])


def has_action(thing: bpy.types.Object) -> bool:
    """Return whether an object has an action."""
    return thing.animation_data is not None and thing.animation_data.action is not None
