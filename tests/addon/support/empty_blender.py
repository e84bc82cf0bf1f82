"""Blender as it is after its installation, without objects."""

from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.activities.strike.presets import FOOTFALL_PT_strike_presets
from footfall.blender_addon.activities.walk.presets import FOOTFALL_PT_direct_presets
from footfall.blender_addon.label.presets import FOOTFALL_MT_labelling_presets

PRESET_TITLES = {
    menu: menu.bl_label
    for menu in (FOOTFALL_MT_labelling_presets, FOOTFALL_PT_direct_presets, FOOTFALL_PT_strike_presets)
}
"""Titles that Blender replaces with the name of the preset chosen last."""


def is_registered() -> bool:
    return hasattr(bpy.types.Action, "footfall")


def empty_blender() -> None:
    """Load the factory settings and an empty file, and have the add-on registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)  # which disables add-ons that are enabled
    for menu, title in PRESET_TITLES.items():
        menu.bl_label = title
    if not is_registered():
        footfall.register()


def enable_add_on() -> bpy.types.AddonPreferences:
    """Enable the add-on, which is not registered, as its user does; its preferences, which it has only then."""
    import addon_utils  # Blender puts it on the path

    footfall.__time__ = Path(footfall.__file__).stat().st_mtime  # or Blender takes it for changed and reloads it
    assert addon_utils.enable("footfall", default_set=True)
    return bpy.context.preferences.addons["footfall"].preferences
