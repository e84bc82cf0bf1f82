"""Watcher of manual changes of labels: moved, added or deleted pose markers and typed numbers of segments.

The same edits as those of the buttons follow at once.

No undo step is added: Blender has added one for the drag itself. Undo restores marker and strikes together, and redo
restores the drag, from which the edit follows again.
"""

import sys
import traceback
from collections.abc import Hashable
from typing import Final

import bpy
import numpy as np

from ...core.message import Message
from ..ui.modal_operator import ModalWorkOperator
from ..ui.operator_base import active_armature
from ..ui.redraw import tag_redraw_all
from ..ui.translations import translate_interface
from .edits import commit_manual_edits, is_labeled

POLL_INTERVAL_S: Final = 0.25


class _LastState:
    """The last settled state of the labels."""

    state: Hashable = None


def register() -> None:
    """Start the watcher; it stays active when a file is loaded."""
    bpy.app.timers.register(look_for_edits, first_interval=POLL_INTERVAL_S, persistent=True)


def unregister() -> None:
    """Stop the watcher."""
    if bpy.app.timers.is_registered(look_for_edits):
        bpy.app.timers.unregister(look_for_edits)
    _LastState.state = None


def look_for_edits() -> float | None:
    """Look for edits once; after an error, stop doing so to avoid flooding the console."""
    try:
        poll(bpy.context)
    except Exception:
        traceback.print_exc()
        print(
            "Because of this error, labels no longer update automatically. Press Recompute to update them",
            file=sys.stderr,
        )
        return None
    return POLL_INTERVAL_S


def poll(context: bpy.types.Context) -> bool:
    """After manual edits of the active armature's action, update phase and contacts; return whether there were any.

    Nothing is done during playback and dragging.
    """
    armature = _active_armature(context)
    data = armature.animation_data if armature else None
    action = data.action if data else None
    if armature is None or action is None or not is_labeled(action) or not action.is_editable or _is_busy(context):
        return False
    if _edit_state(action) == _LastState.state:
        return False
    before = action.footfall.revision
    refused = commit_manual_edits(armature, action)
    _LastState.state = _edit_state(action)
    if action.footfall.revision == before:
        return False
    context.window_manager.footfall.label_error = translate_interface(Message.joined(" ", refused))
    tag_redraw_all()
    return True


def _active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active armature, even if there is no current window, as in a timer."""
    if hasattr(context, "object"):
        return active_armature(context)
    active = context.view_layer.objects.active
    return active if active is not None and active.type == "ARMATURE" else None


def _edit_state(action: bpy.types.Action) -> Hashable:
    """Return a key that changes with every manual edit and is cheap to compute."""
    markers = action.pose_markers
    frames = np.empty(len(markers), dtype=np.int32)
    markers.foreach_get("frame", frames)
    names = tuple([marker.name for marker in markers])
    stored = action.footfall
    return action.session_uid, stored.revision, stored.has_manual_edits, frames.tobytes(), names


def _is_busy(context: bpy.types.Context) -> bool:
    """Return whether an animation is playing, or an operator is running that may hold references to the labels.

    Python operators in the background, such as displays of pressed keys or the label strip's edit mode, keep no
    references between two events.
    """
    if ModalWorkOperator.running:
        return True
    for window in context.window_manager.windows:
        if window.screen.is_animation_playing:
            return True
        for operator in window.modal_operators:
            if bpy.types.Operator.bl_rna_get_subclass_py(operator.bl_idname) is None:
                return True
    return False
