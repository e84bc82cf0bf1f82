"""The activities of a character, a room each."""
