"""Destinations of a bake: a new action, an NLA strip, or a range of frames of an action; and their revert."""

from .bake_record import MADE_PROPERTY, BakeRecord, keep_with_record, last_record
from .destination import Destination
from .revert import is_replaced_by, revert, why_not_revertible
from .writing import write

__all__ = [
    "MADE_PROPERTY",
    "BakeRecord",
    "Destination",
    "is_replaced_by",
    "keep_with_record",
    "last_record",
    "revert",
    "why_not_revertible",
    "write",
]
