"""Destinations of a bake: a new action, an NLA strip, or a range of frames of an action; and their revert."""

from .bake_record import BakeRecord, last_record
from .companion import companions_of, is_last_of, keep_with_record, revert_companion, revert_with_companions, uncover
from .destination import Destination
from .revert import is_replaced_by, revert, why_not_revertible
from .writing import write

__all__ = [
    "BakeRecord",
    "Destination",
    "companions_of",
    "is_last_of",
    "is_replaced_by",
    "keep_with_record",
    "last_record",
    "revert",
    "revert_companion",
    "revert_with_companions",
    "uncover",
    "why_not_revertible",
    "write",
]
