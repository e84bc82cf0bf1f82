"""Checks of labels: doubtful labels, ranked for review."""
