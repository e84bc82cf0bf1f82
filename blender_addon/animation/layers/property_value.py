"""Properties of an object by their data paths, as plain values that can be stored in a file."""

import re
from typing import Any, Final

import bpy

Value = bool | int | float | str | list[float]
_CUSTOM_PROPERTY_PATH: Final = re.compile(r'^(.*?)\.?\["((?:[^"\\]|\\.)*)"\]$', re.DOTALL)


def read_value(owner: bpy.types.ID, path: str) -> Value | None:
    """Return the value at a path such as ``pose.bones["hips"].location``; ``None`` if there is no such property."""
    try:
        value = owner.path_resolve(path)
    except ValueError:
        return None
    if isinstance(value, bool | int | float | str):
        return value
    try:
        return [float(part) for part in value]
    except (TypeError, ValueError):
        return None


def write_value(owner: bpy.types.ID, path: str, value: Value) -> bool:
    """Set the property at a path; return false if there is no such property or it does not accept the value."""
    try:
        holder, name, custom = _resolve(owner, path)
        if not custom:
            setattr(holder, name, value)
        elif name in holder:
            # A custom property keeps its type: an integer switch remains an integer.
            kind = type(holder[name])
            holder[name] = kind(value) if isinstance(value, bool | int | float) else value
        else:
            return False
    except (ValueError, TypeError, AttributeError, KeyError):
        return False
    return True


def _resolve(owner: bpy.types.ID, path: str) -> tuple[Any, str, bool]:
    """Resolve a path to the property's owner, its name, and whether it is a custom property."""
    custom = _CUSTOM_PROPERTY_PATH.match(path)
    if custom:
        above, name = custom.group(1), re.sub(r"\\(.)", r"\1", custom.group(2))
    else:
        above, _, name = path.rpartition(".")
    return (owner.path_resolve(above) if above else owner), name, bool(custom)
