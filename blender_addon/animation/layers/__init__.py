"""Where a bake goes: into an action of its own, an NLA strip, or a range of frames of an action; and back."""

from .bake_record import BakeRecord
from .destination import Destination
from .revert import is_replaced_by, revert, why_not_revertible
from .writing import write

__all__ = ["BakeRecord", "Destination", "is_replaced_by", "revert", "why_not_revertible", "write"]
