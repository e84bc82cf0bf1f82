"""The active character and its partner, and reasons that they cannot be baked together."""

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ...ui.operator_base import active_armature, is_in_scene, require_armature, why_not_animatable

Pair = tuple[bpy.types.Object, bpy.types.Object]
"""The active character, and its partner."""


def why_no_pair(context: bpy.types.Context) -> str | None:
    """Return the reason why the active character has no partner for a bake; ``None`` if it has one."""
    reason, armature = why_not_animatable(context), active_armature(context)
    if reason is not None or armature is None:
        return reason
    return why_no_partner(armature, context.scene)


def why_no_partner(armature: bpy.types.Object, scene: bpy.types.Scene) -> str | None:
    """Return the reason why a character has no partner in a scene; ``None`` if it has one."""
    partner = armature.footfall.partner.character
    if partner is None:
        return "Choose a partner: another character"
    if not is_in_scene(partner, scene):
        return Message("'{name}' is no longer in the scene: choose another partner", name=partner.name)
    if partner == armature:
        return Message("'{name}' cannot be its own partner: choose another character", name=armature.name)
    if partner.type != "ARMATURE":
        return Message("'{name}' is not a character: choose an armature as the partner", name=partner.name)
    return None


def require_pair(context: bpy.types.Context) -> Pair:
    """Return the active character and its partner; raise :class:`FootfallError` if they are not a usable pair."""
    reason = why_no_pair(context)
    if reason is not None:
        raise FootfallError("{reason}", reason=reason)
    armature = require_armature(context)
    return armature, armature.footfall.partner.character
