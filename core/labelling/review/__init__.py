"""Checks of labels: what looks wrong, and where to look first."""
