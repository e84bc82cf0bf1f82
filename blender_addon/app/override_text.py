"""Differences between armatures and the library that they override, stored as text beside the settings.

Blender 5 drops overrides in a property group that the library's own object does not have, as in libraries made without
Footfall; and of lists Blender saves only some rows. A text is always saved.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...core.jobs.bounded_files import parse_json
from ...core.jobs.typed_json import has_type
from ..rig import store

DERIVED_PROPERTIES: Final = ("controller_choice",)
"""A number in a list that may have changed when the file is loaded; the identifier beside it is kept."""
DATA_COLLECTIONS: Final = {"Action": "actions", "Collection": "collections", "Object": "objects"}


def _override_armatures() -> Iterator[bpy.types.Object]:
    return (thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.override_library is not None)


@persistent
def store_overrides(*_: object) -> None:
    """Before a file is saved, store each override's differences from its library as text."""
    for armature in _override_armatures():
        own = _difference(to_json_data(armature.footfall), to_json_data(armature.override_library.reference.footfall))
        text = json.dumps(own) if own else ""
        if armature.library is None and armature.footfall_override_text != text:
            armature.footfall_override_text = text


@persistent
def restore_overrides(*_: object) -> None:
    """After a file is loaded, restore each override's differences from its library from the text."""
    for armature in _override_armatures():
        if armature.footfall_override_text:
            try:
                content = parse_json(armature.footfall_override_text)
                with store.suspended_updates():
                    from_json_data(armature.footfall, content)
            except (ValueError, TypeError, AttributeError, OverflowError) as error:
                print(f"Footfall: the settings of '{armature.name}' cannot be read ({error}): set them again.")
                store.clear_rig_map(armature)


def _overridable_properties(group: bpy.types.PropertyGroup) -> Iterator[bpy.types.Property]:
    """Yield the properties of a group that a library override may change."""
    return (
        item for item in group.bl_rna.properties if item.is_overridable and item.identifier not in DERIVED_PROPERTIES
    )


def to_json_data(group: bpy.types.PropertyGroup) -> dict[str, Any]:
    """Return all overridable values of a group as plain JSON data."""
    result: dict[str, Any] = {}
    for item in _overridable_properties(group):
        value = getattr(group, item.identifier)
        if item.type == "COLLECTION":
            result[item.identifier] = [to_json_data(row) for row in value]
        elif item.type != "POINTER":
            result[item.identifier] = np.array(value).tolist() if getattr(item, "is_array", False) else value
        elif item.fixed_type.identifier not in DATA_COLLECTIONS:
            result[item.identifier] = to_json_data(value)
        else:
            result[item.identifier] = [value.name, value.library.name if value.library else ""] if value else []
    return result


def _difference(content: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a group's data that differs from other data; a list counts as one value."""
    result: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            value = _difference(value, other[name])
            if value:
                result[name] = value
        elif value != other[name]:
            result[name] = value
    return result


def from_json_data(group: bpy.types.PropertyGroup, content: dict[str, Any]) -> None:
    """Set the values of a group from data made by :func:`to_json_data`; unknown names are ignored.

    Raises:
        AttributeError, OverflowError, TypeError, ValueError: a value has the wrong type or is too large.
    """
    _require_type(content, dict[str, Any])
    for item in _overridable_properties(group):
        if item.identifier not in content:
            continue
        value = content[item.identifier]
        if item.type == "COLLECTION":
            _require_type(value, list[dict[str, Any]])
            rows = store.resize_collection(getattr(group, item.identifier), len(value))
            for row, inner in zip(rows, value, strict=True):
                from_json_data(row, inner)
        elif item.type != "POINTER":
            setattr(group, item.identifier, value)
        elif item.fixed_type.identifier not in DATA_COLLECTIONS:
            from_json_data(getattr(group, item.identifier), value)
        else:
            setattr(group, item.identifier, _find_data_block(DATA_COLLECTIONS[item.fixed_type.identifier], value))


def _require_type(value: object, hint: Any) -> None:
    """Raise ``TypeError`` if a JSON value does not match a type hint."""
    if not has_type(value, hint):
        raise TypeError("one of the settings has the wrong type")


def _find_data_block(collection: str, named: list[str]) -> bpy.types.ID | None:
    """Return the data-block with a name (and a library, if it is linked); ``None`` if there is none."""
    _require_type(named, list[str])
    if not named:
        return None
    name, library = named
    return next(
        (
            block
            for block in getattr(bpy.data, collection)
            if block.name == name and (block.library.name if block.library else "") == library
        ),
        None,
    )


def register() -> None:
    """Register the text property of objects, and the handlers that write and read it."""
    bpy.types.Object.footfall_override_text = bpy.props.StringProperty(
        description="Footfall's settings of an armature with a library override, as JSON",
        options={"HIDDEN"},
        override={"LIBRARY_OVERRIDABLE"},
    )
    bpy.app.handlers.save_pre.append(store_overrides)
    bpy.app.handlers.load_post.append(restore_overrides)


def unregister() -> None:
    bpy.app.handlers.load_post.remove(restore_overrides)
    bpy.app.handlers.save_pre.remove(store_overrides)
    del bpy.types.Object.footfall_override_text
