"""A shot: all beats of one character in one motion."""
