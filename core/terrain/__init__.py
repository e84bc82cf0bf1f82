"""Uneven ground: heightfields, mesh scenes, and patches fitted to captured motion."""
