"""Strikes at targets: their order, their roll-out, exact hits, and the fight from approach to retreat."""
