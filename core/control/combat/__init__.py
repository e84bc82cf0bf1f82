"""Attacks at targets: orders, their roll-out, exact strikes, and the fight from approach to retreat."""
