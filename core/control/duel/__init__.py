"""Duels: one character strikes, another answers; beats are staged, refined and freed of overlapping bodies."""
