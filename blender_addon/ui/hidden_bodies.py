"""The meshes of a character that a preview hides while its ghost is shown."""

from collections.abc import Iterator
from typing import Final

import bpy
from bpy.app.handlers import persistent

HIDDEN_KEY: Final = "footfall_hidden_by_preview"
"""Custom property of the hidden meshes, which is included in undo and in saved files."""

_hiding: list[str] = []
"""The names of the armatures with hidden meshes."""


def hide_body(armature_name: str) -> None:
    """Hide the visible meshes of an armature in the view layer."""
    _hiding.append(armature_name)
    _hide_marked()


def show_body(armature_name: str) -> None:
    """Show again the meshes hidden by :func:`hide_body`."""
    if armature_name in _hiding:
        _hiding.remove(armature_name)
    _show_marked()


def _hide_marked() -> None:
    layer = bpy.context.view_layer
    for obj in _meshes_of(_hiding):
        if obj.name in layer.objects and obj != layer.objects.active and not obj.hide_get():
            obj[HIDDEN_KEY] = True
            obj.hide_set(True)


def _show_marked() -> None:
    """Show the marked meshes of armatures without a preview."""
    kept = set(_meshes_of(_hiding))
    layer = bpy.context.view_layer
    for obj in list(bpy.data.objects):
        if HIDDEN_KEY in obj and obj not in kept:
            del obj[HIDDEN_KEY]
            if obj.name in layer.objects:
                obj.hide_set(False)


def _meshes_of(armatures: list[str]) -> Iterator[bpy.types.Object]:
    """Yield the editable meshes that the armatures deform."""
    for obj in bpy.data.objects:
        armature = obj.find_armature() if obj.type == "MESH" and obj.library is None else None
        if armature is not None and armature.name_full in armatures:
            yield obj


@persistent
def _before_save(*_: object) -> None:
    """Save files with visible meshes."""
    hiding = _hiding.copy()
    _hiding.clear()
    _show_marked()
    _hiding.extend(hiding)


@persistent
def _after_change(*_: object) -> None:
    """Hide and show after undo, redo and saving according to the previews."""
    _show_marked()
    _hide_marked()


def _handlers() -> tuple[tuple[list, object], ...]:
    handlers = bpy.app.handlers
    return (
        (handlers.save_pre, _before_save),
        (handlers.save_post, _after_change),
        (handlers.undo_post, _after_change),
        (handlers.redo_post, _after_change),
        (handlers.load_post, _after_change),
    )


def register() -> None:
    """Add handlers for undo and files."""
    for handlers, function in _handlers():
        handlers.append(function)


def unregister() -> None:
    """Undo :func:`register`; previews have ended before."""
    for handlers, function in _handlers():
        handlers.remove(function)
