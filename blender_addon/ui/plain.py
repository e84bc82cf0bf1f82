"""Properties of each type in one call; further options are those of :mod:`bpy.props`."""

from functools import partial
from typing import Any, Final

import bpy


def flag(name: str | None = None, description: str = "", default: bool = False, **options: Any) -> Any:
    """Return a boolean property."""
    return _declared(bpy.props.BoolProperty, name, description, default=default, **options)


def number(
    name: str | None = None,
    description: str = "",
    default: float = 0,
    low: float | None = None,
    high: float | None = None,
    kind: Any = bpy.props.FloatProperty,
    **options: Any,
) -> Any:
    """Return a number property, optionally limited to a range."""
    limits = {key: limit for key, limit in (("min", low), ("max", high)) if limit is not None}
    return _declared(kind, name, description, default=default, **limits, **options)


integer: Final = partial(number, kind=bpy.props.IntProperty)
"""A whole number, within a range if given."""
share: Final = partial(number, low=0.0, high=1.0, subtype="FACTOR")
"""A number from 0 to 1."""


def text(name: str | None = None, description: str = "", default: str = "", **options: Any) -> Any:
    return _declared(bpy.props.StringProperty, name, description, default=default, **options)


def choice(name: str | None, description: str, items: Any, **options: Any) -> Any:
    """Return an enum property whose default is the first item."""
    return _declared(bpy.props.EnumProperty, name, description, items=items, **options)


def pointer(kind: type, name: str | None = None, description: str = "", **options: Any) -> Any:
    """Return a pointer property to a data-block or a property group of a type."""
    return _declared(bpy.props.PointerProperty, name, description, type=kind, **options)


def collection(kind: type, **options: Any) -> Any:
    """Return a collection property of property groups of a type."""
    return bpy.props.CollectionProperty(type=kind, **options)


def _declared(kind: Any, name: str | None, description: str, **options: Any) -> Any:
    """Return a property; if it has no name, it gets that of its attribute."""
    names = {} if name is None else {"name": name}
    return kind(description=description, **names, **options)
