"""Takes stored with a character, one of which is its bake."""

import bpy

from ....core.errors import FootfallError
from ...animation.fcurve_io.slots import slot_for
from ...animation.layers import companions_of


def keep_take(armature: bpy.types.Object, item: bpy.types.PropertyGroup, made: bpy.types.Action, seed: int) -> None:
    """Store the last bake of a character as a take: copies of its action and of its objects' actions."""
    settings = armature.footfall
    item.action, item.seed, item.quality = _kept(made, seed), seed, settings.quality_summary
    item.controller, item.controller_file = settings.controller, settings.controller_file
    for thing in companions_of(armature):
        if thing.animation_data is not None and thing.animation_data.action is not None:
            moved = item.things.add()
            moved.object, moved.action = thing, _kept(thing.animation_data.action, seed)


def use_take(armature: bpy.types.Object, item: bpy.types.PropertyGroup) -> None:
    """Use a take as the character's bake; raise :class:`FootfallError` if its action was deleted."""
    if item.action is None:
        raise FootfallError("The action of the active take was deleted: remove the take from the list")
    settings = armature.footfall
    _assign(armature, item.action)
    for moved in item.things:
        if moved.object is not None and moved.action is not None:
            _assign(moved.object, moved.action)
    settings.baked_action, settings.seed, settings.quality_summary = item.action, item.seed, item.quality
    settings.controller, settings.controller_file = item.controller, item.controller_file


def _kept(action: bpy.types.Action, seed: int) -> bpy.types.Action:
    """Return a copy of an action that is saved with the file even if unused."""
    kept = action.copy()
    kept.name, kept.use_fake_user = f"{action.name}_seed_{seed}", True
    return kept


def _assign(thing: bpy.types.Object, action: bpy.types.Action) -> None:
    data = thing.animation_data or thing.animation_data_create()
    data.action = action
    data.action_slot = slot_for(thing, action)
