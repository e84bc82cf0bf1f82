"""Accuracy of labels: of exactly known motion, of real clips that were checked by eye, of damaged input."""

from . import checked_labels, damaged, exact_labels
from .setup import Setup
from .tables import Part

TITLE = "Labels: contacts, strikes, phase and gaits"


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    return [*exact_labels.measure(), checked_labels.measure(setup), damaged.measure()]
