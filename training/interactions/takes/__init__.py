"""Takes of each kind of action."""
