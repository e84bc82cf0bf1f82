"""Blender as it is after its installation, without objects."""

from pathlib import Path

import bpy

import footfall


def is_registered() -> bool:
    return hasattr(bpy.types.Action, "footfall")


def empty_blender() -> None:
    """Load the factory settings and an empty file, and have the add-on registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)  # which disables add-ons that are enabled
    if not is_registered():
        footfall.register()


def enable_add_on() -> bpy.types.AddonPreferences:
    """Enable the add-on, which is not registered, as its user does; its preferences, which it has only then."""
    import addon_utils  # Blender puts it on the path

    footfall.__time__ = Path(footfall.__file__).stat().st_mtime  # or Blender takes it for changed and reloads it
    assert addon_utils.enable("footfall", default_set=True)
    return bpy.context.preferences.addons["footfall"].preferences
