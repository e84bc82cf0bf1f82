"""Uneven ground: heightfields, patches, and their fit to motion."""
