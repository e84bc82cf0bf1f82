"""Overlays of labels in the 3D viewport: footprints, root path, phase dials; and the switches of all overlays."""

import bpy

from ...ui.memo import invalidating_handlers
from ...ui.overlay import Overlay
from . import drawing, finding
from .panel import FOOTFALL_PT_label_overlays
from .switches import FOOTFALL_PG_label_overlays

__all__ = ["register", "unregister"]

CLASSES = (FOOTFALL_PG_label_overlays, FOOTFALL_PT_label_overlays)

_overlay = Overlay(
    "labels",
    [(drawing.draw_on_ground, "POST_VIEW"), (drawing.draw_dials, "POST_PIXEL")],
    free=drawing.free_gpu_resources,
    in_meters=True,
)


def register() -> None:
    """Register the switches in scenes and in the Label panel, and the drawing in viewports.

    Register the Label panel first. Without windows, there is no drawing.
    """
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.footfall_label_overlays = bpy.props.PointerProperty(type=FOOTFALL_PG_label_overlays)
    for handlers in invalidating_handlers():
        handlers.append(finding.invalidate)
    _overlay.start()


def unregister() -> None:
    """Undo :func:`register`."""
    _overlay.stop()
    finding.cancel_pending()
    for handlers in invalidating_handlers():
        handlers.remove(finding.invalidate)
    del bpy.types.Scene.footfall_label_overlays
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
