"""Preview in the viewport of the walk of a run's controller so far; nothing in the file changes."""
