"""A shot: what one character does, beat after beat, in one motion."""
