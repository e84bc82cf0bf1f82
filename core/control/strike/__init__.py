"""Strikes at targets: their orders, the roll-out of attacks, exact hits, and the fight from approach to retreat."""
