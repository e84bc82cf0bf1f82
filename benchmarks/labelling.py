"""Accuracy of labels: for exactly known motion, manually checked real clips, and damaged input."""

from . import checked_labels, damaged, exact_labels
from .setup import Setup
from .tables import Part

TITLE = "Labels: contacts, strikes, phase and gaits"


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    return [*exact_labels.measure(), checked_labels.measure(setup), damaged.measure()]
