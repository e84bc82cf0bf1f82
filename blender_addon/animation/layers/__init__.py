"""Destinations of a bake: a new action, an NLA strip, or a range of frames of an action; and their reversal."""

from .bake_record import BakeRecord, last_record
from .companion import (
    companions_of,
    is_last_of,
    is_replaced,
    keep_with_record,
    revert_companion,
    revert_with_companions,
    uncover,
    write_companion,
)
from .destination import Destination
from .revert import replaced_bake, revert, why_not_revertible
from .sources import BakeSource
from .writing import write

__all__ = [
    "BakeRecord",
    "BakeSource",
    "Destination",
    "companions_of",
    "is_last_of",
    "is_replaced",
    "keep_with_record",
    "last_record",
    "replaced_bake",
    "revert",
    "revert_companion",
    "revert_with_companions",
    "uncover",
    "why_not_revertible",
    "write",
    "write_companion",
]
