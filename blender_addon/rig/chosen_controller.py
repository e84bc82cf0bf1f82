"""The controller of a character: the chosen one, else the shipped one that fits its body."""

from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.models.model_file import ControllerModel
from ...core.motion.roles import has_front_legs, is_quadruped
from ..controllers import library
from ..ui.memo import Memo
from . import guess, store

QUADRUPED: Final = "preset:quadruped"
"""The shipped controller of animals on four legs."""

_guessed: Memo[bool] = Memo(64)


def chosen_controller(character: bpy.types.PropertyGroup) -> tuple[str, str]:
    """Return the identifier and file of a character's controller; by default, of one that fits its body."""
    if not character.controller and has_four_legs(character.id_data):
        return QUADRUPED, ""
    return character.controller, character.controller_file


def load_chosen(character: bpy.types.PropertyGroup) -> tuple[str, ControllerModel]:
    """Load a character's controller; return its name and model.

    Raises:
        FootfallError: the controller is missing or invalid, or is for two legs while the body has four, or vice versa.
    """
    name, model = library.load(*chosen_controller(character))
    reason = _why_not_fitting(character.id_data, name, model)
    if reason is not None:
        raise FootfallError(reason)
    return name, model


def why_not_fitting(character: bpy.types.PropertyGroup) -> Message | None:
    """Return the reason why a character's controller does not fit its body; ``None`` if it does or is unreadable."""
    try:
        return _why_not_fitting(character.id_data, *library.load(*chosen_controller(character)))
    except FootfallError:
        return None


def _why_not_fitting(armature: bpy.types.Object, name: str, model: ControllerModel) -> Message | None:
    """Return the reason why a controller does not fit the body of an armature; ``None`` if it does."""
    walks_on_four, on_four = is_quadruped(model.skeleton.roles), has_four_legs(armature)
    if walks_on_four == on_four:
        return None
    title = library.title_of(name)
    if on_four:
        return Message(
            "'{name}' has four legs, but the controller '{controller}' walks on two: choose the Quadruped controller",
            name=armature.name,
            controller=title,
        )
    return Message(
        "'{name}' has two legs, but the controller '{controller}' walks on four: choose a controller for people",
        name=armature.name,
        controller=title,
    )


def has_four_legs(armature: bpy.types.Object | None) -> bool:
    """Return whether an armature is a four-legged animal, according to its rig map, or a guess without a map."""
    if armature is None or armature.type != "ARMATURE":
        return False
    if store.has_bone_map(armature):
        return has_front_legs(row.name for row in armature.footfall.rig.roles if row.bone)
    bones = armature.data.bones
    key = (armature.session_uid, len(bones), hash(tuple(bones.keys())))
    return _guessed.get(key, lambda: _looks_four_legged(armature))


def _looks_four_legged(armature: bpy.types.Object) -> bool:
    """Return whether the guessed rig map has front legs."""
    try:
        return has_front_legs(guess.guess_rig(armature).rig_map.bones)
    except FootfallError:
        return False
