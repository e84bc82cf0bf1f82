"""The finished motion of a character, the same for all activities."""

from .object_track import ObjectTrack
from .performance import Performance

__all__ = ["ObjectTrack", "Performance"]
