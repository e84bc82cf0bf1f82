"""The finished motion of a character, whatever the character does."""

from .object_track import ObjectTrack
from .performance import Performance

__all__ = ["ObjectTrack", "Performance"]
