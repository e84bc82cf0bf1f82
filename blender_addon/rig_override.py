"""Rig maps of armatures that are overrides of a library's, kept as text beside the map.

Blender saves what an override says in a property group only in part, and Blender 5 not at all where the library's own
object does not have the group; a text is always saved.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import bpy
from bpy.app.handlers import persistent

from . import rig_store

SKIPPED: Final = ("rna_type",)


def _overridden() -> Iterator[bpy.types.Object]:
    return (thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.override_library is not None)


@persistent
def write_texts(*_: object) -> None:
    """Before a file is saved: the maps of overridden armatures as text, where they are not as in the library."""
    for armature in _overridden():
        content = _content(armature.footfall.rig)
        own = rig_store.has_map(armature) and content != _content(armature.override_library.reference.footfall.rig)
        text = json.dumps(content) if own else ""
        if armature.footfall_rig_text != text:
            armature.footfall_rig_text = text


@persistent
def read_texts(*_: object) -> None:
    """After a file was loaded: the maps that it has as text."""
    for armature in _overridden():
        if armature.footfall_rig_text:
            try:
                content = json.loads(armature.footfall_rig_text)
                with rig_store.filling():
                    _fill(armature.footfall.rig, content)
            except (ValueError, TypeError, AttributeError) as error:
                print(f"Footfall: the rig map of '{armature.name}' cannot be read ({error}): guess it anew.")
                rig_store.clear(armature)


def _content(group: bpy.types.PropertyGroup) -> dict[str, Any]:
    """All that a group holds, as plain JSON data."""
    result: dict[str, Any] = {}
    for item in group.bl_rna.properties:
        if item.identifier in SKIPPED:
            continue
        value = getattr(group, item.identifier)
        if item.type == "COLLECTION":
            result[item.identifier] = [_content(row) for row in value]
        else:
            result[item.identifier] = list(value) if getattr(item, "is_array", False) else value
    return result


def _fill(group: bpy.types.PropertyGroup, content: dict[str, Any]) -> None:
    """Puts what :func:`_content` gave back; what a group does not know is left out."""
    for item in group.bl_rna.properties:
        if item.identifier in SKIPPED or item.identifier not in content:
            continue
        value = content[item.identifier]
        if item.type == "COLLECTION":
            rows = rig_store.resized(getattr(group, item.identifier), len(value))
            for row, inner in zip(rows, value, strict=True):
                _fill(row, inner)
        else:
            setattr(group, item.identifier, value)


def register() -> None:
    """Adds the text to every object, and has it written and read."""
    bpy.types.Object.footfall_rig_text = bpy.props.StringProperty(
        description="The rig map of an overridden armature", options={"HIDDEN"}, override={"LIBRARY_OVERRIDABLE"}
    )
    bpy.app.handlers.save_pre.append(write_texts)
    bpy.app.handlers.load_post.append(read_texts)


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    bpy.app.handlers.load_post.remove(read_texts)
    bpy.app.handlers.save_pre.remove(write_texts)
    del bpy.types.Object.footfall_rig_text
