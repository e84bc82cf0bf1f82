"""What a clip is doing: contacts, phase and gaits, found from the motion itself."""

from .labeller import add_local_phases, label_clip, label_contacts
from .labels import Labels

__all__ = ["Labels", "add_local_phases", "label_clip", "label_contacts"]
