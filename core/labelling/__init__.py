"""What a clip is doing: contacts, phase and gaits, found from the motion itself."""

from .labeller import contacts_in, label_clip, with_local_phases
from .labels import Labels

__all__ = ["Labels", "contacts_in", "label_clip", "with_local_phases"]
