"""The live preview of the active armature's walk: only one at a time, while its character exists."""

from typing import Final

import bpy

from ....ui.operator_base import active_armature
from ....ui.viewport_preview import TickingSlot
from .draw import LivePreview

_SLOT: Final[TickingSlot[LivePreview]] = TickingSlot()


def active_preview() -> LivePreview | None:
    """Return the preview that is being shown; ``None`` without one."""
    return _SLOT.preview


def update_live_preview(session: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Start or stop the preview of the active armature's walk, as the session requires."""
    stop_live_preview()
    armature = active_armature(context)
    if session.live_preview and armature is not None:
        _SLOT.show(LivePreview(armature))


def stop_live_preview() -> None:
    """Stop the preview of a walk."""
    _SLOT.stop()
