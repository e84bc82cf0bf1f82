"""Objects that bakes animate beside armatures, such as a ball, which several characters may play in turn."""

from collections.abc import Sequence
from typing import Final

import bpy

from ....core.message import Message
from ..fcurve_io.tracks import PropertyTrack
from .bake_record import FOOTFALL_PG_bake_record, bake_records, last_record, own_records, set_source, source_of
from .destination import Destination
from .revert import is_of_source, is_untouched, revert, why_not_revertible
from .writing import write

MADE_PROPERTY: Final = "footfall_made_by_bake"
"""Custom property of an object made by a bake."""


def write_companion(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    companion: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start_frame: int,
    name: str,
) -> None:
    """Write keys for another object that an armature's bake moves, replacing those of the bake's last version.

    Args:
        armature: the armature.
        action: the action written by the bake.
        companion: the object.
        tracks: tracks with the object's keys.
        start_frame: scene frame of the first row.
        name: name of the object's action.
    """
    if is_replaced(armature, action, companion):
        revert(companion, known_untouched=True)
    write(companion, tracks, start_frame, Destination(), name)
    keep_with_record(armature, action, companion, is_new=False)


def is_replaced(armature: bpy.types.Object, action: bpy.types.Action, companion: bpy.types.Object) -> bool:
    """Return whether an armature's bake replaces an object's last bake, because both are versions of one bake.

    If the armature's action was not written by a bake, such as a capture with a fitted ball, it replaces only animation
    that was not written by a bake either.
    """
    entry, own = last_record(companion), _entry_of(armature, action)
    if entry is None or not is_untouched(companion) or entry.companion not in ("", armature.name_full):
        return False
    return entry.companion == "" if own is None else is_of_source(entry, source_of(own))


def keep_with_record(
    armature: bpy.types.Object, action: bpy.types.Action, companion: bpy.types.Object, is_new: bool
) -> None:
    """Record that an armature's bake animated another object, so that reverting the bake removes that animation.

    Args:
        armature: the armature.
        action: the action written by the bake.
        companion: the other object, whose last record belongs to this bake.
        is_new: whether the bake created the object; if so, it is deleted with its last animation.
    """
    entry, other = _entry_of(armature, action), bake_records(companion)[-1]
    assert entry is not None
    entry.companion = "\n".join(dict.fromkeys([*_names(entry), companion.name_full]))
    other.companion = armature.name_full
    set_source(other, source_of(entry))
    if is_new:
        companion[MADE_PROPERTY] = True


def _entry_of(armature: bpy.types.Object, action: bpy.types.Action) -> FOOTFALL_PG_bake_record | None:
    """Return the record of the bake that wrote an action; ``None`` without one."""
    return next((entry for _, entry in own_records(armature) if entry.action == action), None)


def companions_of(armature: bpy.types.Object, number: int | None = None) -> list[bpy.types.Object]:
    """Return the other objects animated by a bake of an armature that still exist; by default by the last bake."""
    entry = last_record(armature) if number is None else bake_records(armature)[number]
    found = map(bpy.data.objects.get, _names(entry) if entry is not None else [])
    return [companion for companion in found if companion is not None]


def _names(entry: bpy.types.PropertyGroup) -> list[str]:
    """Return the full names of the objects listed in the record of a bake."""
    return entry.companion.split("\n") if entry.companion else []


def is_last_of(armature: bpy.types.Object, companion: bpy.types.Object) -> bool:
    """Return whether an object's last animation is from this armature's bake, or from no armature's bake."""
    entry = last_record(companion)
    return entry is not None and entry.companion in ("", armature.name_full)


def uncover(armature: bpy.types.Object, companion: bpy.types.Object) -> None:
    """Revert animation that other armatures' bakes have added to an object on top of this armature's, if any."""
    while armature.name_full in [entry.companion for entry in bake_records(companion)]:
        if is_last_of(armature, companion) or why_not_revertible(companion) is not None:
            return
        revert(companion)


def revert_companion(armature: bpy.types.Object, companion: bpy.types.Object) -> str:
    """Revert the animation that an armature's bake gave an object; delete the object if the bake created it."""
    name = companion.name
    uncover(armature, companion)
    if is_last_of(armature, companion) and why_not_revertible(companion) is None:
        revert(companion)
    if not companion.get(MADE_PROPERTY) or last_record(companion) is not None or has_action(companion):
        return Message("'{name}' is back in its previous state", name=name)
    data = companion.data
    bpy.data.objects.remove(companion)
    if isinstance(data, bpy.types.Mesh) and not data.users:
        bpy.data.meshes.remove(data)
    return Message("'{name}' was removed", name=name)


def revert_with_companions(armature: bpy.types.Object) -> str:
    """Revert an armature's last bake together with its animation of other objects; return a report.

    Raises:
        FootfallError: there is no bake to revert, or the armature does not play it.
    """
    companions, said = companions_of(armature), revert(armature)
    return Message.joined(". ", [said, *(revert_companion(armature, companion) for companion in companions)])


def has_action(thing: bpy.types.Object) -> bool:
    return thing.animation_data is not None and thing.animation_data.action is not None
