"""What a clip is doing: contacts, phase and gaits, found from the motion itself."""

from .labels import Labels, label_clip

__all__ = ["Labels", "label_clip"]
