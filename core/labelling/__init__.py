"""Labels of a clip, found from its motion: contacts, phases, gaits, actions and goals."""

from .labeller import add_local_phases, label_clip, label_contacts
from .labels import Labels

__all__ = ["Labels", "add_local_phases", "label_clip", "label_contacts"]
