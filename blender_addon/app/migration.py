"""Migration of files, library overrides and preferences of an older Footfall to the current names of properties.

What a file keeps is read from Blender's storage of properties, which has the old names too, and written through the
registered properties. Enum items are stored as numbers and keep them. A second run finds nothing left to do.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import bpy
from bpy.app.handlers import persistent

from ...core.jobs.bounded_files import parse_json
from .. import compat
from ..direct.presets import alias
from ..rig import store
from ..scene.ground_tags import OLD_TAG_PROPERTY, OLD_TAGS
from ..ui.preferences import addon_preferences
from .renamed import (
    FIT_PROPERTY,
    OWNERS,
    RENAMED_CONSTRAINTS,
    RENAMED_CUSTOM_PROPERTIES,
    RENAMED_ITEMS,
    RENAMED_MARKERS,
    RENAMED_PREFERENCES,
    RENAMED_PROPERTIES,
    RENAMED_VALUES,
)
from .settings import FOOTFALL_PG_character

# Presets of an older Footfall set the performer's share by its old name.
setattr(FOOTFALL_PG_character, "variation", alias("performer_share"))  # noqa: B010

PATH_PART_PATTERN: Final = re.compile(r"(\w+)((?:\[[^\]]*\])*)")


# --- Property groups


def _group_type(item: bpy.types.Property | None) -> bpy.types.Struct | None:
    """Return the type of the property group that a property points to or lists; ``None`` if it has none."""
    if item is None or item.type not in ("POINTER", "COLLECTION"):
        return None
    struct = item.fixed_type
    return struct if struct.base is not None and struct.base.identifier == "PropertyGroup" else None


def has_old_names(struct: bpy.types.Struct, raw: Any) -> bool:
    """Return whether stored values of a property group have old names."""
    renamed = RENAMED_PROPERTIES.get(struct.identifier, {})
    for name, stored in raw.items():
        if name in renamed:
            return True
        inner = _group_type(struct.properties.get(name))
        if inner is not None:
            groups = stored if isinstance(stored, list) else [stored]
            if any(has_old_names(inner, group) for group in groups):
                return True
    return False


def _fill_group(group: bpy.types.PropertyGroup, raw: Any, moved: bool = False) -> None:
    """Set properties from values under old names unless they are set already, and delete the old names.

    Args:
        group: the property group.
        raw: what is stored of it.
        moved: whether that is not the group's own storage, but that of its old name, so that all values move.
    """
    renamed = RENAMED_PROPERTIES.get(group.bl_rna.identifier, {})
    for old in map(str, list(raw.keys())):
        new = renamed.get(old, old)
        item = group.bl_rna.properties.get(new)
        if item is None:
            continue
        elsewhere = moved or new != old
        if _group_type(item) is None:
            if elsewhere and not group.is_property_set(new):
                setattr(group, new, _registered_value(item, raw[old]))
        elif item.type == "POINTER":
            _fill_group(getattr(group, new), raw[old], elsewhere)
        else:
            rows, stored = getattr(group, new), raw[old]
            if elsewhere and not len(rows):
                for _ in stored:
                    rows.add()
            for row, inner in zip(rows, stored, strict=False):
                _fill_group(row, inner, elsewhere)
        if new != old:
            del raw[old]


def _registered_value(item: bpy.types.Property, stored: Any) -> Any:
    """Return a stored value as its property accepts it: enums are stored as numbers."""
    if item.type == "ENUM" and isinstance(stored, int):
        return next((choice.identifier for choice in item.enum_items if choice.value == stored), item.default)
    if item.type == "BOOLEAN":
        return [bool(one) for one in stored] if getattr(item, "is_array", False) else bool(stored)
    return list(stored) if getattr(item, "is_array", False) else stored


def rename_in_text(struct: bpy.types.Struct, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property group's values from a text, with the current names of properties and enum items."""
    renamed, result = RENAMED_PROPERTIES.get(struct.identifier, {}), {}
    for old, value in content.items():
        new = renamed.get(old, old)
        inner = _group_type(struct.properties.get(new))
        if inner is not None and isinstance(value, dict):
            value = rename_in_text(inner, value)
        elif inner is not None and isinstance(value, list):
            value = [rename_in_text(inner, row) for row in value]
        elif isinstance(value, str):
            value = RENAMED_ITEMS.get((struct.identifier, new), {}).get(value, value)
        result[new] = value
    return result


