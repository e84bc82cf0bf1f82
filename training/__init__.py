"""Data sets, torch networks and the trainer; runs in a Python of its own, never inside Blender."""
