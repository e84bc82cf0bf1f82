"""Search for changes since the active armature's bake: after an edit, never while a panel is drawn."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ....core.message import Message
from ...ui.idle_task import IdleTask
from ...ui.memo import invalidating_handlers
from ...ui.operator_base import active_armature
from ...ui.redraw import tag_redraw_all
from .inputs import first_change

SETTLE_DELAY_S: Final = 0.3
"""Delay of the search after an edit, seconds, so that a dragged point moves without lag."""


class _Known:
    """The last finding and its armature."""

    key: tuple[int, int, str] | None = None
    change: Message | None = None
    is_current = False


def cached_change(armature: bpy.types.Object) -> Message | None:
    """Return the latest result of :func:`.inputs.first_change`, and request a new one if it may be outdated."""
    key = armature.session_uid, bpy.context.scene.session_uid, armature.footfall.bake_inputs
    if _Known.key != key:
        _Known.key, _Known.change, _Known.is_current = key, None, False
    if not _Known.is_current:
        task.request(SETTLE_DELAY_S)
    return _Known.change


def _find() -> None:
    armature = active_armature(bpy.context)
    if armature is None:
        return
    scene = bpy.context.scene
    _Known.key = armature.session_uid, scene.session_uid, armature.footfall.bake_inputs
    _Known.change = first_change(armature, scene)
    bpy.context.view_layer.update()  # reading a path may create and remove an object, which would count as an edit
    _Known.is_current = True
    tag_redraw_all()


task = IdleTask(_find)


@persistent
def _on_change(*_: object) -> None:
    _Known.is_current = False


def _watched() -> tuple[list, ...]:
    return (bpy.app.handlers.depsgraph_update_post, *invalidating_handlers())


def register() -> None:
    """Register the handlers that notice edits."""
    for handlers in _watched():
        handlers.append(_on_change)


def unregister() -> None:
    task.cancel()
    _Known.key, _Known.change, _Known.is_current = None, None, False
    for handlers in _watched():
        handlers.remove(_on_change)
