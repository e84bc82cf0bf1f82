"""Duels: beats that two characters strike and answer, staged, refined and kept out of each other."""
