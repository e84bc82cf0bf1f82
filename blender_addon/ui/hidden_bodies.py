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
    """Show the meshes of an armature again after :func:`hide_body`."""
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
    """Show the hidden meshes of armatures that no longer have a preview."""
    kept = set(_meshes_of(_hiding))
    layer = bpy.context.view_layer
    for obj in list(bpy.data.objects):
        if HIDDEN_KEY in obj and obj not in kept:
            del obj[HIDDEN_KEY]
            if obj.name in layer.objects:
                obj.hide_set(False)


def _meshes_of(armatures: list[str]) -> Iterator[bpy.types.Object]:
    """Yield the editable meshes that are deformed by the armatures."""
    for obj in bpy.data.objects:
        armature = obj.find_armature() if obj.type == "MESH" and obj.library is None else None
        if armature is not None and armature.name_full in armatures:
            yield obj


@persistent
def _before_save(*_: object) -> None:
    """Make hidden meshes visible, so that the file is not saved with hidden ones."""
    hiding = _hiding.copy()
    _hiding.clear()
    _show_marked()
    _hiding.extend(hiding)


@persistent
def _after_change(*_: object) -> None:
    """Hide and show meshes as the previews require, after undo, redo and saving."""
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
    """Add the handlers for undo, loading and saving."""
    for handlers, function in _handlers():
        handlers.append(function)


def unregister() -> None:
    """Undo :func:`register`; all previews have ended by then."""
    for handlers, function in _handlers():
        handlers.remove(function)
