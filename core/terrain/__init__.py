"""Ground that is not level: heightfields, patches, and their fit to motion."""
