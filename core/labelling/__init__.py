"""What a clip is doing: contacts, phase and gaits, found from the motion itself."""

from .labeller import label_clip, with_local_phases
from .labels import Labels

__all__ = ["Labels", "label_clip", "with_local_phases"]
