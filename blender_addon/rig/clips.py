"""Takes: actions, each with the armature of its motion."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ..animation.fcurve_io.slots import animates
from ..ui.operator_base import active_armature, require_armature

ArmatureAction = tuple[bpy.types.Object, bpy.types.Action]

SCOPES: Final = (
    ("ACTIVE", "Active", "Label the action of the active armature"),
    ("SELECTED", "Selected", "Label the current actions of all selected armatures"),
    ("ALL", "All", "Label every action in this file that moves an armature"),
)


def actions_in_scope(context: bpy.types.Context, scope: str) -> list[ArmatureAction]:
    """Return the takes in a scope of :data:`SCOPES`; raise :class:`FootfallError` if there are none."""
    if scope == "ACTIVE":
        armature = require_armature(context)
        if armature.animation_data is None or armature.animation_data.action is None:
            raise FootfallError(
                "Armature '{name}' has no action: import motion capture or assign one", name=armature.name
            )
        return [(armature, armature.animation_data.action)]
    takes = selected_actions(context) if scope == "SELECTED" else file_actions()
    if not takes:
        raise FootfallError(
            "No action moves the selected armatures: import motion capture first"
            if scope == "SELECTED"
            else "No action in this file moves an armature: import motion capture first"
        )
    return takes


def selected_actions(context: bpy.types.Context) -> list[ArmatureAction]:
    """Return the current actions of the active armature and the selected armatures."""
    takes: dict[bpy.types.Action, bpy.types.Object] = {}
    for armature in [active_armature(context), *context.selected_objects]:
        data = armature.animation_data if armature and armature.type == "ARMATURE" else None
        if data and data.action and animates(armature, data.action):
            takes.setdefault(data.action, armature)
    return [(armature, action) for action, armature in takes.items()]


def actions_like(armature: bpy.types.Object) -> list[ArmatureAction]:
    """Return each action that animates bones named like the armature's, with the armature it belongs to.

    An action belongs to the armature that plays it, else to the given one.
    """
    owners = owners_of_actions()
    return [(owners.get(action, armature), action) for action in bpy.data.actions if animates(armature, action)]


def file_actions() -> list[ArmatureAction]:
    """Return each action in this file that moves an armature, with that armature.

    The armature is the one that plays the action, else the first matching one.
    """
    owners = owners_of_actions()
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    takes: list[ArmatureAction] = []
    for action in bpy.data.actions:
        candidates = [owners[action]] if action in owners else armatures
        owner = next((armature for armature in candidates if animates(armature, action)), None)
        if owner is not None:
            takes.append((owner, action))
    return takes


def owners_of_actions() -> dict[bpy.types.Action, bpy.types.Object]:
    """Return the armature that plays each action, whether assigned or on an NLA track."""
    return {
        action: thing for thing in bpy.data.objects if thing.type == "ARMATURE" for action in _actions_played_by(thing)
    }


def _actions_played_by(armature: bpy.types.Object) -> set[bpy.types.Action]:
    data = armature.animation_data
    if data is None:
        return set()
    played = {strip.action for track in data.nla_tracks for strip in track.strips}
    return (played | {data.action}) - {None}
