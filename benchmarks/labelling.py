"""Accuracy of labels: of exactly known motion, of real clips that were checked by eye, of damaged input."""

from . import checked_labels, damaged, exact_labels
from .setup import Setup

TITLE = "Labels: contacts, strikes, phase and gaits"


def measure(setup: Setup) -> str:
    """Return the section's tables."""
    parts = {
        "Procedural motion, whose labels are known exactly": exact_labels.measure(),
        "Real clips, checked frame by frame": checked_labels.measure(setup),
        "Damaged input": damaged.measure(),
    }
    return "\n\n".join(f"### {name}\n\n{part}" for name, part in parts.items())
