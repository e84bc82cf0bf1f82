"""Keys of weapons that follow a hand."""

import bpy

from ....core.errors import FootfallError
from ....core.motion import Clip
from ...animation.layers import write_companion
from ...ui.operator_base import require_editable
from ..interaction.object_keys import object_tracks
from .end_effectors import HeldWeapon, weapon_matrices


def present_weapon(weapon: HeldWeapon, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a weapon's object; raise :class:`FootfallError` if it was deleted or cannot be keyed."""
    thing = next((one for one in scene.objects if one.name_full == weapon.name), None)
    if thing is None:
        raise FootfallError("'{name}' was deleted during the bake: nothing was baked", name=weapon.name)
    require_editable(thing, "Object")
    return thing


def key_weapon(
    thing: bpy.types.Object, weapon: HeldWeapon, clip: Clip, start_frame: int, armature: bpy.types.Object
) -> None:
    """Key a weapon so that it follows a hand; keys from an earlier version of the bake are replaced.

    Args:
        thing: the weapon's object.
        weapon: the weapon as the hand holds it.
        clip: motion of the rig's body.
        start_frame: scene frame of the clip's first frame.
        armature: the character; reverting its last bake also reverts these keys.
    """
    action, tracks = armature.footfall.baked_action, object_tracks(thing, weapon_matrices(weapon, clip))
    write_companion(armature, action, thing, tracks, start_frame, f"{thing.name}_held")
