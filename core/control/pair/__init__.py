"""Pairs of characters: one responds to the other's motion, or both dance."""
