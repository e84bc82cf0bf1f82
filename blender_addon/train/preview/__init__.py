"""Preview in the viewport of a walk of a run's current controller; nothing in the file changes."""
