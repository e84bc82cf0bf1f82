"""Blender as it is after its installation, without objects."""

import bpy

import footfall


def is_registered() -> bool:
    return hasattr(bpy.types.Action, "footfall")


def empty_blender() -> None:
    """Load the factory settings and an empty file, and have the add-on registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)  # which disables add-ons that are enabled
    if not is_registered():
        footfall.register()
