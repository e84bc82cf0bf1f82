"""Inserted clips: actions that a walk goes over into and comes back from."""
