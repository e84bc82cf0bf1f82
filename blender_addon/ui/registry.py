"""The registered classes of Footfall, in the order of their definition."""

from collections.abc import Iterator
from typing import Final

import bpy

PACKAGE_PREFIX: Final = (__package__ or "").rpartition(".")[0] + "."


def _all_subclasses(base: type) -> Iterator[type]:
    for cls in base.__subclasses__():
        yield cls
        yield from _all_subclasses(cls)


def registered_classes(base: type) -> list[type]:
    """Return the registered classes that derive from a Blender type, such as ``bpy.types.Operator``."""
    found = dict.fromkeys(cls for cls in _all_subclasses(base) if cls.__module__.startswith(PACKAGE_PREFIX))
    return [cls for cls in found if cls.is_registered]


def rna_type_of(cls: type) -> bpy.types.Struct:
    """Return the RNA type of a registered class, which has its name, description and properties."""
    if issubclass(cls, bpy.types.Operator):
        module, _, name = cls.bl_idname.partition(".")
        return getattr(getattr(bpy.ops, module), name).get_rna_type()
    return cls.bl_rna


def own_properties(cls: type) -> list[bpy.types.Property]:
    """Return the properties that a registered class itself defines, including hidden ones."""
    mine = {name for base in cls.__mro__ for name in getattr(base, "__annotations__", ())}
    return [item for item in rna_type_of(cls).properties if item.identifier in mine]
