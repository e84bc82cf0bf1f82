"""What the labels say, drawn in the viewport, and the switches of all overlays."""

import bpy

from .switches import FOOTFALL_PG_overlays


def register() -> None:
    """Adds the switches to every scene."""
    bpy.utils.register_class(FOOTFALL_PG_overlays)
    bpy.types.Scene.footfall_overlays = bpy.props.PointerProperty(type=FOOTFALL_PG_overlays)


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    del bpy.types.Scene.footfall_overlays
    bpy.utils.unregister_class(FOOTFALL_PG_overlays)
