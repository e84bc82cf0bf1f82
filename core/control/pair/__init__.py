"""Two characters: one answers what the other does, or both dance."""