# --- F-curves and drivers


def rename_path(id_type: str, path: str) -> str:
    """Return the data path of a property of an object or a scene with the current names."""
    for old, new in RENAMED_CUSTOM_PROPERTIES.items():
        if id_type == "OBJECT" and path == f'["{old}"]':
            return f'["{new}"]'
    first, dot, rest = path.partition(".")
    for collection, owner, groups in OWNERS:
        if owner.upper() != id_type:
            continue
        if not dot:
            return RENAMED_VALUES.get(collection, {}).get(path, path)
        if first in groups:
            struct = getattr(bpy.types, owner).bl_rna.properties[groups[first]].fixed_type
            return f"{groups[first]}.{_rename_parts(struct, rest)}"
    return path


def _rename_parts(struct: bpy.types.Struct | None, path: str) -> str:
    parts = []
    for part in path.split("."):
        found = PATH_PART_PATTERN.fullmatch(part)
        if found is None or struct is None:
            parts.append(part)
            continue
        name = RENAMED_PROPERTIES.get(struct.identifier, {}).get(found[1], found[1])
        struct = _group_type(struct.properties.get(name))
        parts.append(name + found[2])
    return ".".join(parts)


def _rename_animation() -> None:
    for action in bpy.data.actions:
        if action.library is None:
            for layer in action.layers:
                for strip in layer.strips:
                    for channelbag in strip.channelbags:
                        kind = channelbag.slot.target_id_type if channelbag.slot else "UNSPECIFIED"
                        kind = "OBJECT" if kind == "UNSPECIFIED" else kind
                        for curve in channelbag.fcurves:
                            _assign(curve, "data_path", rename_path(kind, curve.data_path))
    for block in _animated_blocks():
        for curve in block.animation_data.drivers:
            _assign(curve, "data_path", rename_path(block.id_type, curve.data_path))
            for variable in curve.driver.variables:
                for target in variable.targets:
                    # A linked object keeps its custom properties' names, but not those of its settings.
                    if target.id is not None and (target.id.library is None or not target.data_path.startswith("[")):
                        _assign(target, "data_path", rename_path(target.id.id_type, target.data_path))


def _animated_blocks() -> Iterator[Any]:
    """Yield the data-blocks of this file that have drivers."""
    for item in bpy.data.bl_rna.properties:
        if item.type == "COLLECTION":
            for block in getattr(bpy.data, str(item.identifier)):
                for one in (block, getattr(block, "node_tree", None)):
                    data = getattr(one, "animation_data", None)
                    if one is not None and data is not None and data.drivers and one.library is None:
                        yield one


def _assign(owner: Any, name: str, value: str) -> None:
    if getattr(owner, name) != value:
        setattr(owner, name, value)


# --- Custom properties, markers, constraints


def _rename_custom_properties(obj: bpy.types.Object) -> None:
    for old, new in RENAMED_CUSTOM_PROPERTIES.items():
        value = obj.get(old)
        if value is None:
            continue
        if new not in obj:
            if old == OLD_TAG_PROPERTY:
                value = OLD_TAGS.get(value, value)
            elif old == FIT_PROPERTY[0] and obj.type != "EMPTY":
                value = rename_in_fit(value)
            obj[new] = value
            with suppress(TypeError):  # some kinds of values have no description
                obj.id_properties_ui(new).update(**obj.id_properties_ui(old).as_dict())
        del obj[old]
        compat.delete_stored(obj, old)  # the copy that a file of 4.5 leaves


