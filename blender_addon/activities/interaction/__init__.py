"""Interactions with the scene's objects: tasks, their bake and preview, and fitting objects to clips."""
