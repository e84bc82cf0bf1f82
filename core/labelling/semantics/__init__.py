"""Gaits, actions and their goals."""
