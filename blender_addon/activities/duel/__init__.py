"""Duels: beats of two or more characters, as markers in the timeline, and their bake."""
