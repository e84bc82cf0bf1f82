"""Duels: beats in which one character strikes and another answers, staged, refined and free of overlaps."""
