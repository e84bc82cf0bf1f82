"""Duels: beats of two or more characters, as markers of the timeline, and their bake."""