def rename_in_fit(text: str) -> str:
    """Return the stored fit of a prop with the current keys; unreadable text stays as it is."""
    try:
        fit = parse_json(text)
        fit["interaction"] = fit.pop("kind")
        for contact in fit["contacts"].values():
            contact["intervals"] = contact.pop("runs")
    except (ValueError, KeyError, TypeError, AttributeError):
        return text
    return json.dumps(fit)


def _rename_constraints(obj: bpy.types.Object) -> None:
    for constraint in obj.constraints:
        if constraint.name in RENAMED_CONSTRAINTS:
            constraint.name = RENAMED_CONSTRAINTS[constraint.name]  # Blender renames it in F-curves, too


def _rename_markers(action: bpy.types.Action) -> None:
    if action.footfall.frame_count or action.footfall.segments:
        for marker in action.pose_markers:
            marker.name = RENAMED_MARKERS.get(marker.name, marker.name)


def _keep_unvaried(obj: bpy.types.Object) -> None:
    """Set the variation of a walk to 0 where it was baked before walks were varied, so that *Bake Again* repeats it."""
    settings, records = obj.footfall, obj.footfall.bake_records
    unvaried = len(records) and records[-1].control_variation < 0
    if unvaried and not settings.is_property_set("control_variation"):
        settings.control_variation = 0.0


# --- A file


@persistent
def migrate(*_: object) -> None:
    """Migrate all data of the open file to the current names; data of linked files is skipped."""
    linked: set[str] = set()
    with store.suspended_updates():
        for collection, _owner, groups in OWNERS:
            for owner in getattr(bpy.data, collection):
                for old, new in groups.items():
                    _migrate_group(owner, old, new, linked)
                if owner.library is None:
                    _migrate_values(owner, RENAMED_VALUES.get(collection, {}))
        for obj in bpy.data.objects:
            if obj.library is None and obj.override_library is None:
                _rename_custom_properties(obj)
                _rename_constraints(obj)
            if obj.library is None:
                _keep_unvaried(obj)
        for action in bpy.data.actions:
            if action.library is None:
                _rename_markers(action)
        _rename_animation()
    if linked:
        print(f"Footfall: settings in {', '.join(sorted(linked))} have old names: open and save these files.")


def _migrate_group(owner: bpy.types.ID, old: str, new: str, linked: set[str]) -> None:
    raw = compat.stored_group(owner, old)
    if raw is None:
        return
    group = getattr(owner, new)
    if owner.library is not None:
        if has_old_names(group.bl_rna, raw):
            linked.add(f"'{owner.library.filepath}'")
        return
    if old != new:
        _fill_group(group, raw, moved=True)
        compat.delete_stored(owner, old)
    elif has_old_names(group.bl_rna, raw):
        _fill_group(group, raw)
    compat.delete_copy(owner, old)


def _migrate_values(owner: bpy.types.ID, names: Mapping[str, str]) -> None:
    for old, new in names.items():
        value = compat.stored_value(owner, old)
        if value is None:
            continue
        if not owner.is_property_set(new):
            setattr(owner, new, _registered_value(owner.bl_rna.properties[new], value))
        compat.delete_stored(owner, old)
        compat.delete_copy(owner, old)


def migrate_preferences() -> None:
    """Migrate the values that the user's preferences have under old names."""
    preferences = addon_preferences()
    if preferences is None:
        return
    for old, new in RENAMED_PREFERENCES.items():
        value = compat.stored_value(preferences, old)
        if value and not getattr(preferences, new):
            setattr(preferences, new, value)


HANDLERS: Final[tuple[tuple[str, Callable[..., None]], ...]] = (
    ("load_post", migrate),
    ("blend_import_post", migrate),
)


def _migrate_open_file() -> None:
    migrate()


def register() -> None:
    """Register the migration to run before all other handlers of Footfall."""
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).insert(0, handler)
    # What is open already has fired no handler, and its data must not be touched while add-ons are registered.
    bpy.app.timers.register(_migrate_open_file, first_interval=0.0)
    migrate_preferences()


def unregister() -> None:
    """Undo :func:`register`."""
    if bpy.app.timers.is_registered(_migrate_open_file):
        bpy.app.timers.unregister(_migrate_open_file)
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
