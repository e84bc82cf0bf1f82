"""Options that make a property editable on library overrides."""

from typing import Final

OVERRIDABLE: Final = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST: Final = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
