"""Options that make a property changeable where its owner is an override of a library's."""

from typing import Final

OVERRIDABLE: Final = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST: Final = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
